import type { App } from '../../core/app.ts';
import type { jobsApi } from '../../core/contract/jobs.ts';
import type { Handlers } from './context.ts';

export function jobHandlers(app: App) {
  return { jobs: backgroundJobHandlers(app) };
}

function backgroundJobHandlers({ jobs }: App): Handlers<typeof jobsApi> {
  const seconds = (ms: number) => Math.floor(ms / 1000);
  return {
    list: async () =>
      (await jobs.report()).map(({ name, interval, running, last, nextRunAt }) => ({
        name,
        interval,
        running,
        last_started_at: seconds(last?.startedAt ?? 0),
        last_duration: (last?.durationMs ?? 0) / 1000,
        last_error: last?.error ?? '',
        next_run_at: seconds(nextRunAt),
      })),
  };
}
