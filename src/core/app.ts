// biome-ignore-all lint/style/noExcessiveLinesPerFile: the order in which the modules are made, read as one list
/** Creates the modules of the core in dependency order and connects them. */
import { hostname } from 'node:os';
import { createAccountsModule } from './accounts/module.ts';
import { createAuditModule } from './audit/module.ts';
import { createBillingModule } from './billing/module.ts';
import { createBudgetsModule } from './budgets/module.ts';
import type { ProviderRegistry } from './canonical/registry.ts';
import { createCatalogModule } from './catalog/module.ts';
import { lastEnds } from './channels/model-ends.ts';
import { createChannelsModule } from './channels/module.ts';
import { servedModels } from './channels/offered.ts';
import { createClientAddress } from './config/client-address.ts';
import { lowDiskSpace } from './doctor/folder-checks.ts';
import { createDoctorModule } from './doctor/module.ts';
import { createFilesModule } from './files/module.ts';
import { type Foundation, type FoundationDeps, openFoundation } from './foundation.ts';
import { translate } from './i18n/translate.ts';
import type { LogPart } from './kernel/log-levels.ts';
import { partOf } from './kernel/logger.ts';
import { createLogsModule } from './logs/module.ts';
import { createLossesModule } from './losses/module.ts';
import { openBackupStore } from './maintenance/backup-store.ts';
import { createMaintenanceModule } from './maintenance/module.ts';
import { createMetricsModule } from './metrics/module.ts';
import { createNoticesModule } from './notices/module.ts';
import { createPaymentsModule } from './payments/module.ts';
import { createPlaygroundModule } from './playground/module.ts';
import { createPriceSyncModule } from './price-sync/module.ts';
import { builtInProviders } from './providers/index.ts';
import { createRelayModule } from './relay/module.ts';
import { createChangeFollower } from './runtime/change-follower.ts';
import { createJobRunner } from './runtime/job-runner.ts';
import { createNodesModule } from './runtime/nodes.ts';
import type { ServiceModule } from './runtime/service-module.ts';
import { createSetupModule } from './setup/module.ts';
import { createSiteModule } from './site/module.ts';
import { createNodeWishes } from './site/node-wishes.ts';
import { createSiteConfigModule } from './site-config/module.ts';
import { createTasksModule } from './tasks/module.ts';
import { createTaskLists } from './tasks/task-lists.ts';
import { readPrivate } from './tasks/task-private.ts';
import { createTokensModule } from './tokens/module.ts';
import { readGuardPolicy } from './upstream/guard.ts';

export interface AppDeps extends FoundationDeps {
  /** Absent: the built-in providers. */
  readonly providers?: ProviderRegistry | undefined;
  /** The process's number among several of one data folder. */
  readonly worker?: number | undefined;
  /** False: a command, which relays nobody's requests. */
  readonly serves?: boolean | undefined;
}
export type App = Awaited<ReturnType<typeof composeApp>>;

/**
 * Opens the database and creates everything that needs no socket. The caller owns the data folder's
 * lock. Throws AppError database_unavailable, feature_unavailable.
 */
export async function createApp(deps: AppDeps): Promise<App> {
  return composeApp(await openFoundation(deps), deps.providers, deps.worker, deps.serves);
}

