import { z } from 'zod';
import { byId, endpoint, id, nothing, pageOf, pageQuery } from './endpoint.ts';
import { auditEntity, ledgerEntity, tokenEntity } from './entities.ts';
import { tokenEdits, tokenFields } from './token.ts';

const lane = z.object({
  id: z.number().int(),
  name: z.string(),
  type: z.number().int(),
  status: z.number().int(),
  /** Milliseconds until the first byte, mean of the recent requests; 0: none yet. */
  response_time: z.number().int(),
  /** The last 20 attempts, oldest first: 0 fine, 1 slow, 2 failed. */
  recent: z.array(z.number().int()),
  /** Why the gateway switched it off, and when; empty and 0 otherwise. */
  status_reason: z.string(),
  status_time: z.number().int(),
  requests: z.number().int(),
  /** The circuit breaker keeps traffic away for now. */
  tripped: z.boolean(),
});

/** Everything a live screen shows at once (dashboard, `turnpike tui`). Figures of this process start with it. */
export const overview = z.object({
  started_at: z.number().int(),
  version: z.string(),
  base_url: z.string(),
  rpm: z.number().int(),
  tpm: z.number().int(),
  /** Quota charged and requests since midnight, server time. */
  spent_today: z.number().int(),
  requests_today: z.number().int(),
  /** Since the process started: attempts that ended well and badly, prompt tokens and those read from caches. */
  succeeded: z.number().int(),
  failed: z.number().int(),
  prompt_tokens: z.number().int(),
  cached_tokens: z.number().int(),
  /** Requests of each of the last 60 minutes, oldest first. */
  requests_by_minute: z.array(z.number().int()),
  /** Today's spending by model, largest first, at most 8. */
  models: z.array(z.object({ model_name: z.string(), quota: z.number().int(), count: z.number().int() })),
  lanes: z.array(lane),
});
export type Overview = z.infer<typeof overview>;
export type Lane = z.infer<typeof lane>;

/** A run over the channels, or the last one of this process. Times in Unix seconds; 0: never. */
const run = z.object({
  running: z.boolean(),
  total: z.number().int(),
  done: z.number().int(),
  failed: z.number().int(),
  started_at: z.number().int(),
  ended_at: z.number().int(),
});

const drift = z.object({
  /** `user`: the balance differs from its postings. `token`: used + remaining differs from what was granted. */
  account: z.enum(['user', 'token']),
  id: z.number().int(),
  name: z.string(),
  expected: z.number().int(),
  actual: z.number().int(),
  drift: z.number().int(),
});
export const ledgerVerification = z.object({
  ok: z.boolean(),
  users: z.number().int(),
  postings: z.number().int(),
  /** Sum of all postings. */
  sum: z.number().int(),
  /** Holds that no running request owns. */
  stale_holds: z.number().int(),
  drifts: z.array(drift),
});

