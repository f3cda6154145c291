/** What calls upstreams and answers callers. {@link createRelayModule} loads it. */
import type { IncomingMessage } from 'node:http';
import type { ConsoleLogin } from '../accounts/console-login.ts';
import type { Ledger } from '../billing/index.ts';
import type { BudgetGate } from '../budgets/budget-gate.ts';
import type { ProviderRegistry } from '../canonical/registry.ts';
import type { AccountCalls } from '../channels/channel-account.ts';
import type { ChannelTester } from '../channels/channel-test.ts';
import type { GivenTypes } from '../channels/offered.ts';
import type { RoutingIndex } from '../channels/routing-index.ts';
import type { Changes } from '../cluster/changes.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { ClientAddress } from '../config/client-address.ts';
import type { Config } from '../config/schema.ts';
import type { ForUpstream } from '../files/for-upstream.ts';
import type { TaskResults } from '../files/results/task-results.ts';
import type { Language } from '../i18n/translate.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { OutcomeRecorder } from '../logs/outcome-recorder.ts';
import type { TrafficMeter } from '../logs/traffic-meter.ts';
import { createTokenCounter } from '../metering/token-counter.ts';
import type { Tracer } from '../metrics/tracer.ts';
import type { ChannelNotices } from '../notices/channel-notices.ts';
import type { QuotaWarnings } from '../notices/quota-warnings.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { ResponseKey, Storage } from '../storage/storage.ts';
import type { DrawingImages } from '../tasks/drawing-image.ts';
import type { ImageTasks } from '../tasks/images/image-tasks.ts';
import type { TaskEngine } from '../tasks/task-engine.ts';
import type { VideoTasks } from '../tasks/videos/video-tasks.ts';
import type { TokenDirectory } from '../tokens/token-directory.ts';
import { describeModels, fetchBalance, fetchModels, fetchText } from '../upstream/account.ts';
import type { ChannelRecord } from '../upstream/channel.ts';
import type { GuardPolicy } from '../upstream/guard.ts';
import { guardedConnector } from '../upstream/guarded-connector.ts';
import { prepareChannel } from '../upstream/prepare-channel.ts';
import { createUpstream } from '../upstream/send.ts';
import { openBackground } from './background/open-background.ts';
import { ThinkingBudget, ThinkingMemory } from './carry/thinking-memory.ts';
import { createChannelTester } from './channel-test/tester.ts';
import { LateReaders } from './client/late-readers.ts';
import { type RunKey, RunningImages } from './client/running-images.ts';
import { ContainerTime, mostContainers, type PaidContainer } from './container-time.ts';
import { createRelay } from './entry/relay.ts';
import { MemoryBudget, memoryLimits } from './memory.ts';
import type { RelayPolicy } from './policy.ts';
import type { Router } from './select/router.ts';
import { ConversationStore } from './stored-responses/conversation-store.ts';
import { createResponseStore } from './stored-responses/response-store.ts';
import { SummedTags } from './summed-tags.ts';

export interface EngineDeps {
  readonly config: Config;
  readonly guard: GuardPolicy;
  readonly storage: Storage;
  readonly databaseType: 'sqlite' | 'postgres';
  readonly ledger: Ledger;
  readonly routing: RoutingIndex;
  /** What the operator says in the model square that models are for. */
  readonly givenTypes: () => Promise<GivenTypes>;
  readonly directory: TokenDirectory;
  readonly consoleLogin: ConsoleLogin;
  readonly tasks: TaskEngine;
  readonly videos: VideoTasks;
  readonly drawingImages: DrawingImages;
  readonly imageTasks: ImageTasks;
  readonly results: Pick<TaskResults, 'open' | 'forward'>;
  readonly images: ForUpstream;
  readonly options: OptionStore;
  readonly changes: Changes;
  readonly cluster: Pick<Cluster, 'counter' | 'leases' | 'slidingLog' | 'topic' | 'values'>;
  readonly traffic: TrafficMeter;
  readonly outcomes: Pick<OutcomeRecorder, 'record'>;
  readonly tracer: Tracer | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly version: string;
  readonly baseUrl: () => string;
  readonly clientAddress: ClientAddress;
  readonly notices: ChannelNotices;
  readonly quotaWarnings: Pick<QuotaWarnings, 'note'>;
  readonly budgets: Pick<BudgetGate, 'windowsOf' | 'enterRates' | 'leastLeft' | 'budgets'>;
  readonly providers: ProviderRegistry;
  readonly siteLanguage: () => Language;
  readonly policy: () => RelayPolicy;
  readonly router: Router;
}

