import { z } from '../kernel/zod.ts';
import { activityCalls } from './activity.ts';
import { endpoint, seconds } from './endpoint.ts';
import { tagUsageCalls } from './tag-usage.ts';
import { figures, series, summaryRange } from './usage-range.ts';

const outcomeSums = z.object({
  succeeded: z.number().int(),
  /** Failed because of an upstream or the gateway. */
  failed: z.number().int(),
  /** Refused for a fault of the caller. */
  refused: z.number().int(),
  /** Error rows that were not written, because there were too many. */
  unlogged: z.number().int(),
});

const dataRow = z.object({
  id: z.number().int(),
  user_id: z.number().int(),
  username: z.string(),
  model_name: z.string(),
  /** Start of the hour, Unix seconds. */
  created_at: z.number().int(),
  token_used: z.number().int(),
  count: z.number().int(),
  quota: z.number().int(),
});
const range = z.object({
  start_timestamp: seconds.default(0),
  end_timestamp: seconds.default(0),
  default_time: z.string().optional(),
});

const usageSummary = z.object({
  by: z.enum(['hour', 'day', 'week']),
  /** Where each span begins, Unix seconds; each ends where the next one begins. */
  starts: series,
  /**
   * By quota, the largest first; the figures of `spans` are one per span, 0 where there was no
   * request.
   */
  models: z.array(
    figures.extend({
      model_name: z.string(),
      spans: z.object({ count: series, quota: series, tokens: series }),
    }),
  ),
  totals: figures,
  /** Of the range of the same length before. */
  before: figures,
  outcomes: outcomeSums,
  /**
   * From the ledger: when the first span began, and at the end of each that has begun; null for all
   * users.
   */
  balance: z.object({ opening: z.number().int(), closing: series }).nullable(),
});
export type UsageSummary = z.infer<typeof usageSummary>;

const margin = z.object({
  count: z.number().int(),
  /** Quota charged. */
  quota: z.number().int(),
  tokens: z.number().int(),
  /** How much of `quota`, and how many requests, have a known cost. */
  costed_quota: z.number().int(),
  costed_count: z.number().int(),
  /** Quota, with up to three decimals, of those requests; null: nothing is known. */
  cost: z.number().nullable(),
  /** `costed_quota` − `cost`. */
  margin: z.number().nullable(),
  /** `margin` ÷ `costed_quota`; null also where nothing was charged. */
  share: z.number().nullable(),
});
export type Margin = z.infer<typeof margin>;
const marginSummary = z.object({
  by: z.enum(['hour', 'day', 'week']),
  starts: series,
  totals: margin,
  channels: z.array(
    margin.extend({
      /** 0: requests of before channels were counted. */
      channel: z.number().int(),
      /** Empty: it was deleted. */
      name: z.string(),
      type: z.number().int(),
      /** Whether the channel names its cost now. */
      names_cost: z.boolean(),
      models: z.array(margin.extend({ model_name: z.string() })),
    }),
  ),
  /** One per span. */
  spans: z.array(margin),
});
export type MarginSummary = z.infer<typeof marginSummary>;

export const dataApi = {
  usage: endpoint({
    method: 'GET',
    path: '/api/turnpike/data/usage',
    access: 'user',
    /**
     * Administrators see the whole site unless scope is self or a user is named; others see their
     * own.
     */
    input: summaryRange.extend({
      scope: z.enum(['site', 'self']).optional(),
      username: z.string().default(''),
    }),
    output: usageSummary,
    summary: 'Usage by time and model, and the balance over time',
  }),
  ...activityCalls,
  ...tagUsageCalls,
  margins: endpoint({
    method: 'GET',
    path: '/api/turnpike/data/margins',
    access: 'admin',
    input: summaryRange,
    output: marginSummary,
    summary: 'Revenue, cost and margin by channel, model and time',
  }),
  outcomes: endpoint({
    method: 'GET',
    path: '/api/turnpike/data/outcomes',
    access: 'user',
    /** Administrators see the whole site unless scope is self. Whole hours count. */
    input: range
      .omit({ default_time: true })
      .extend({ scope: z.enum(['site', 'self']).optional() }),
    output: outcomeSums,
    summary: 'How requests ended',
  }),
  all: endpoint({
    method: 'GET',
    path: '/api/data/',
    access: 'admin',
    input: range.extend({ username: z.string().default('') }),
    output: z.array(dataRow),
    summary: 'Hourly usage by model, or of one user',
  }),
  self: endpoint({
    method: 'GET',
    path: '/api/data/self',
    access: 'user',
    input: range,
    output: z.array(dataRow),
    summary: 'My hourly usage',
  }),
};