/** Calls the family lacks (design, product 8). */
export const turnpikeApi = {
  overview: endpoint({
    method: 'GET',
    path: '/api/turnpike/overview',
    access: 'user',
    /** Admins see the whole site unless scope is self. */
    input: z.object({ scope: z.enum(['site', 'self']).optional() }),
    output: overview,
    summary: 'Live figures and channel health',
  }),
  ledgerVerify: endpoint({
    method: 'GET',
    path: '/api/turnpike/ledger/verify',
    access: 'admin',
    input: nothing,
    output: ledgerVerification,
    summary: 'Recompute every balance from its postings',
  }),
  ledgerList: endpoint({
    method: 'GET',
    path: '/api/turnpike/ledger',
    access: 'admin',
    input: pageQuery.extend({ user_id: id.optional() }),
    output: pageOf(ledgerEntity),
    summary: 'Postings, newest first',
  }),
  ledgerSelf: endpoint({
    method: 'GET',
    path: '/api/turnpike/ledger/self',
    access: 'user',
    input: pageQuery,
    output: pageOf(ledgerEntity),
    summary: 'My postings, newest first',
  }),
  auditList: endpoint({
    method: 'GET',
    path: '/api/turnpike/audit',
    access: 'root',
    input: pageQuery.extend({ action: z.string().default(''), actor_id: id.optional() }),
    output: pageOf(auditEntity),
    summary: 'What administrators changed, newest first',
  }),
  tokens: endpoint({
    method: 'GET',
    path: '/api/turnpike/token',
    access: 'admin',
    input: pageQuery.extend({ user_id: id.optional(), keyword: z.string().default('') }),
    output: pageOf(tokenEntity.extend({ username: z.string() })),
    summary: 'Tokens of everybody, keys masked',
  }),
  token: endpoint({
    method: 'GET',
    path: '/api/turnpike/token/:id',
    access: 'admin',
    input: byId,
    output: tokenEntity.extend({ username: z.string() }),
    summary: 'One token of anybody, key masked',
  }),
  createToken: endpoint({
    method: 'POST',
    path: '/api/turnpike/token',
    access: 'admin',
    /** `user`: id or user name; absent: oneself. */
    input: tokenFields.extend({ user: z.string().optional() }),
    output: tokenEntity,
    summary: 'Create a token for a user; the key is shown this once',
  }),
  updateToken: endpoint({
    method: 'PUT',
    path: '/api/turnpike/token',
    access: 'admin',
    input: tokenEdits.extend({ id, status: z.number().int().optional() }),
    output: tokenEntity.extend({ username: z.string() }),
    summary: 'Edit, enable or disable a token of anybody',
  }),
  removeToken: endpoint({
    method: 'DELETE',
    path: '/api/turnpike/token/:id',
    access: 'admin',
    input: byId,
    output: z.undefined(),
    summary: 'Delete a token of anybody',
  }),
  channelTypes: endpoint({
    method: 'GET',
    path: '/api/turnpike/channel/types',
    access: 'admin',
    input: nothing,
    output: z.array(
      z.object({
        type: z.number().int(),
        slug: z.string(),
        name: z.string(),
        /** False: declared, its provider is not built yet. */
        available: z.boolean(),
        operations: z.array(z.string()),
        default_base_url: z.string().nullable(),
        /** The base URL is a complete endpoint address. */
        complete_url: z.boolean(),
        /** Words that may stand in the place of the base URL, for plans with addresses of their own. */
        plan_words: z.array(z.string()),
        key_example: z.string(),
        key_optional: z.boolean(),
        /** The key is a JSON document: lines of it are no keys. */
        key_json: z.boolean(),
        other_label: z.string(),
        other_required: z.boolean(),
        /** Fields of `setting` that this type knows besides those of every type. */
        settings: z.array(z.object({ name: z.string(), kind: z.enum(['flag', 'text']), choices: z.array(z.string()) })),
        lists_models: z.boolean(),
        reads_balance: z.boolean(),
        models: z.array(z.string()),
      }),
    ),
    summary: 'Channel types with what their providers can do',
  }),
  channelRuns: endpoint({
    method: 'GET',
    path: '/api/turnpike/channel/runs',
    access: 'admin',
    input: nothing,
    output: z.object({ tests: run, balances: run }),
    summary: 'How far the tests and balances of all channels are',
  }),
  routeExplain: endpoint({
    method: 'GET',
    path: '/api/turnpike/route/explain',
    access: 'admin',
    input: z.object({ model: z.string(), group: z.string().default('default') }),
    output: z.object({
      model: z.string(),
      group: z.string(),
      tiers: z.array(
        z.object({
          priority: z.number().int(),
          channels: z.array(
            z.object({
              id: z.number().int(),
              name: z.string(),
              type: z.number().int(),
              weight: z.number().int(),
              /** Chance to be drawn first in this tier, 0–1, as things stand; 0 for those passed over. */
              share: z.number(),
              upstream_model: z.string(),
              /** Of its circuit breaker. */
              state: z.enum(['closed', 'open', 'half_open']),
              /** Seconds until the open circuit lets a request through; 0: now. */
              retry_in: z.number().int(),
              /** Seconds it rests for this model after its upstream had too many requests; 0: it does not. */
              cooling_for: z.number().int(),
              /** Keys it has, and those of them that are switched off. */
              keys: z.number().int(),
              keys_off: z.number().int(),
              /** Why it would be passed over now: `breaker`, `cool_down`, or an error code; empty when it would not. */
              skipped: z.string(),
            }),
          ),
        }),
      ),
    }),
    summary: 'Which channels a request would try, in which order and why',
  }),
};
