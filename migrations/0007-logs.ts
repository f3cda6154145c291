import { empty, type Step, zero } from '../src/core/storage/columns.ts';

/**
 * Only two secondary indexes, because indexes are the most expensive part of accounting. Both end
 * in the time, so that every list is read newest first from the end of an index, whatever its time
 * range. They include the columns that lists filter and sum by: a rare search over 5 million rows
 * took a minute without them and takes half a second with them, for 3 to 13 % more bytes written.
 */
export const logs: Step = async (schema, kinds) => {
  await kinds
    .appendOnlyId(schema.createTable('logs'))
    .addColumn('user_id', 'bigint', zero)
    .addColumn('created_at', 'bigint', zero)
    .addColumn('type', 'integer', zero)
    .addColumn('content', 'text', empty)
    .addColumn('username', 'text', empty)
    .addColumn('token_name', 'text', empty)
    .addColumn('model_name', 'text', empty)
    .addColumn('quota', 'bigint', zero)
    .addColumn('prompt_tokens', 'bigint', zero)
    .addColumn('completion_tokens', 'bigint', zero)
    .addColumn('use_time', 'bigint', zero)
    .addColumn('is_stream', 'integer', zero)
    .addColumn('channel_id', 'bigint', zero)
    .addColumn('token_id', 'bigint', zero)
    .addColumn('group', 'text', empty)
    .addColumn('other', 'text', empty)
    .addColumn('request_id', 'text', empty)
    .addColumn('ledger_id', 'bigint')
    .execute();
  await schema
    .createIndex('logs_created_at')
    .on('logs')
    .columns(
      kinds.thenIdCarrying(
        ['created_at'],
        ['type', 'model_name', 'channel_id', 'group', 'token_name', 'username', 'quota'],
      ),
    )
    .execute();
  await schema
    .createIndex('logs_user_id')
    .on('logs')
    .columns(
      kinds.thenIdCarrying(
        ['user_id', 'created_at'],
        ['type', 'model_name', 'token_name', 'token_id', 'username', 'quota'],
      ),
    )
    .execute();
};
