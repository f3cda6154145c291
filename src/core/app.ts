/** The one place where the parts of the core meet (design, examples 3.1). */
import type { Actor } from './accounts/actor.ts';
import { bindCreateAccount } from './accounts/create-account.ts';
import { createInvites } from './accounts/invites.ts';
import { bindSignIn } from './accounts/login.ts';
import { createLoginGuard } from './accounts/login-guard.ts';
import { createOwnAccount } from './accounts/own-account.ts';
import { bindRegister } from './accounts/register.ts';
import { createSessions, hashSecret } from './accounts/sessions.ts';
import { createUserAdministration } from './accounts/user-administration.ts';
import { bindUpdateSetting } from './accounts/user-setting.ts';
import { createMemoryLedger, createPostgresLedger, type Ledger, planBatch } from './billing/index.ts';
import type { ProviderRegistry } from './canonical/registry.ts';
import { createCatalog } from './catalog/catalog.ts';
import { bindListPricing } from './catalog/pricing-page.ts';
import { createChannelAccounts } from './channels/channel-account.ts';
import { createChannelCatalog } from './channels/channel-catalog.ts';
import { createChannelService } from './channels/channel-service.ts';
import { createChannelTags } from './channels/channel-tags.ts';
import { createChannelTests } from './channels/channel-test.ts';
import { createRoutingIndex } from './channels/routing-index.ts';
import { createClientAddress } from './config/client-address.ts';
import type { DataFolder } from './config/data-folder.ts';
import type { Config } from './config/schema.ts';
import { systemIds } from './config/system-ids.ts';
import { translate } from './i18n/translate.ts';
import { createChanges } from './kernel/changes.ts';
import { type Clock, nowSeconds, systemClock } from './kernel/clock.ts';
import { AppError } from './kernel/errors.ts';
import type { Ids } from './kernel/ids.ts';
import type { Logger } from './kernel/logger.ts';
import { createAudit } from './logs/audit-log.ts';
import { bindOverview } from './logs/overview.ts';
import { createTrafficMeter } from './logs/traffic-meter.ts';
import { createUsageLogService } from './logs/usage-log-service.ts';
import { createWriteLog } from './logs/write-log.ts';
import { openDatabase } from './open-database.ts';
import { createRedemptionService } from './payments/redemption-service.ts';
import { builtInProviders } from './providers/index.ts';
import { createOptionStore } from './site/option-store.ts';
import { createSetup } from './site/setup.ts';
import { createStatus } from './site/status.ts';
import { createPostgresLedgerStore } from './storage/ledger/postgres-store.ts';
import type { OpenStorage } from './storage/open.ts';
import type { User } from './storage/storage.ts';
import { createTokenDirectory } from './tokens/token-directory.ts';
import { createTokenService } from './tokens/token-service.ts';
import { roles } from './vocabulary/roles.ts';
import { wireNotices } from './wire-notices.ts';
import { wireRelay } from './wire-relay.ts';

export interface AppDeps {
  readonly config: Config;
  readonly folder: Pick<DataFolder, 'cryptoSecret'>;
  readonly logger: Logger;
  readonly version: string;
  /** The gateway keeps the database on threads of its own; commands work on the calling thread. */
  readonly threads: boolean;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Hears that the database's thread died: the process can only be started anew. */
  readonly onDatabaseDeath?: (error: Error) => void;
  /** Vendors of upstreams; the built-in ones where absent. */
  readonly providers?: ProviderRegistry | undefined;
  /** Overrides where the database is (tests: `sqlite::memory:`). */
  readonly databaseUrl?: string;
}

export type App = Awaited<ReturnType<typeof createApp>>;

/**
 * Opens the database and wires everything that needs no socket. The caller owns the data folder's lock. Throws AppError
 * database_unavailable, feature_unavailable.
 */
