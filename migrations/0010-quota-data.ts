import { empty, required, type Step, uniqueIndexName, zero } from '../src/core/storage/columns.ts';

export const quotaData: Step = async (schema, kinds) => {
  await kinds
    .id(schema.createTable('quota_data'))
    .addColumn('user_id', 'bigint', required)
    .addColumn('username', 'text', empty)
    .addColumn('model_name', 'text', empty)
    .addColumn('created_at', 'bigint', required)
    .addColumn('token_used', 'bigint', zero)
    .addColumn('count', 'bigint', zero)
    .addColumn('quota', 'bigint', zero)
    .execute();
  await schema
    .createIndex(uniqueIndexName('quota_data', 'created_at'))
    .on('quota_data')
    .unique()
    .columns(['user_id', 'username', 'model_name', 'created_at'])
    .execute();
  await schema.createIndex('quota_data_created_at').on('quota_data').column('created_at').execute();
};
