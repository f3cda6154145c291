import { required, type Step, zero } from '../src/core/storage/columns.ts';

/** How the requests of one user ended, by hour. */
export const requestOutcomes: Step = async (schema) => {
  await schema
    .createTable('request_outcomes')
    .addColumn('user_id', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('succeeded', 'bigint', zero)
    .addColumn('failed', 'bigint', zero)
    .addColumn('refused', 'bigint', zero)
    .addColumn('unlogged', 'bigint', zero)
    .addPrimaryKeyConstraint('request_outcomes_pkey', ['user_id', 'created_at'])
    .execute();
  await schema
    .createIndex('request_outcomes_created_at')
    .on('request_outcomes')
    .column('created_at')
    .execute();
};
