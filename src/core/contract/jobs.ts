import { z } from 'zod';
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
