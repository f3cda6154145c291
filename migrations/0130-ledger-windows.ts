import { sql } from 'kysely';
import { required, type Step, zero } from '../src/core/storage/columns.ts';

/**
 * What a posting took from windows of budgets stands in its own row, and what windows with a pace
 * cost in the last minutes in sums (docs/rules/budgets.md#counting). Rows of `budget_charges` that
 * older versions wrote count on.
 */
export const ledgerWindows: Step = async (schema, _kinds, database) => {
  await schema.alterTable('ledger').addColumn('windows', 'text').execute();
  await schema.alterTable('budget_windows').addColumn('charged_at', 'bigint', zero).execute();
  // From now on it is known: until then they may have been used a moment ago.
  const now = Math.floor(Date.now() / 1000);
  await sql`update budget_windows set charged_at = ${sql.lit(now)}`.execute(database);
  await schema
    .createTable('budget_minutes')
    .addColumn('window_id', 'bigint', required)
    .addColumn('place', 'integer', required)
    .addColumn('minute', 'bigint', required)
    .addColumn('spent', 'bigint', zero)
    .addPrimaryKeyConstraint('budget_minutes_pkey', ['window_id', 'place'])
    .execute();
};
