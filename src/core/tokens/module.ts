import type { Commit } from '../audit/commit.ts';
import type { Ledger } from '../billing/index.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { initialInput } from '../entities/convert.ts';
import { tokenFields } from '../entities/token.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage, Token } from '../storage/storage.ts';
import { tokenStatuses } from '../vocabulary/statuses.ts';
import { checkAddress, checkOwner, checkToken } from './check-caller.ts';
import { createTokenBulk, type TokenBulk } from './token-bulk.ts';
import { type Caller, createTokenDirectory, type TokenDirectory } from './token-directory.ts';
import { readTokenInput, type TokenFields } from './token-fields.ts';
import { createTokenService, type TokenService } from './token-service.ts';
import { createUserTokens, type UserTokens } from './user-tokens.ts';

export interface TokensModuleDeps {
  readonly storage: Pick<Storage, 'tokens' | 'users'>;
  readonly ledger: Ledger;
  readonly catalog: Pick<Catalog, 'usableGroups'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly commit: Commit;
  readonly cluster: Pick<Cluster, 'changes'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

export interface TokenServices extends TokenService {
  readonly directory: TokenDirectory;
  readonly ofUsers: UserTokens;
  readonly bulk: TokenBulk;
  /**
   * The caller that a key, with or without `sk-`, belongs to, for calls that only show what its
   * token did: an exhausted one may. Throws AppError token_missing, token_unknown, token_expired,
   * token_disabled, user_deactivated, user_banned, ip_not_allowed.
   */
  identify(key: string, address: string): Promise<Caller>;
  /**
   * A new account's first token, with unlimited quota; `key` as for {@link TokenService.create}.
   */
  createFirst(userId: number, name: string, key?: string): Promise<Token>;
}

export function createTokensModule(deps: TokensModuleDeps): ServiceModule<TokenServices> {
  const { storage, options } = deps;
  const tokens = createTokenService({
    ...deps,
    changes: deps.cluster.changes,
    quotaPerUnit: () => options.get('QuotaPerUnit'),
  });
  const ofUsers = createUserTokens({ storage, tokens });
  const directory = createTokenDirectory(storage, deps.clock);
  return {
    services: {
      ...tokens,
      directory,
      identify: async (key, address) => {
        const bare = key.trim().replace(/^sk-/, '');
        if (bare === '') throw new AppError('token_missing');
        const caller = await directory.find(bare);
        if (caller === undefined) throw new AppError('token_unknown');
        if (caller.tokenStatus !== tokenStatuses.exhausted)
          checkToken(caller, nowSeconds(deps.clock));
        checkOwner(caller);
        checkAddress(caller, address);
        return caller;
      },
      ofUsers,
      bulk: createTokenBulk({ ...deps, tokens, ofUsers }),
      createFirst: (userId, name, key) => tokens.create(userId, firstToken(name), key),
    },
    caches: [{ name: 'token directory', kinds: ['token', 'user'], follow: directory.forget }],
  };
}

/** GENERATE_DEFAULT_TOKEN (docs/rules/accounts.md#new-accounts). */
function firstToken(name: string): TokenFields {
  const fields = readTokenInput(initialInput(tokenFields));
  return {
    ...fields,
    name: [...name].slice(0, tokenFields.name.limits.max).join(''),
    unlimitedQuota: true,
  };
}
