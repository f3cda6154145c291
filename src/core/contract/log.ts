import { z } from 'zod';
import { logFilters } from '../entities/log-filters.ts';
import { activityCalls } from './activity.ts';
import { endpoint, id, nothing, pageOf, pageQuery, queryBoolean, seconds } from './endpoint.ts';
import { logEntity } from './entities.ts';
import { filterSchema } from './filter-schema.ts';
import { logArchiveCalls } from './log-archive.ts';
import { tagUsageCalls } from './tag-usage.ts';
import { figures, series, summaryRange } from './usage-range.ts';

const ownFilters = filterSchema(logFilters, 'owner');
const allFilters = filterSchema(logFilters, 'admins');
const outcomeSums = z.object({
  succeeded: z.number().int(),
  /** Failed because of an upstream or the gateway. */
  failed: z.number().int(),
  /** Refused for a fault of the caller. */
  refused: z.number().int(),
  /** Error rows that were not written, because there were too many. */
  unlogged: z.number().int(),
});
export type OutcomeSums = z.infer<typeof outcomeSums>;
const statistics = z.object({
  quota: z.number().int(),
  rpm: z.number().int(),
  tpm: z.number().int(),
});

const pruneStatus = z.object({
  /** `idle`: none since the process started. */
  state: z.enum(['idle', 'running', 'done', 'stopped', 'failed']),
  /** Rows older than this are deleted, Unix seconds. */
  before: z.number().int(),
  /** Rows to delete, as counted at the start. */
  total: z.number().int(),
  deleted: z.number().int(),
  /** Unix seconds; 0: not yet. */
  started_at: z.number().int(),
  finished_at: z.number().int(),
});
export type PruneStatus = z.infer<typeof pruneStatus>;

const exportInput = allFilters.extend({
  format: z.enum(['csv', 'jsonl']),
  /** CSV begins with a byte order mark, which Excel needs to read it as UTF-8. */
  bom: queryBoolean.default(false),
  /** Administrators export the rows of all users unless it is `self`. */
  scope: z.enum(['site', 'self']).optional(),
});

export const logApi = {
  ...logArchiveCalls,
  list: endpoint({
    method: 'GET',
    path: '/api/log/',
    access: 'admin',
    input: pageQuery.extend(allFilters.shape),
    output: pageOf(logEntity),
    summary: 'Usage logs of all users',
  }),
  listSelf: endpoint({
    method: 'GET',
    path: '/api/log/self',
    access: 'user',
    input: pageQuery.extend(ownFilters.shape),
    output: pageOf(logEntity),
    summary: 'My usage logs',
  }),
  stat: endpoint({
    method: 'GET',
    path: '/api/log/stat',
    access: 'admin',
    input: allFilters,
    output: statistics,
    summary: 'Sum of quota in a range; requests and tokens of the last minute',
  }),
  statSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/stat',
    access: 'user',
    input: ownFilters,
    output: statistics,
    summary: 'Sum of my quota in a range; my requests and tokens of the last minute',
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/log/search',
    access: 'admin',
    input: z.object({ keyword: z.string().default('') }),
    output: z.array(logEntity),
    summary: 'At most 100 logs whose type is the keyword or whose content begins with it',
  }),
  searchSelf: endpoint({
    method: 'GET',
    path: '/api/log/self/search',
    access: 'user',
    input: z.object({ keyword: z.string().default('') }),
    output: z.array(logEntity),
    summary: 'At most 100 of my logs whose type is the keyword',
  }),
  ofToken: endpoint({
    method: 'GET',
    path: '/api/log/token',
    access: 'visitor',
    rate: 'critical',
    cors: true,
    /**
     * The sk- key comes in the header `Authorization`; clients of One API and New API put it into
     * the query.
     */
    input: pageQuery.extend({ key: z.string().default('') }),
    output: z.array(logEntity),
    summary: 'Logs of the token whose key is given',
  }),
  prune: endpoint({
    method: 'DELETE',
    path: '/api/log/',
    access: 'admin',
    input: z.object({ target_timestamp: seconds.default(0) }),
    output: z.number().int(),
    summary: 'Delete logs older than a time and wait for it; the ledger stays',
  }),
  startPrune: endpoint({
    method: 'POST',
    path: '/api/turnpike/log/prune',
    access: 'admin',
    input: z.object({ target_timestamp: seconds.default(0) }),
    output: pruneStatus,
    summary: 'Delete logs older than a time in the background',
  }),
  pruneStatus: endpoint({
    method: 'GET',
    path: '/api/turnpike/log/prune',
    access: 'admin',
    input: nothing,
    output: pruneStatus,
    summary: 'How far the deletion of logs is',
  }),
  stopPrune: endpoint({
    method: 'DELETE',
    path: '/api/turnpike/log/prune',
    access: 'admin',
    input: nothing,
    output: pruneStatus,
    summary: 'Stop the deletion of logs; what is deleted stays deleted',
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/turnpike/log/export',
    access: 'user',
    rate: 'critical',
    shape: 'file',
    input: exportInput,
    output: z.string(),
    summary: 'Usage logs as CSV or JSON lines, newest first: my own, or for administrators all',
  }),
  tail: endpoint({
    method: 'GET',
    path: '/api/turnpike/log/tail',
    access: 'admin',
    /** Rows with an id above `after`, oldest first, at most 200; after = 0: the newest 50. */
    input: allFilters
      .pick({ username: true, model_name: true })
      .extend({ after: z.coerce.number<number>().int().min(0).default(0) }),
    output: z.array(logEntity),
    summary: 'Live tail of the usage logs',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/turnpike/log/:id',
    access: 'admin',
    input: z.object({ id }),
    output: logEntity,
    summary: 'One log row',
  }),
};

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