const megabyte = 1024 * 1024;
/** Milliseconds. */
const wholeReplyTimeout = 600_000;

export type Engine = ReturnType<typeof createEngine>;

/** Makes the relay, tests of channels and calls about accounts, over the same connections. */
export function createEngine(deps: EngineDeps) {
  const { config, clock, cluster, guard, policy, router } = deps;
  const upstream = createUpstream({
    ...(config.allowPrivateUpstream
      ? {}
      : { connect: guardedConnector({ ...guard, allowPrivate: false, ports: [] }) }),
    maxMessageBytes: config.maxStreamEventMb * megabyte,
  });
  const counter = createTokenCounter({ logger: deps.logger });
  const responses = createResponseStore({
    repository: deps.storage.storedResponses,
    clock,
    logger: deps.logger,
    isShared: deps.databaseType === 'postgres',
    days: () => policy().responseDays,
    mostBytes: () => policy().responseBytes,
  });
  const background = openBackground({
    repository: deps.storage.backgroundResponses,
    responses,
    topic: cluster.topic<ResponseKey>('background responses'),
    clock,
    logger: deps.logger,
    owner: deps.ids.hex(16),
    isShared: deps.databaseType === 'postgres',
    days: () => policy().responseDays,
    most: () => policy().backgroundResponses,
  });
  const conversations = new ConversationStore({
    repository: deps.storage.conversations,
    responses,
    leases: cluster.leases,
    ids: deps.ids,
    clock,
    days: () => policy().responseDays,
  });
  const thinkingBudget = new ThinkingBudget();
  const thinking = new ThinkingMemory(
    cluster.values<string>('thinking', thinkingBudget.most),
    deps.storage.vault,
    thinkingBudget,
  );
  const relayDeps = {
    ...deps,
    thinking,
    responses,
    background,
    conversations,
    counter,
    upstream,
    containers: new ContainerTime(
      cluster.values<PaidContainer>('containers', () => mostContainers),
    ),
    summedTags: new SummedTags(),
    lateReaders: new LateReaders(),
    runningImages: new RunningImages(cluster.topic<RunKey>('running images')),
    memory: new MemoryBudget(memoryLimits(config)),
    limits: {
      maxBodyBytes: config.maxRequestBodyMb * megabyte,
      maxReplyBytes: config.maxReplyMb * megabyte,
      maxEventBytes: config.maxStreamEventMb * megabyte,
      firstByteTimeout: config.firstByteTimeout * 1000,
      wholeReplyTimeout: config.relayTimeout > 0 ? config.relayTimeout * 1000 : wholeReplyTimeout,
      idleTimeout: config.streamingTimeout * 1000,
      retryWindow: config.retryWindow * 1000,
      maxFileBytes: config.maxFileDownloadMb * megabyte,
    },
    clientAddress: (request: Pick<IncomingMessage, 'headers' | 'socket'>) =>
      deps.clientAddress.find(
        request.socket.remoteAddress,
        headerText(request.headers['x-forwarded-for']),
      ),
  };
  const relay = createRelay(relayDeps, router);

  const accountDeps = { upstream, clock, options: () => policy().provider };
  const prepare = (record: ChannelRecord) => {
    const channel = prepareChannel(record, deps.providers);
    if (channel === undefined) throw new AppError('channel_type_unknown', { type: record.type });
    return channel;
  };
  const accountCalls: AccountCalls = {
    listModels: async (record) => fetchModels(prepare(record), accountDeps),
    describeModels: async (record) => describeModels(prepare(record), accountDeps),
    fetchText: (url, proxy) => fetchText(url, proxy, accountDeps),
    readBalance: async (record, signal) => fetchBalance(prepare(record), accountDeps, signal),
  };

  const test = createChannelTester(relayDeps);
  const testChannel: ChannelTester = async (id, ...rest) => {
    const result = await test(id, ...rest);
    if (result.ok) router.recovered(id);
    return result;
  };

  return {
    gateway: relay,
    testChannel,
    accountCalls,
    /** Deletes what has expired. */
    purge: async (signal: AbortSignal): Promise<void> => {
      await background.endLost(signal);
      await responses.purge(signal);
      await conversations.purge(signal);
    },
    renewBackground: () => background.renew(),
    close: async (): Promise<void> => {
      // What is still being counted is estimated at once, so that it is settled before the ledger
      // ends.
      await counter.close();
      await deps.ledger.drain();
      await relay.close();
      await responses.close();
      await upstream.close();
    },
  };
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}
