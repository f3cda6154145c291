import { z } from '../kernel/zod.ts';
import { endpoint, nothing } from './endpoint.ts';

const job = z.object({
  name: z.string(),
  /** Seconds between two runs; 0: off. */
  interval: z.number().int(),
  running: z.boolean(),
  /** Unix seconds; 0: not yet. */
  last_started_at: z.number().int(),
  /** Seconds. */
  last_duration: z.number(),
  /** Error of the last run. Empty: it succeeded, or there was none. */
  last_error: z.string(),
  /** Unix seconds; 0: none is planned. */
  next_run_at: z.number().int(),
  /** Start of the last run that succeeded, Unix seconds; 0: none. */
  last_succeeded_at: z.number().int(),
  /** It should have succeeded again by now (docs/rules/process.md#late-jobs). */
  late: z.boolean(),
});

export const jobsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/turnpike/jobs',
    access: 'admin',
    input: nothing,
    output: z.array(job),
    summary: 'Background jobs: last run, duration, last error, next run',
  }),
};
