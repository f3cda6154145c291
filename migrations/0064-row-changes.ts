import { required, type Step } from '../src/core/storage/columns.ts';

/**
 * What changed last, row by row, for the processes that keep rows in memory
 * (docs/rules/process.md#reconciliation). The database writes it itself, in the transaction of the
 * change, whoever makes it. Columns that requests and charges write are not watched.
 */
export const rowChanges: Step = async (schema, kinds, database) => {
  await schema
    .createTable('row_changes')
    .addColumn('kind', 'text', required)
    .addColumn('row_key', 'text', required)
    .addColumn('tx', 'bigint', required)
    .addColumn('noted_at', 'bigint', required)
    .addPrimaryKeyConstraint('row_changes_pkey', ['kind', 'row_key'])
    .execute();
  await schema.createIndex('row_changes_tx').on('row_changes').column('tx').execute();
  await kinds.watch(database, {
    table: 'options',
    kind: 'options',
    row: 'key',
    columns: ['value', 'sealed'],
  });
  await kinds.watch(database, {
    table: 'channels',
    kind: 'channels',
    row: 'id',
    columns: channelColumns,
  });
  await kinds.watch(database, { table: 'tokens', kind: 'token', row: 'id', columns: tokenColumns });
  await kinds.watch(database, { table: 'users', kind: 'user', row: 'id', columns: userColumns });
  await kinds.watch(database, {
    table: 'model_square',
    kind: 'models',
    row: 'model',
    columns: modelColumns,
  });
};

const channelColumns = [
  ...[
    'type',
    'key_hash',
    'openai_organization',
    'test_model',
    'status',
    'name',
    'weight',
    'base_url',
    'other',
    'models',
    'group',
  ],
  ...[
    'model_mapping',
    'status_code_mapping',
    'priority',
    'auto_ban',
    'other_info',
    'tag',
    'setting',
    'param_override',
  ],
  ...['max_input_tokens', 'cost'],
];
const tokenColumns = [
  ...[
    'user_id',
    'key_hash',
    'name',
    'status',
    'expired_time',
    'unlimited_quota',
    'model_limits_enabled',
    'model_limits',
  ],
  ...['allow_ips', 'group', 'deleted_at'],
];
const userColumns = ['username', 'role', 'status', 'group', 'setting', 'deleted_at'];
const modelColumns = [
  ...[
    'icon',
    'description',
    'description_en',
    'type',
    'type_en',
    'tags',
    'tags_en',
    'manufacturer',
    'price_type',
    'context',
  ],
  ...['specification', 'publish_time', 'status', 'model_price', 'updated_time'],
];
