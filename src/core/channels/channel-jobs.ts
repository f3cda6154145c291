import type { Leases } from '../cluster/cluster.ts';
import type { Config } from '../config/schema.ts';
import { whenAborted } from '../kernel/abort.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, dayOf } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { ChannelNotices } from '../notices/channel-notices.ts';
import type { BackgroundJob } from '../runtime/background-job.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { ChannelAccounts } from './channel-account.ts';
import type { ChannelTests } from './channel-test.ts';
import { type EndingModel, noticeDays } from './model-ends.ts';
import type { ModelSync } from './model-sync.ts';

export interface ChannelJobDeps {
  readonly config: Pick<Config, 'channelTestFrequency' | 'channelUpdateFrequency'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly tests: Pick<ChannelTests, 'startAll' | 'finished'>;
  readonly accounts: Pick<ChannelAccounts, 'startAllBalances' | 'finished'>;
  /** Null before the site is set up. */
  readonly findTester: () => Promise<Actor | null>;
  readonly endingModels: () => readonly EndingModel[];
  /** What the daily look at lists of models found. */
  readonly lookForModels: ModelSync['look'];
  readonly notices: Pick<ChannelNotices, 'modelsEnd' | 'modelsChanged'>;
  readonly leases: Leases;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
}

/** Seconds that a run over all channels may take. */
const runTimeout = 24 * 3600;

/** Seconds between looks for models that end, and what one may take. */
const endsInterval = 3600;
const endsTimeout = 60;
/** Seconds between looks for new models, and what one may take. */
const syncInterval = 24 * 3600;
const syncTimeout = 1800;
/** Milliseconds for which a notice is not sent again: longer than the end lies ahead. */
const noticeOnceIn = 2 * noticeDays * 24 * 3600_000;
/** Milliseconds for which a notice counts as being sent: after a crash it is sent again then. */
const sendingFor = 1800_000;

/** Work on all channels (docs/rules/process.md#background-jobs). */
export function createChannelJobs({
  config,
  options,
  tests,
  accounts,
  findTester,
  endingModels,
  lookForModels,
  notices,
  leases,
  clock,
  ids,
}: ChannelJobDeps): readonly BackgroundJob[] {
  /**
   * The interval from the environment, else from the site's options, which may change at any time.
   * Minutes; 0: off.
   */
  const testMinutes = (): number => {
    if (config.channelTestFrequency > 0) return config.channelTestFrequency;
    const enabled = options.get('monitor_setting.auto_test_channel_enabled');
    return enabled ? options.get('monitor_setting.auto_test_channel_minutes') : 0;
  };
  return [
    {
      name: 'channel-tests',
      interval: () => testMinutes() * 60,
      scope: 'gateway',
      timeout: runTimeout,
      run: async (signal) => {
        const tester = await findTester();
        if (tester === null) return;
        try {
          await tests.startAll(tester);
        } catch (error) {
          // A run that an administrator started is active, in this process or another.
          if (!(error instanceof AppError) || error.code !== 'channel_test_running') throw error;
        }
        await Promise.race([tests.finished(), whenAborted(signal)]);
      },
    },
    {
      name: 'channel-balances',
      interval: () => config.channelUpdateFrequency * 60,
      scope: 'gateway',
      timeout: runTimeout,
      run: async (signal) => {
        accounts.startAllBalances();
        await Promise.race([accounts.finished(), whenAborted(signal)]);
      },
    },
    {
      name: 'model-ends',
      interval: () => endsInterval,
      scope: 'gateway',
      timeout: endsTimeout,
      run: async () => {
        const today = dayOf(clock.now());
        const owner = ids.uuid();
        const leaseOf = ({ ends, model }: EndingModel) => `end.${ends}.${model}`;
        const due: EndingModel[] = [];
        for (const ending of endingModels())
          if (
            ending.ends > today &&
            (await leases.acquire(leaseOf(ending), owner, sendingFor, noticeOnceIn))
          )
            due.push(ending);
        if (due.length === 0) return;
        notices.modelsEnd(due, async (isSent) => {
          for (const ending of due)
            if (isSent) await leases.acquire(leaseOf(ending), owner, noticeOnceIn);
            else await leases.release(leaseOf(ending), owner);
        });
      },
    },
    {
      name: 'model-sync',
      interval: () => (options.get('model_sync.enabled') ? syncInterval : 0),
      scope: 'gateway',
      timeout: syncTimeout,
      run: async () => {
        const operator = await findTester();
        if (operator === null) return;
        await lookForModels(operator, notices.modelsChanged);
      },
    },
  ];
}
