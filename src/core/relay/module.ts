/**
 * The upstream side of the program: relay, channel tests, account calls, and the policy they share.
 */
import type { AccountCalls } from '../channels/channel-account.ts';
import type { ChannelTester } from '../channels/channel-test.ts';
import type { Engine, EngineDeps } from './engine.ts';
import type { Relay } from './entry/relay.ts';
import { explainRoute } from './lookups/explain-route.ts';
import { cachedPolicy } from './policy.ts';
import { Affinity, type RememberedChannel, valuesPerConversation } from './select/affinity.ts';
import { Health } from './select/health.ts';
import type { HealthEvent } from './select/health-events.ts';
import { createRouter } from './select/router.ts';
import { createStoredHealth } from './select/stored-health.ts';
import { renewInterval } from './stored-responses/background-responses.ts';

export interface RelayModuleDeps extends Omit<EngineDeps, 'policy' | 'router'> {
  /**
   * False: a command, which relays nobody's requests; what calls upstreams is loaded with the
   * first call.
   */
  readonly serves: boolean;
}

/** Seconds between two writes of channel health: what a crash may lose. */
const healthInterval = 5;
/** Seconds that such a write may take. */
const healthTimeout = 30;

/** Seconds between two deletions of expired responses, and that one may take. */
const purgeInterval = 600;
const purgeTimeout = 300;

/** Of a process that serves nobody. */
const noGateway: Relay = {
  handle: () => false,
  handleUpgrade: (_request, socket) => socket.destroy(),
  active: 0,
  lastRequestAt: 0,
  leave: () => undefined,
  drain: async () => undefined,
  close: async () => undefined,
};

/** Resolves when the stored health of channels is read, and what serves is loaded. */
export async function createRelayModule(deps: RelayModuleDeps) {
  const { config, options, clock, cluster, routing } = deps;
  const policy = cachedPolicy(options, config);
  const topic = cluster.topic<HealthEvent>('channel health');
  const health = new Health(clock, topic);
  const affinity = new Affinity(
    cluster.values<RememberedChannel>(
      'affinity',
      () => (policy().affinity?.most ?? 0) * valuesPerConversation,
    ),
  );
  const router = createRouter({
    routing,
    clock,
    chance: () => deps.ids.chance(),
    health,
    affinity,
  });
  const storedHealth = createStoredHealth({
    health,
    topic,
    repository: deps.storage.channelHealth,
  });
  await storedHealth.restore();
  router.reindexed();
  let opened: Promise<Engine> | undefined;
  const engine = (): Promise<Engine> => {
    opened ??= import('./engine.ts')
      .then(({ createEngine }) => createEngine({ ...deps, policy, router }))
      .catch((error: unknown) => {
        opened = undefined; // the next call tries again
        throw error;
      });
    return opened;
  };
  const gateway = deps.serves ? (await engine()).gateway : noGateway;
  const accountCalls: AccountCalls = {
    listModels: async (record) => (await engine()).accountCalls.listModels(record),
    describeModels: async (record) => (await engine()).accountCalls.describeModels(record),
    fetchText: async (url, proxy) => (await engine()).accountCalls.fetchText(url, proxy),
    readBalance: async (record, signal) =>
      (await engine()).accountCalls.readBalance(record, signal),
  };
  const testChannel: ChannelTester = async (...test) => (await engine()).testChannel(...test);

  return {
    services: {
      /** Answers the requests of the relay's paths. */
      gateway,
      testChannel,
      explainRoute: (model: string, group: string) => explainRoute(routing, router, model, group),
      isCircuitOpen: router.isCircuitOpen,
      channelHealth: router.channelHealth,
      keyHealth: router.keyHealth,
      accountCalls,
      policy,
    },
    jobs: [
      {
        name: 'channel-health',
        interval: () => healthInterval,
        // Each process stores what it knows; all of them know the same.
        scope: 'process' as const,
        timeout: healthTimeout,
        run: () => storedHealth.save(),
      },
      {
        name: 'stored-responses',
        interval: () => purgeInterval,
        scope: 'gateway' as const,
        timeout: purgeTimeout,
        run: async (signal: AbortSignal) => (await engine()).purge(signal),
      },
      {
        name: 'background-responses',
        interval: () => renewInterval,
        scope: 'process' as const,
        timeout: renewInterval,
        run: async () => (await engine()).renewBackground(),
      },
    ],
    // The channels' own module has read the routing index anew by now.
    caches: [
      { name: 'channel health', kinds: ['channels' as const], follow: () => router.reindexed() },
    ],
    close: async (): Promise<void> => {
      if (opened === undefined) await deps.ledger.drain();
      else await (await opened).close();
      await storedHealth
        .save()
        .catch((error: unknown) =>
          deps.logger.error({ error }, 'the health of channels could not be stored'),
        );
    },
  };
}
