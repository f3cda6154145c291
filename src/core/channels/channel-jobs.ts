import type { Config } from '../config/schema.ts';
import { whenAborted } from '../kernel/abort.ts';
import type { Actor } from '../kernel/actor.ts';
import { AppError } from '../kernel/errors.ts';
import type { BackgroundJob } from '../runtime/background-job.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { ChannelAccounts } from './channel-account.ts';
import type { ChannelTests } from './channel-test.ts';

export interface ChannelJobDeps {
  readonly config: Pick<Config, 'channelTestFrequency' | 'channelUpdateFrequency'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly tests: Pick<ChannelTests, 'startAll' | 'finished'>;
  readonly accounts: Pick<ChannelAccounts, 'startAllBalances' | 'finished'>;
  /** Null before the site is set up. */
  readonly findTester: () => Promise<Actor | null>;
}

/** Seconds that a run over all channels may take. */
const runTimeout = 24 * 3600;

/** Tests and balances of all channels (docs/rules/process.md#background-jobs). */
export function createChannelJobs({
  config,
  options,
  tests,
  accounts,
  findTester,
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
  ];
}
