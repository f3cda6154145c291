import { z } from '../kernel/zod.ts';
import { endpoint } from './endpoint.ts';

const examined = z.object({
  /** The check. */
  id: z.string(),
  title: z.string(),
  level: z.enum(['ok', 'warning', 'problem']),
  /** What was found; '' where nothing was. */
  message: z.string(),
  /** What follows from it. */
  why: z.string(),
  /** What mends it. */
  mend: z.string(),
});
export type ExaminedEntity = z.infer<typeof examined>;

export const doctorApi = {
  examine: endpoint({
    method: 'GET',
    path: '/api/turnpike/doctor',
    access: 'root',
    input: z.object({
      /**
       * Also compare the clock with that of this channel's upstream, by a request without
       * credentials.
       */
      clock_channel: z.coerce.number().int().positive().optional(),
    }),
    output: z.object({ items: z.array(examined), total: z.number().int() }),
    summary:
      'Examine the site: data folder, backups, database, clock, exposure, options, channels, prices, ledger',
  }),
};
