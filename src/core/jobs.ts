/** What runs by itself: name, how often, what (spec, accounts-and-payments 15.3). */
import type { App } from './app.ts';
import { type Clock, nowSeconds } from './kernel/clock.ts';
import { AppError } from './kernel/errors.ts';

interface Job {
  readonly name: string;
  /** Seconds between two runs; 0: switched off. */
  readonly every: number;
  readonly run: (app: App) => Promise<void>;
}

/** Seconds between two looks at what the site's options want. */
const tick = 60;

/** Whether something that happens every so many minutes is due; then it counts as done. 0 minutes: never. */
function createRhythm(clock: Clock): (minutes: number) => boolean {
  let last = clock.now();
  return (minutes) => {
    // A tick that comes a moment early is not put off by a whole one.
    if (minutes === 0 || clock.now() - last < (minutes * 60 - tick / 2) * 1000) return false;
    last = clock.now();
    return true;
  };
}

/** The machine's rhythm, else the site's, which may change at any time. Minutes; 0: never. */
function testMinutes({ config, options }: App): number {
  if (config.channelTestFrequency > 0) return config.channelTestFrequency;
  const enabled = options.get('monitor_setting.auto_test_channel_enabled');
  return enabled ? options.get('monitor_setting.auto_test_channel_minutes') : 0;
}

async function testChannels(app: App): Promise<void> {
  if (!app.setup.isSetUp()) return;
  try {
    await app.channelTests.startAll(await app.findOperator(''));
  } catch (error) {
    // Somebody, here or on another node, is at it already.
    if (!(error instanceof AppError) || error.code !== 'channel_test_running') throw error;
  }
}

function listJobs(app: App): readonly Job[] {
  const { storage, clock, config } = app;
  const isTestDue = createRhythm(clock);
  return [
    {
      name: 'purge of logins and codes',
      every: 600,
      run: async () => {
        await storage.sessions.purge(nowSeconds(clock));
        await storage.verificationCodes.purge(nowSeconds(clock));
      },
    },
    {
      name: 'channel test',
      every: tick,
      run: async () => {
        if (isTestDue(testMinutes(app))) await testChannels(app);
      },
    },
    {
      name: 'channel balances',
      every: config.channelUpdateFrequency * 60,
      run: async () => app.channelAccounts.startAllBalances(),
    },
  ];
}

/** Starts every job's rhythm; the first run comes after the first pause. */
export function startJobs(app: App): { stop(): void } {
  const stopping = new AbortController();
  const repeat = async ({ name, every, run }: Job): Promise<void> => {
    while (!stopping.signal.aborted) {
      await app.clock.sleep(every * 1000, stopping.signal);
      try {
        await run(app);
      } catch (error) {
        app.logger.error({ error, job: name }, 'a background job failed');
      }
    }
  };
  for (const job of listJobs(app)) {
    if (job.every > 0) void repeat(job).catch(() => {}); // the only rejection is the stop
  }
  return { stop: () => stopping.abort(new Error('stopping')) };
}
