import type { Catalog } from '../catalog/catalog.ts';
import type { TokenBulkChange } from '../contract/bulk.ts';
import {
  type BulkKind,
  type BulkRequest,
  type BulkResult,
  type BulkValues,
  runBulk,
  writeEach,
} from '../entities/bulk.ts';
import { requireAllowed } from '../entities/require-allowed.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Storage, Token, TokenFilter, User } from '../storage/storage.ts';
import { checkTokenFields } from './token-fields.ts';
import { requireTokenStatus, type TokenService } from './token-service.ts';
import type { UserTokens } from './user-tokens.ts';

export interface TokenBulkDeps {
  readonly storage: Pick<Storage, 'tokens' | 'users'>;
  readonly catalog: Pick<Catalog, 'usableGroups'>;
  readonly tokens: TokenService;
  readonly ofUsers: UserTokens;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface OwnedRow {
  readonly id: number;
  readonly token: Token;
  readonly owner: User;
}

/**
 * Changes of many tokens, each by the call that changes one
 * (docs/rules/console-api.md#bulk-changes).
 */
export interface TokenBulk {
  /** The actor's own; others are passed over. Throws what {@link runBulk} throws. */
  runOwn(actor: Actor, request: Request): Promise<BulkResult<OwnedRow>>;
  /** Of any user; `own-tokens` of user-policy.ts decides whose. */
  runAny(actor: Actor, request: Request): Promise<BulkResult<OwnedRow>>;
}
type Request = BulkRequest<TokenFilter, TokenBulkChange>;

const valuesOf = ({ token: { status, group, expiredTime } }: OwnedRow): BulkValues => ({
  status,
  group,
  expired_time: expiredTime,
});

export function createTokenBulk(deps: TokenBulkDeps): TokenBulk {
  const { storage, tokens, ofUsers, clock } = deps;

  const owned = async (found: readonly Token[]): Promise<readonly OwnedRow[]> => {
    const owners = await storage.users.findMany([...new Set(found.map(({ userId }) => userId))]);
    const byId = new Map(owners.map((owner) => [owner.id, owner]));
    return found.flatMap((token) => {
      const owner = byId.get(token.userId);
      return owner === undefined ? [] : [{ id: token.id, token, owner }];
    });
  };

  const checked = (
    actor: Actor,
    { token, owner }: OwnedRow,
    to: { status?: number | undefined; group?: string | undefined; expires?: number | undefined },
  ): BulkValues => {
    requireAllowed('own-tokens', { actor, target: owner });
    const { status, group, expires: expiredTime } = to;
    checkTokenFields(
      {
        ...(group !== undefined && { group }),
        ...(expiredTime !== undefined && { expiredTime }),
      },
      {
        now: nowSeconds(clock),
        groups: new Set(Object.keys(deps.catalog.usableGroups(owner.group))),
        quotaPerUnit: 1,
        current: token,
      },
    );
    if (status !== undefined)
      requireTokenStatus(
        { ...token, ...(expiredTime !== undefined && { expiredTime }) },
        status,
        nowSeconds(clock),
      );
    return {
      ...(group !== undefined && { group }),
      ...(expiredTime !== undefined && { expired_time: expiredTime }),
      ...(status !== undefined && { status }),
    };
  };

  const kindFor = (
    actor: Actor,
    isOwn: boolean,
  ): BulkKind<OwnedRow, TokenFilter, TokenBulkChange> => {
    const find = async (ids: readonly number[]): Promise<readonly Token[]> => {
      if (isOwn) return storage.tokens.findManyOfUser(ids, actor.id);
      const found = await Promise.all(ids.map((id) => storage.tokens.find(id)));
      return found.filter((token) => token !== null);
    };
    const remove = async (id: number) =>
      isOwn ? tokens.remove(await tokens.get(actor.id, id)) : ofUsers.remove(actor, id);
    const update = async (id: number, to: BulkValues) => {
      const { group, expired_time: expires, status } = to;
      const fields = {
        ...(group !== undefined && { group: String(group) }),
        ...(expires !== undefined && { expiredTime: Number(expires) }),
      };
      const next = status === undefined ? undefined : Number(status);
      if (!isOwn) {
        await ofUsers.update(actor, id, { ...fields, ...(next !== undefined && { status: next }) });
        return;
      }
      const token = await tokens.get(actor.id, id);
      const edited = Object.keys(fields).length > 0 ? await tokens.update(token, fields) : token;
      if (next !== undefined) await tokens.setStatus(edited, next);
    };
    return {
      find: async (ids) => owned(await find(ids)),
      matching: async (match, limit) =>
        owned((await storage.tokens.page(match, { offset: 0, limit })).items),
      nameOf: ({ token, owner }) =>
        isOwn ? `${token.name} #${token.id}` : `${owner.username}: ${token.name} #${token.id}`,
      undoable: ['status', 'group', 'expired_time'],
      valuesOf,
      plan: (row, { delete: deletes, ...change }) => {
        if (deletes) {
          requireAllowed('own-tokens', { actor, target: row.owner });
          // What deleted tokens are counted by; it differs from what they become.
          return { from: { deleted: `status ${row.token.status}` }, to: { deleted: 1 } };
        }
        const to = { status: change.status, group: change.group, expires: change.expired_time };
        return { from: valuesOf(row), to: checked(actor, row, to) };
      },
      restore: (row, { status, group, expired_time: expires }) =>
        checked(actor, row, {
          status: status === undefined ? undefined : Number(status),
          group: group === undefined ? undefined : String(group),
          expires: expires === undefined ? undefined : Number(expires),
        }),
      write: (steps) =>
        writeEach(
          steps,
          ({ id, to }) => (to['deleted'] === undefined ? update(id, to) : remove(id)),
          (error) => deps.logger.error({ error }, 'a token could not be changed'),
        ),
    };
  };

  const run = (actor: Actor, request: Request, isOwn: boolean) => {
    const { delete: deletes, ...others } = request.change ?? {};
    if (deletes && Object.values(others).some((value) => value !== undefined))
      throw new AppError('invalid_parameter', { field: 'delete' });
    return runBulk(kindFor(actor, isOwn), request);
  };
  return {
    runOwn: async (actor, { match, ...request }) =>
      run(actor, { ...request, match: match && { ...match, userId: actor.id } }, true),
    runAny: async (actor, request) => run(actor, request, false),
  };
}
