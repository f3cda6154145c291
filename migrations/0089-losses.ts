import { empty, required, type Step, zero } from '../src/core/storage/columns.ts';

/**
 * - `losses`: where the site loses money now, so that each is told once.
 * - `channel_balances`: balances as upstreams reported them, for the pace at which they fall.
 */
export const losses: Step = async (schema, kinds) => {
  await schema
    .createTable('losses')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('kind', 'text', required)
    .addColumn('channel_id', 'bigint', zero)
    .addColumn('model_name', 'text', empty)
    .addColumn('detail', 'text', empty)
    .addColumn('since', 'bigint', zero)
    .addColumn('seen', 'bigint', zero)
    .execute();
  await kinds
    .clustered(schema.createTable('channel_balances'))
    .addColumn('channel_id', 'bigint', required)
    .addColumn('read_at', 'bigint', required)
    .addColumn('amount', 'double precision', required)
    .addColumn('currency', 'text', empty)
    .addPrimaryKeyConstraint('channel_balances_pkey', ['channel_id', 'read_at'])
    .execute();
};
