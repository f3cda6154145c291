import {
  empty,
  initially,
  required,
  type Step,
  uniqueIndexName,
  zero,
} from '../src/core/storage/columns.ts';

export const tokens: Step = async (schema, kinds) => {
  await kinds
    .id(schema.createTable('tokens'))
    .addColumn('user_id', 'bigint', required)
    .addColumn('key_hash', 'text', required)
    .addColumn('key_enc', 'text', required)
    .addColumn('status', 'integer', initially(1))
    .addColumn('name', 'text', empty)
    .addColumn('created_time', 'bigint', zero)
    .addColumn('accessed_time', 'bigint', zero)
    .addColumn('expired_time', 'bigint', initially(-1))
    .addColumn('remain_quota', 'bigint', zero)
    .addColumn('unlimited_quota', 'integer', zero)
    .addColumn('model_limits_enabled', 'integer', zero)
    .addColumn('model_limits', 'text', empty)
    .addColumn('allow_ips', 'text', empty)
    .addColumn('used_quota', 'bigint', zero)
    .addColumn('held', 'bigint', zero)
    .addColumn('group', 'text', empty)
    .addColumn('deleted_at', 'bigint')
    .execute();
  await schema
    .createIndex(uniqueIndexName('tokens', 'key_hash'))
    .on('tokens')
    .unique()
    .column('key_hash')
    .execute();
  await schema
    .createIndex('tokens_user_id')
    .on('tokens')
    .columns(kinds.thenId(['user_id']))
    .execute();
};
