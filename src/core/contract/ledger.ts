import { ledgerFilters } from '../entities/ledger-filters.ts';
import { z } from '../kernel/zod.ts';
import { chainBreakReasons, linkedTables } from '../vocabulary/ledger-chain.ts';
import { endpoint, nothing, pageOf, pageQuery } from './endpoint.ts';
import { ledgerEntity } from './entities.ts';
import { filterSchema } from './filter-schema.ts';

const drift = z.object({
  /**
   * `user`: the balance differs from its postings. `token`: used + remaining differs from what was
   * granted. `token_used`: the used quota differs from the postings. `statement`: a sum or the
   * closing balance of a user's month differs from the postings; `id` is the user's, `name` has the
   * month and the figure.
   */
  account: z.enum(['user', 'token', 'token_used', 'statement', 'budget']),
  id: z.number().int(),
  name: z.string(),
  expected: z.number().int(),
  actual: z.number().int(),
  drift: z.number().int(),
});
const chainBreak = z.object({
  table: z.enum(linkedTables),
  reason: z.enum(chainBreakReasons),
  /** The first row, and the last one. */
  id: z.number().int(),
  until: z.number().int(),
});
/** `start` names the chain; `id` 0: before the first row. */
const chainPoint = z.object({ start: z.string(), id: z.number().int().min(0), link: z.string() });
/** The newest links; `at`: when they were, in Unix seconds. */
export const ledgerHead = z.object({
  at: z.number().int(),
  ledger: chainPoint,
  token_allowances: chainPoint,
});
/** Seals that one call checks. */
export const mostSeals = 200;

export const ledgerVerification = z.object({
  ok: z.boolean(),
  users: z.number().int(),
  postings: z.number().int(),
  /** Sum of all postings. */
  sum: z.number().int(),
  /** Holds that belong to no running request. */
  stale_holds: z.number().int(),
  chain: z.object({
    /** Postings whose links were followed. */
    linked: z.number().int(),
    /** Postings from before the chain, which are hashed as a whole. */
    earlier: z.number().int(),
    /** When the newest link was noted in the data folder, in Unix seconds; null: it is not. */
    noted_at: z.number().int().nullable(),
    breaks: z.array(chainBreak),
  }),
  drifts: z.array(drift),
});

export const ledgerApi = {
  verify: endpoint({
    method: 'GET',
    path: '/api/turnpike/ledger/verify',
    access: 'admin',
    input: nothing,
    output: ledgerVerification,
    summary: 'Recompute every balance and statement from the postings, and follow their links',
  }),
  head: endpoint({
    method: 'GET',
    path: '/api/turnpike/ledger/head',
    access: 'admin',
    input: nothing,
    output: ledgerHead,
    summary: 'The newest links of the ledger, for keeping elsewhere',
  }),
  checkSeals: endpoint({
    method: 'POST',
    path: '/api/turnpike/ledger/seals/check',
    access: 'admin',
    input: z.object({ seals: z.array(ledgerHead).min(1).max(mostSeals) }),
    output: z.object({ breaks: z.array(chainBreak.extend({ at: z.number().int() })) }),
    summary: 'Compare the ledger with links that were kept elsewhere',
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/turnpike/ledger',
    access: 'admin',
    input: pageQuery.extend(filterSchema(ledgerFilters, 'admins').shape),
    output: pageOf(ledgerEntity),
    summary: 'Postings, newest first',
  }),
  listSelf: endpoint({
    method: 'GET',
    path: '/api/turnpike/ledger/self',
    access: 'user',
    input: pageQuery.extend(filterSchema(ledgerFilters, 'owner').shape),
    output: pageOf(ledgerEntity),
    summary: 'My postings, newest first',
  }),
};
