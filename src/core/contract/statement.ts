import { z } from '../kernel/zod.ts';
import { ledgerKinds } from '../vocabulary/ledger-kinds.ts';
import { endpoint, id, pageOf, pageQuery, quotaField } from './endpoint.ts';
import { ledgerEntity } from './entities.ts';

/** `2026-11`. */
const month = z.string().regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/);
const kind = z.enum(ledgerKinds);
const count = z.number().int();

/**
 * Absent `user_id`: my own. Another user's: administrators only. Absent `month`: the current one.
 */
const scope = z.object({ user_id: id.optional(), month: month.optional() });

export const statementEntity = z.object({
  user_id: z.number().int(),
  username: z.string(),
  month,
  /** Months and days begin at midnight in this time zone. */
  time_zone: z.string(),
  /** Nothing is added to this month any more. */
  closed: z.boolean(),
  opening: quotaField,
  closing: quotaField,
  /** `closing − opening − Σ kinds`: 0, unless the balance was changed without a posting. */
  difference: quotaField,
  kinds: z.array(z.object({ kind, count, amount: quotaField })),
  days: z.array(z.object({ day: z.string(), kind, count, amount: quotaField })),
  /** Charges by day and model, as positive amounts; only as far as hourly sums are kept. */
  charges: z.array(
    z.object({
      day: z.string(),
      model: z.string(),
      requests: count,
      tokens: count,
      quota: quotaField,
    }),
  ),
  /** Everything but charges, oldest first: the first 200. */
  movements: z.array(ledgerEntity),
  movements_total: count,
  /** The months that have a statement, newest first. */
  months: z.array(month),
});
export type StatementEntity = z.infer<typeof statementEntity>;

export const statementApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/turnpike/ledger/statement',
    access: 'user',
    input: scope,
    output: statementEntity,
    summary:
      'Why a balance is what it is: the postings of a month, summed, between opening and closing balance',
  }),
  movements: endpoint({
    method: 'GET',
    path: '/api/turnpike/ledger/statement/movements',
    access: 'user',
    input: pageQuery.extend(scope.shape).extend({ month, kind: kind.optional() }),
    output: pageOf(ledgerEntity),
    summary: 'The postings of a month other than charges, oldest first',
  }),
  export: endpoint({
    method: 'GET',
    path: '/api/turnpike/ledger/statement/export',
    access: 'user',
    shape: 'file',
    input: scope,
    output: z.string(),
    summary: 'The statement of a month as CSV',
  }),
};
