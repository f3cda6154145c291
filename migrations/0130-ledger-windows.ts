import { required, type Step, zero } from '../src/core/storage/columns.ts';

/**
 * What a posting took from windows of budgets stands in its own row, and what windows with a pace
 * cost in the last minutes in sums (docs/rules/budgets.md#counting). Rows of `budget_charges` that
 * older versions wrote count on.
 */
export const ledgerWindows: Step = async (schema) => {
  await schema.alterTable('ledger').addColumn('windows', 'text').execute();
  await schema
    .createTable('budget_minutes')
    .addColumn('window_id', 'bigint', required)
    .addColumn('place', 'integer', required)
    .addColumn('minute', 'bigint', required)
    .addColumn('spent', 'bigint', zero)
    .addPrimaryKeyConstraint('budget_minutes_pkey', ['window_id', 'place'])
    .execute();
};
