import { empty, required, type Step, uniqueIndexName, zero } from '../src/core/storage/columns.ts';

/** Postings that a committed change owes to a wallet, until they are posted. */
export const deferredPostings: Step = async (schema, kinds) => {
  await kinds
    .id(schema.createTable('deferred_postings'))
    .addColumn('user_id', 'bigint', required)
    .addColumn('kind', 'text', required)
    .addColumn('amount', 'bigint', required)
    .addColumn('reference', 'text', required)
    .addColumn('log', 'text', empty)
    .addColumn('created_at', 'bigint', zero)
    .execute();
  await schema
    .createIndex(uniqueIndexName('deferred_postings', 'reference'))
    .on('deferred_postings')
    .unique()
    .columns(['kind', 'reference'])
    .execute();
};