/** Creates the modules. The app then owns the foundation and closes it. */
export async function composeApp(
  opened: Foundation,
  providers: ProviderRegistry = builtInProviders,
  worker?: number,
  serves = true,
) {
  const of = (part: LogPart) => ({ logger: partOf(opened.logger, part) });
  const follower = await createChangeFollower({
    ...opened,
    ...of('cluster'),
    ...opened.storage,
    changes: opened.cluster.changes,
  });
  const { changes } = follower.services;
  const cluster = { ...opened.cluster, changes };
  const foundation = { ...opened, cluster };
  const { config, version, startedAt, clock, ids } = foundation;
  const { logger } = of('server');
  const guard = readGuardPolicy(config);
  /** The gateway's address; the configured one until it listens. */
  let listening = { port: config.port, url: `http://${config.host}:${config.port}` };
  let isServing = false;
  const baseUrl = () => options.get('ServerAddress') || listening.url;

  const nodes = createNodesModule({
    ...foundation,
    ...of('cluster'),
    nodes: foundation.storage.nodes,
    isAlone: foundation.databaseType === 'sqlite',
    host: hostname(),
    dataDir: worker === undefined ? config.dataDir : `${config.dataDir} #${worker}`,
    load: () => ({
      requests: relay.services.gateway.active,
      jobs: jobs.underWay(),
      lastRequestAt: relay.services.gateway.lastRequestAt,
    }),
    onLeaving: (isLeaving) => relay.services.gateway.leave(isLeaving),
  });
  const audit = createAuditModule({ ...foundation, ...of('site') });
  const site = await createSiteModule({
    ...foundation,
    ...of('site'),
    audit: audit.services,
    guard: (before, after) => losses.services.refusal(before, after),
  });
  const { options } = site.services;
  const siteLanguage = () => options.get('SiteLanguage');
  const { commit } = audit.services;
  const common = { ...foundation, options, siteLanguage, audit: audit.services, commit };

  // Functions that refer to a later module are called only after all modules exist.
  const billing = await createBillingModule({
    ...foundation,
    ...of('billing'),
    options,
    sealFile: config.ledgerSealFile,
    sendSigned: (...message) => notices.services.sendSigned(...message),
  });
  const logs = createLogsModule({
    ...common,
    ...of('logs'),
    baseUrl,
    isCircuitOpen: (id) => relay.services.isCircuitOpen(id),
    lateJobs: () => lateJobs(),
    endingModels: () => channels.services.endingModels(),
    lowDiskSpace: () => lowDiskSpace(config),
    separateNodes: () => nodes.services.listSeparate(),
    openPlace: (place) => openBackupStore({ ...config, backupTo: place }),
  });
  const writeLog = logs.services.write;
  const metrics = await createMetricsModule({
    ...foundation,
    ...of('metrics'),
    token: config.metricsToken,
    otlpEndpoint: config.otlpEndpoint,
    tapLog: opened.logger.tap,
    traffic: logs.services.traffic,
    outcomes: logs.services.outcomes,
    isCircuitOpen: (id) => relay.services.isCircuitOpen(id),
    active: () => relay.services.gateway.active,
  });
  const catalog = createCatalogModule({
    ...common,
    ...of('site'),
    prices: () => relay.services.policy().prices,
    videoRatios: () => relay.services.policy().videoRatios,
    served: (given) => servedModels(channels.services.routing.all(), given),
    modelEnds: () => lastEnds(channels.services.routing.all()),
  });
  const notices = createNoticesModule({
    ...common,
    ...of('notices'),
    findRoot: () => setup.services.findRoot(),
  });
  const createFirstToken = async (userId: number, username: string): Promise<void> => {
    if (!config.generateDefaultToken) return;
    // The account exists: its owner can make a token, too.
    await tokens.services
      .createFirst(userId, translate(siteLanguage(), 'token.first', { name: username }))
      .catch((error: unknown) =>
        logger.error({ error, user: userId }, 'the first token of an account could not be created'),
      );
  };
  const accounts = createAccountsModule({
    ...common,
    ...of('accounts'),
    baseUrl,
    writeLog,
    guard,
    createFirstToken,
    deleteFiles: (userId) => files.services.deleteOf(userId),
    deferred: billing.services.deferred,
    mailer: notices.services.mailer,
    sms: notices.services.sms,
  });
  const playground = createPlaygroundModule({ ...common, ...of('accounts') });
  const tokens = createTokensModule({ ...common, ...of('accounts'), catalog: catalog.services });
  const budgets = await createBudgetsModule({
    ...common,
    ...of('budgets'),
    routes: notices.services.routes,
  });
  const payments = createPaymentsModule({
    ...common,
    ...of('payments'),
    writeLog,
    notices: notices.services.root,
    baseUrl,
  });
  const files = createFilesModule({
    ...common,
    ...of('files'),
    guard,
    baseUrl,
    sourceOf: ({ privateData }) => readPrivate(privateData).result_url ?? '',
    isIcon: (address) => catalog.services.square.hasIcon(address),
  });
  const channels = await createChannelsModule({
    ...common,
    ...of('channels'),
    providers,
    notices: notices.services.channels,
    testChannel: (...test) => relay.services.testChannel(...test),
    accountCalls: {
      listModels: (channel) => relay.services.accountCalls.listModels(channel),
      describeModels: (channel) => relay.services.accountCalls.describeModels(channel),
      fetchText: (...request) => relay.services.accountCalls.fetchText(...request),
      readBalance: (channel, signal) => relay.services.accountCalls.readBalance(channel, signal),
    },
    findTester: async () => (setup.services.isSetUp() ? setup.services.findOperator('') : null),
    idsInState: logs.services.channelsInState,
  });
  const tasks = createTasksModule({
    ...common,
    ...of('tasks'),
    changes,
    writeLog,
    guard,
    providers,
    providerOptions: () => relay.services.policy().provider,
    baseUrl,
    results: files.services.results,
    keepImages: files.services.keepImages,
  });
  const setup = await createSetupModule({
    ...common,
    ...of('site'),
    tokens: tokens.services,
    deferred: billing.services.deferred,
    port: () => listening.port,
  });
  // What is no address was named when the settings were read.
  const clientAddress = createClientAddress(config.trustedProxies, () => undefined);
  const relay = await createRelayModule({
    ...foundation,
    ...of('relay'),
    baseUrl,
    options,
    siteLanguage,
    changes,
    guard,
    providers,
    tasks: tasks.services.engine,
    videos: tasks.services.videos,
    drawingImages: tasks.services.drawingImages,
    imageTasks: tasks.services.images,
    images: files.services.forUpstream,
    results: files.services.results,
    routing: channels.services.routing,
    givenTypes: catalog.services.givenTypes,
    directory: tokens.services.directory,
    consoleLogin: accounts.services.consoleLogin,
    traffic: metrics.services.traffic,
    outcomes: metrics.services.outcomes,
    tracer: metrics.services.tracer,
    clientAddress,
    notices: notices.services.channels,
    quotaWarnings: notices.services.quota,
    budgets: budgets.services.gate,
    serves,
  });

  const losses = createLossesModule({
    ...common,
    ...of('billing'),
    notices: notices.services,
    channels: () => channels.services.routing.all(),
    prices: () => relay.services.policy().prices,
  });

  const doctor = createDoctorModule({
    ...common,
    ...of('site'),
    catalog: catalog.services,
    losses: losses.services,
    isCircuitOpen: (id) => relay.services.isCircuitOpen(id),
    endingModels: channels.services.endingModels,
    ledgerQueue: () => billing.services.queue(),
    verifyLedger: () => billing.services.verify(),
    seals: () => billing.services.seals(),
    isServing: () => isServing,
    lateJobs: () => lateJobs(),
    nodes: () => nodes.services.list(),
    baseUrlOf: ({ type, baseUrl }) => baseUrl || (providers.forType(type)?.defaultBaseUrl ?? ''),
  });

  const priceSync = createPriceSyncModule({
    ...common,
    ...of('billing'),
    offered: () => [...channels.services.routing.all()].flatMap(({ models }) => models),
    fetchText: (...request) => relay.services.accountCalls.fetchText(...request),
    losses: losses.services,
    leases: cluster.leases,
    findActor: async () => (setup.services.isSetUp() ? setup.services.findOperator('') : null),
  });

  const siteConfig = createSiteConfigModule({
    ...common,
    ...of('site'),
    catalog: catalog.services,
    channels: channels.services,
    budgets: budgets.services,
  });

  const maintenance = createMaintenanceModule({
    ...common,
    ...of('storage'),
    notify: (notice) => notices.services.root.notify(notice),
  });

  const modules: readonly ServiceModule<unknown>[] = [
    follower,
    nodes,
    audit,
    site,
    billing,
    logs,
    metrics,
    notices,
    accounts,
    playground,
    tokens,
    budgets,
    payments,
    files,
    channels,
    // After the channels: it follows a change when the routing index has.
    catalog,
    losses,
    priceSync,
    tasks,
    setup,
    relay,
    doctor,
    maintenance,
    siteConfig,
  ];
  follower.services.follow(modules.flatMap((module) => module.caches ?? []));
  const backgroundJobs = modules.flatMap((module) => module.jobs ?? []);
  const jobs = createJobRunner({
    cluster,
    clock,
    ids,
    ...of('jobs'),
    jobs: backgroundJobs,
    isLeaving: nodes.services.isLeaving,
  });
  const lateJobs = async () => (await jobs.report()).filter(({ isLate }) => isLate);

  return {
    config,
    version,
    startedAt,
    clock,
    ids,
    logger,
    cluster,
    siteLanguage,
    clientAddress,
    baseUrl,
    setListening: (address: { port: number; url: string }) => {
      listening = address;
      isServing = true;
    },
    jobs,
    backgroundJobs,
    nodes: nodes.services,
    nodeWishes: createNodeWishes({ nodes: nodes.services, commit }),
    /** Every cache that the modules keep, in the order in which they follow changes. */
    caches: modules.flatMap((module) => module.caches ?? []),
    /** Brings memory up to date with the database now (docs/rules/process.md#reconciliation). */
    reconcile: follower.services.reconcile,
    audit: audit.services,
    site: site.services,
    billing: billing.services,
    logs: logs.services,
    metrics: metrics.services,
    catalog: catalog.services,
    notices: notices.services,
    accounts: accounts.services,
    playground: playground.services,
    tokens: tokens.services,
    budgets: budgets.services,
    payments: payments.services,
    files: files.services,
    channels: channels.services,
    losses: losses.services,
    priceSync: priceSync.services,
    taskLists: createTaskLists(foundation),
    setup: setup.services,
    tasks: tasks.services,
    relay: relay.services,
    doctor: doctor.services,
    siteConfig: siteConfig.services,
    /** Stops background work, writes pending postings and closes the database. */
    close: async (): Promise<void> => {
      await jobs.stop();
      await Promise.all(modules.map((module) => module.stop?.()));
      for (const module of [...modules].reverse()) await module.close?.();
      await foundation.close();
    },
  };
}
