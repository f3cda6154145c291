import { logFilters } from '../entities/log-filters.ts';
import { z } from '../kernel/zod.ts';
import { endpoint, id, nothing, pageOf, pageQuery, queryBoolean, seconds } from './endpoint.ts';
import { logEntity } from './entities.ts';
import { filterSchema } from './filter-schema.ts';
import { logArchiveCalls } from './log-archive.ts';

const ownFilters = filterSchema(logFilters, 'owner');
const allFilters = filterSchema(logFilters, 'admins');
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
