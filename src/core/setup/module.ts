import { actorFrom } from '../accounts/actor-from.ts';
import { hashSecret } from '../accounts/sessions.ts';
import type { Commit } from '../audit/commit.ts';
import type { DeferredPostings, Ledger } from '../billing/index.ts';
import type { Config } from '../config/schema.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { ServerStatus } from '../options/index.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore } from '../site/option-store.ts';
import { createStatus } from '../site/status.ts';
import type { Storage } from '../storage/storage.ts';
import type { TokenServices } from '../tokens/module.ts';
import { roles } from '../vocabulary/roles.ts';
import { createSetup, type Setup } from './setup.ts';

export interface SetupModuleDeps {
  readonly config: Config;
  readonly version: string;
  readonly startedAt: number;
  readonly databaseType: string;
  readonly storage: Storage;
  readonly ledger: Ledger;
  readonly deferred: DeferredPostings;
  readonly options: OptionStore;
  readonly tokens: Pick<TokenServices, 'createFirst'>;
  readonly commit: Commit;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The port on which the gateway listens. */
  readonly port: () => number;
}

export interface SetupServices extends Setup {
  /** The object of GET /api/status. */
  readonly status: () => ServerStatus;
  readonly databaseType: string;
  /**
   * The operator on this machine: the first root user, or before the setup an actor with the same
   * rights and no account.
   */
  findOperator(ip: string): Promise<Actor>;
  /** Throws AppError database_unavailable. */
  pingDatabase(): Promise<void>;
}

/** Resolves when it is known whether the site is set up. */
export async function createSetupModule(
  deps: SetupModuleDeps,
): Promise<ServiceModule<SetupServices>> {
  const { config, version, storage, options, tokens } = deps;
  const setup = await createSetup({
    ...deps,
    ownCode: config.setupToken,
    onRootMade: async (userId) => {
      const key = config.initialRootToken.replace(/^sk-/, '');
      if (key !== '') await tokens.createFirst(userId, 'initial', key);
      if (config.initialRootAccessToken !== '') {
        await storage.users.update(userId, {
          accessTokenHash: hashSecret(config.initialRootAccessToken),
        });
      }
    },
  });
  return {
    services: {
      ...setup,
      status: createStatus({
        options,
        version,
        startTime: deps.startedAt,
        isSetUp: setup.isSetUp,
        port: deps.port,
      }),
      databaseType: deps.databaseType,
      findOperator: async (ip) => {
        const root = await setup.findRoot();
        return root === null
          ? { id: 0, username: '', role: roles.root, group: 'default', ip }
          : actorFrom(root, ip);
      },
      pingDatabase: async () => {
        await storage.setups.find();
      },
    },
    caches: [{ name: 'setup', kinds: ['options'], follow: setup.refresh }],
  };
}