export async function createApp(deps: AppDeps) {
  const { config, logger, version, clock = systemClock, ids = systemIds, providers = builtInProviders } = deps;
  const url = deps.databaseUrl ?? (config.databaseUrl || `sqlite:${config.sqlitePath}`);
  const storage = await openDatabase({
    url,
    masterKey: Buffer.from(deps.folder.cryptoSecret.reveal()),
    threads: deps.threads,
    durability: config.durability,
    onError: (error) => logger.error({ error }, 'the database connection broke'),
    onDeath: (error) => {
      logger.error({ error }, 'the database thread died');
      deps.onDatabaseDeath?.(error);
    },
  });
  const startedAt = nowSeconds(clock);
  const changes = createChanges();
  const ledger = createLedger(storage, clock, ids, logger);
  const audit = createAudit({ auditLogs: storage.auditLogs, clock });
  const options = createOptionStore({ repository: storage.options, changes, audit, logger });
  await options.reload();
  const traffic = createTrafficMeter(clock);
  const catalog = createCatalog({ options, storage });
  const writeLog = createWriteLog({
    logs: storage.logs,
    options,
    translate: (key, params) => translate('zh', key, params),
    clock,
  });

  const sessions = createSessions({ storage, clock, ids });
  const accountDeps = { storage, ledger, options, sessions, writeLog, changes, audit, clock, ids };
  const createAccount = bindCreateAccount(accountDeps);
  const invites = createInvites(accountDeps);
  await invites.finishInterrupted();
  const tokens = createTokenService({
    storage,
    ledger,
    catalog,
    changes,
    clock,
    ids,
    quotaPerUnit: () => options.get('QuotaPerUnit'),
  });
  const createFirstToken = async (userId: number, username: string): Promise<void> => {
    if (config.generateDefaultToken) await tokens.create(userId, firstToken(translate('zh', 'token.first', { name: username })));
  };

  const setup = await createSetup({
    storage,
    ledger,
    options,
    changes,
    audit,
    clock,
    ids,
    version,
    ownCode: config.setupToken,
    onRootMade: async (userId) => {
      const key = config.initialRootToken.replace(/^sk-/, '');
      if (key !== '') await tokens.create(userId, { ...firstToken('initial'), unlimitedQuota: true }, key);
      if (config.initialRootAccessToken !== '') {
        await storage.users.update(userId, { accessTokenHash: hashSecret(config.initialRootAccessToken) });
      }
    },
  });

  const routing = await createRoutingIndex(storage, providers);
  const directory = createTokenDirectory(storage);
  const notices = wireNotices({ config, storage, options, clock, ids, logger, findRoot: setup.findRoot });
  const clientAddress = createClientAddress(config.trustedProxies, (entry) =>
    logger.error({ entry }, 'an entry of TRUSTED_PROXIES is neither an address nor a range'),
  );
  const upstreamSide = wireRelay({
    config,
    storage,
    ledger,
    routing,
    directory,
    options,
    changes,
    traffic,
    clock,
    ids,
    logger,
    version,
    clientAddress,
    notices: notices.channels,
    providers,
  });
  const channelDeps = { storage, changes, audit, clock, providers };
  const pause = config.pollingInterval;
  const channelTests = createChannelTests({
    storage,
    options,
    changes,
    logger,
    clock,
    ids,
    pause,
    notices: notices.channels,
    testChannel: upstreamSide.testChannel,
  });
  const channelAccounts = createChannelAccounts({
    storage,
    options,
    changes,
    logger,
    clock,
    ids,
    pause,
    notices: notices.channels,
    calls: upstreamSide.accountCalls,
  });

  changes.listen(async (change) => {
    directory.forget(change);
    if (change.kind !== 'channels') return;
    // The write that is announced stands, whatever becomes of the index: it is not to be reported as failed.
    await routing.reload().catch((error: unknown) => logger.error({ error }, 'the routing index could not be reloaded'));
    upstreamSide.reindexed();
  });

  /** Where the gateway listens, once it does. */
  let listening = { port: config.port, url: `http://${config.host}:${config.port}` };

  return {
    config,
    version,
    startedAt,
    databaseType: url.startsWith('sqlite:') ? 'sqlite' : 'postgres',
    clock,
    ids,
    logger,
    storage,
    ledger,
    changes,
    audit,
    options,
    traffic,
    catalog,
    clientAddress,
    providers,
    setup,
    sessions,
    signIn: bindSignIn({ storage, options, guard: createLoginGuard(clock), ids }),
    register: bindRegister({ options, createAccount, ids, createFirstToken }),
    ownAccount: createOwnAccount(accountDeps),
    invites,
    updateSetting: bindUpdateSetting({ storage, changes, guard: upstreamSide.guard }),
    userAdministration: createUserAdministration({ ...accountDeps, createAccount }),
    tokens,
    channels: createChannelService(channelDeps),
    channelTags: createChannelTags(channelDeps),
    channelCatalog: createChannelCatalog(providers),
    channelTests,
    channelAccounts,
    mailer: notices.mailer,
    rootNotices: notices.root,
    redemptions: createRedemptionService({ storage, ledger, writeLog, audit, clock, ids }),
    logs: createUsageLogService({ storage, writeLog, audit, clock }),
    listPricing: bindListPricing({ storage, prices: () => upstreamSide.policy().prices }),
    relay: upstreamSide.relay,
    explainRoute: upstreamSide.explainRoute,
    channelHealth: upstreamSide.standing,
    translate,
    status: createStatus({ options, version, startTime: startedAt, isSetUp: setup.isSetUp, port: () => listening.port }),
    overview: bindOverview({
      storage,
      traffic,
      clock,
      version,
      startedAt,
      baseUrl: () => options.get('ServerAddress') || listening.url,
      isCircuitOpen: upstreamSide.isCircuitOpen,
    }),
    setListening: (address: { port: number; url: string }) => {
      listening = address;
    },
    /** The operator at the machine: the first root user, before setup nobody in particular with the same rights. */
    findOperator: async (ip: string): Promise<Actor> => {
      const root = await setup.findRoot();
      return root === null ? { id: 0, username: '', role: roles.root, group: 'default', ip } : actorFrom(root, ip);
    },
    /** Throws AppError database_unavailable. */
    pingDatabase: async (): Promise<void> => {
      await storage.setups.find();
    },
    /** Ends what runs in the background, writes what is owed, closes the database. */
    close: async (): Promise<void> => {
      await Promise.all([channelTests.stop(), channelAccounts.stop()]);
      await notices.close();
      await upstreamSide.stopCounting();
      await ledger.drain();
      await upstreamSide.close();
      await ledger.close?.();
      await storage.close();
    },
  };
}

export function actorFrom(user: User, ip: string): Actor {
  return { id: user.id, username: user.username, role: user.role, group: user.group, ip };
}

/** One process owns a SQLite file and keeps balances in memory; PostgreSQL may be shared, so it keeps them itself. */
function createLedger(storage: OpenStorage, clock: Clock, ids: Ids, logger: Logger): Ledger {
  if (storage.settle !== undefined) return createMemoryLedger({ storage, commit: storage.settle, clock, logger });
  if (storage.postgres === undefined) throw new AppError('feature_unavailable', { detail: 'ledger' });
  const store = createPostgresLedgerStore(storage.postgres, ids.uuid(), planBatch);
  return createPostgresLedger({ storage, store, clock, logger });
}

/** GENERATE_DEFAULT_TOKEN (spec, accounts-and-payments 5). */
function firstToken(name: string) {
  return {
    name: [...name].slice(0, 50).join(''),
    expiredTime: -1,
    remainQuota: 500_000,
    unlimitedQuota: true,
    modelLimitsEnabled: false,
    modelLimits: '',
    allowIps: '',
    group: '',
  };
}
