import { type Step, zero } from '../src/core/storage/columns.ts';

/** Ways into accounts with which one was registered, so that its gifts were given. */
export const giftedWays: Step = async (schema) => {
  await schema
    .createTable('gifted_ways')
    .addColumn('way', 'text', (column) => column.primaryKey().notNull())
    .addColumn('created_at', 'bigint', zero)
    .execute();
};
