import type { Generated } from 'kysely';
import type { budgetFields } from '../entities/budget.ts';
import type { ColumnsOf } from './entity-columns.ts';

/**
 * Tables of the ledger and of what its transactions keep beside it: allowances, holds, budgets and
 * statements; part of the schema in schema.ts.
 */
export interface LedgerTables {
  ledger: LedgerTable;
  ledger_hours: LedgerHoursTable;
  ledger_chains: LedgerChainsTable;
  ledger_segments: LedgerSegmentsTable;
  ledger_seals: LedgerSealsTable;
  token_allowances: TokenAllowancesTable;
  holds: HoldsTable;
  budgets: ColumnsOf<typeof budgetFields>;
  budget_windows: BudgetWindowsTable;
  budget_charges: BudgetChargesTable;
  budget_minutes: BudgetMinutesTable;
  statement_progress: StatementProgressTable;
  statement_months: StatementMonthsTable;
  statement_sums: StatementSumsTable;
}

interface LedgerTable {
  id: Generated<number>;
  link: string | null;
  user_id: number;
  token_id: number | null;
  kind: string;
  amount: number;
  balance_after: number;
  reference: string | null;
  created_at: number;
  /** What it took from windows of budgets (ledger/plan.ts); null: nothing. */
  windows: Generated<string | null>;
}

interface LedgerHoursTable {
  hour: number;
  first_id: number;
}

/** The end of each chain (ledger/chain.ts). */
interface LedgerChainsTable {
  name: string;
  start: string;
  last_id: number;
  link: string;
}

interface LedgerSegmentsTable {
  name: string;
  last_id: number;
  first_id: number;
  row_count: number;
  digest: string;
}

interface LedgerSealsTable {
  target: string;
  sealed_at: number;
  posting_id: number;
  tried_at: number;
  error: string;
}

interface TokenAllowancesTable {
  id: Generated<number>;
  link: string | null;
  token_id: number;
  amount: number;
  used: Generated<number>;
  remain_after: number;
  created_at: number;
}

interface HoldsTable {
  request_id: string;
  user_id: number;
  token_id: number | null;
  amount: number;
  node: string;
  expires_at: number;
  created_at: number;
  /** JSON: ids of windows and what is held in each; null: none. */
  windows: string | null;
}

interface BudgetWindowsTable {
  id: Generated<number>;
  budget_id: number;
  revision: number;
  subject: string;
  starts_at: number;
  ends_at: number;
  opening: Generated<number>;
  carried: Generated<number>;
  extra: Generated<number>;
  spent: Generated<number>;
  held: Generated<number>;
  warned: Generated<number>;
  requests: Generated<number>;
  extra_requests: Generated<number>;
  fenced_from: Generated<number>;
  grants: Generated<number>;
  repeats: Generated<number>;
  pace: Generated<number>;
  user_id: Generated<number>;
  /** When something was charged in it last, to the minute; 0: never. */
  charged_at: Generated<number>;
}

/**
 * What a charge took from a window, or a refund gave back (negative), as older versions wrote it:
 * today the ledger has it.
 */
interface BudgetChargesTable {
  window_id: number;
  ledger_id: number;
  amount: number;
}

/**
 * What a window cost in each of its last minutes: where its budget has a pace. `place`: the minute's
 * remainder, so that a window has few rows.
 */
interface BudgetMinutesTable {
  window_id: number;
  place: number;
  minute: number;
  spent: number;
}

/**
 * Up to which posting a user's statements reach; user 0: up to which posting all users were looked
 * at.
 */
interface StatementProgressTable {
  user_id: number;
  last_id: number;
  balance: number;
  month: number;
}

/** `month` is year × 100 + month. */
interface StatementMonthsTable {
  user_id: number;
  month: number;
  last_id: number;
  closing: number;
}

/** `day` is month × 100 + day. */
interface StatementSumsTable {
  user_id: number;
  month: number;
  day: number;
  kind: string;
  row_count: number;
  amount: number;
}
