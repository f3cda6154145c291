import { empty, type Step, zero } from '../src/core/storage/columns.ts';

/**
 * Two secondary indexes and no more: they are the dearest part of accounting (product.md 6). Both end in time, so that
 * every list is read newest first from the end of an index, whatever its time range.
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
    .columns(kinds.thenId(['created_at']))
    .execute();
  await schema
    .createIndex('logs_user_id')
    .on('logs')
    .columns(kinds.thenId(['user_id', 'created_at']))
    .execute();
};
