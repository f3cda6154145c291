import { required, type Step } from '../src/core/storage/columns.ts';

/** One row with id 1: the primary key allows exactly one setup. */
export const setups: Step = async (schema) => {
  await schema
    .createTable('setups')
    .addColumn('id', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('version', 'text', required)
    .addColumn('initialized_at', 'bigint', required)
    .execute();
};
