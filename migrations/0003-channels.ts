import { empty, initially, required, type Step, zero } from '../src/core/storage/columns.ts';

export const channels: Step = async (schema, kinds) => {
  await kinds
    .id(schema.createTable('channels'))
    .addColumn('type', 'integer', zero)
    .addColumn('key_hash', 'text', required)
    .addColumn('key_enc', 'text', required)
    .addColumn('openai_organization', 'text', empty)
    .addColumn('test_model', 'text', empty)
    .addColumn('status', 'integer', initially(1))
    .addColumn('name', 'text', empty)
    .addColumn('weight', 'bigint', zero)
    .addColumn('created_time', 'bigint', zero)
    .addColumn('test_time', 'bigint', zero)
    .addColumn('response_time', 'bigint', zero)
    .addColumn('base_url', 'text', empty)
    .addColumn('other', 'text', empty)
    .addColumn('balance', 'double precision', zero)
    .addColumn('balance_updated_time', 'bigint', zero)
    .addColumn('models', 'text', empty)
    .addColumn('group', 'text', initially('default'))
    .addColumn('used_quota', 'bigint', zero)
    .addColumn('model_mapping', 'text', empty)
    .addColumn('status_code_mapping', 'text', empty)
    .addColumn('priority', 'bigint', zero)
    .addColumn('auto_ban', 'integer', initially(1))
    .addColumn('other_info', 'text', empty)
    .addColumn('tag', 'text', empty)
    .addColumn('setting', 'text', empty)
    .addColumn('param_override', 'text', empty)
    .addColumn('max_input_tokens', 'bigint', zero)
    .execute();
};
