import {
  empty,
  initially,
  required,
  type Step,
  uniqueIndexName,
  zero,
} from '../src/core/storage/columns.ts';

export const redemptions: Step = async (schema, kinds) => {
  await kinds
    .id(schema.createTable('redemptions'))
    .addColumn('user_id', 'bigint', zero)
    .addColumn('key', 'text', required)
    .addColumn('status', 'integer', initially(1))
    .addColumn('name', 'text', empty)
    .addColumn('quota', 'bigint', initially(100))
    .addColumn('created_time', 'bigint', zero)
    .addColumn('redeemed_time', 'bigint', zero)
    .addColumn('used_user_id', 'bigint', zero)
    .addColumn('deleted_at', 'bigint')
    .execute();
  await schema
    .createIndex(uniqueIndexName('redemptions', 'key'))
    .on('redemptions')
    .unique()
    .column('key')
    .execute();
};
