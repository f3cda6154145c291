import { required, type Step, uniqueIndexName } from '../src/core/storage/columns.ts';

/**
 * Append-only. References of charges need not be unique: an index over all charges would slow every
 * request (docs/rules/ledger.md#posting-references).
 */
export const ledger: Step = async (schema, kinds) => {
  await kinds
    .appendOnlyId(schema.createTable('ledger'))
    .addColumn('user_id', 'bigint', required)
    .addColumn('token_id', 'bigint')
    .addColumn('kind', 'text', required)
    .addColumn('amount', 'bigint', required)
    .addColumn('balance_after', 'bigint', required)
    .addColumn('reference', 'text')
    .addColumn('created_at', 'bigint', required)
    .execute();
  await schema
    .createIndex(uniqueIndexName('ledger', 'reference'))
    .on('ledger')
    .unique()
    .columns(['kind', 'reference'])
    .where('kind', '!=', 'charge')
    .execute();
  await schema
    .createIndex('ledger_user_id')
    .on('ledger')
    .columns(kinds.thenId(['user_id']))
    .execute();
};
