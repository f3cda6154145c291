import { z } from 'zod';
import { endpoint, id, nothing, pageOf, pageQuery } from './endpoint.ts';
import { ledgerEntity } from './entities.ts';

const drift = z.object({
  /**
   * `user`: the balance differs from its postings. `token`: used + remaining differs from what was granted. `statement`: a sum or
   * the closing balance of a user's month differs from the postings; `id` is the user's, `name` has the month and the figure.
   */
  account: z.enum(['user', 'token', 'statement']),
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
  /** Holds that belong to no running request. */
  stale_holds: z.number().int(),
  drifts: z.array(drift),
});

export const ledgerApi = {
  verify: endpoint({
    method: 'GET',
    path: '/api/turnpike/ledger/verify',
    access: 'admin',
    input: nothing,
    output: ledgerVerification,
    summary: 'Recompute every balance and statement from the postings',
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/turnpike/ledger',
    access: 'admin',
    input: pageQuery.extend({ user_id: id.optional() }),
    output: pageOf(ledgerEntity),
    summary: 'Postings, newest first',
  }),
  listSelf: endpoint({
    method: 'GET',
    path: '/api/turnpike/ledger/self',
    access: 'user',
    input: pageQuery,
    output: pageOf(ledgerEntity),
    summary: 'My postings, newest first',
  }),
};
