/** Usage by tag (docs/rules/tags.md#sums). */
import { z } from '../kernel/zod.ts';
import { endpoint, queryBoolean } from './endpoint.ts';
import { figures, series, summaryRange } from './usage-range.ts';

/** Whose usage: as in the call `usage`. */
const input = summaryRange.extend({
  scope: z.enum(['site', 'self']).optional(),
  username: z.string().default(''),
  /** Only tags that begin with it. */
  begins: z.string().default(''),
});

const tagUsage = z.object({
  by: z.enum(['hour', 'day', 'week']),
  /** Where each span begins, Unix seconds; each ends where the next one begins. */
  starts: series,
  /**
   * By quota, the largest first, at most 100; a request counts for each of its tags. The tag '' has
   * those of many tags that are summed as one.
   */
  tags: z.array(
    figures.extend({
      tag: z.string(),
      spans: z.object({ count: series, quota: series, tokens: series }),
    }),
  ),
  /** Tags that are not listed. */
  more: z.number().int(),
  /** Of all requests, with and without tags. */
  totals: figures,
});
export type TagUsage = z.infer<typeof tagUsage>;

export const tagUsageCalls = {
  tags: endpoint({
    method: 'GET',
    path: '/api/turnpike/data/tags',
    access: 'user',
    input,
    output: tagUsage,
    summary: 'Usage by tag and time',
  }),
  exportTags: endpoint({
    method: 'GET',
    path: '/api/turnpike/data/tags/export',
    access: 'user',
    rate: 'critical',
    shape: 'file',
    input: input.extend({ bom: queryBoolean.default(false) }),
    output: z.string(),
    summary: 'Usage by tag and time as CSV',
  }),
};
