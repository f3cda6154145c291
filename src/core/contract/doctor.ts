import { z } from 'zod';
import { endpoint, nothing } from './endpoint.ts';

const examined = z.object({
  /** The check. */
  id: z.string(),
  title: z.string(),
  level: z.enum(['ok', 'warning', 'problem']),
  /** What was found; '' where nothing was. */
  message: z.string(),
  /** What mends it. */
  mend: z.string(),
});
export type ExaminedEntity = z.infer<typeof examined>;

export const doctorApi = {
  examine: endpoint({
    method: 'GET',
    path: '/api/turnpike/doctor',
    access: 'root',
    input: nothing,
    output: z.object({ items: z.array(examined), total: z.number().int() }),
    summary: 'Examine the site: data folder, database, clock, options, channels, prices, ledger',
  }),
};
