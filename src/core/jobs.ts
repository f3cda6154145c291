/** What runs by itself: name, how often, what (spec, accounts-and-payments 15.3). */
import type { App } from './app.ts';
import { nowSeconds } from './kernel/clock.ts';

interface Job {
  readonly name: string;
  /** Seconds between two runs; 0: switched off. */
  readonly every: number;
  readonly run: (app: App) => Promise<void>;
}

function listJobs(app: App): readonly Job[] {
  const { storage, clock, config } = app;
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
      every: config.channelTestFrequency * 60,
      run: async () => {
        if (app.setup.isSetUp()) await app.channelTests.startAll(await app.findOperator(''));
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
