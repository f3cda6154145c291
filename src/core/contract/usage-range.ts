/** What the calls about usage over time share. */
import { z } from '../kernel/zod.ts';
import { seconds } from './endpoint.ts';

/** What a span of time is; by default as the site's DataExportDefaultTime says. */
export const summaryRange = z.object({
  /** Default: a day before the end. */
  start_timestamp: seconds.default(0),
  /** Default: now. */
  end_timestamp: seconds.default(0),
  by: z.enum(['hour', 'day', 'week']).optional(),
  /** IANA name; days begin at its midnight, weeks on its Monday. */
  zone: z.string().default('UTC'),
});
export const figures = z.object({
  count: z.number().int(),
  quota: z.number().int(),
  tokens: z.number().int(),
});
/** One figure per span. */
export const series = z.array(z.number().int());
