import { empty, required, type Step, uniqueIndexName, zero } from '../src/core/storage/columns.ts';

/**
 * Responses that can be continued and read again, and the response that each of their items belongs
 * to.
 */
export const storedResponses: Step = async (schema, kinds) => {
  await kinds
    .id(schema.createTable('stored_responses'))
    .addColumn('user_id', 'bigint', required)
    .addColumn('response_id', 'text', required)
    .addColumn('previous_id', 'text', empty)
    .addColumn('channel_id', 'bigint', zero)
    .addColumn('health_key', 'text', empty)
    .addColumn('held', 'integer', zero)
    .addColumn('model', 'text', empty)
    .addColumn('status', 'text', empty)
    .addColumn('tokens', 'bigint', zero)
    .addColumn('input_size', 'bigint', zero)
    .addColumn('response_size', 'bigint', zero)
    .addColumn('input', 'text', empty)
    .addColumn('response', 'text', empty)
    .addColumn('created_at', 'bigint', zero)
    .addColumn('expires_at', 'bigint', zero)
    .execute();
  await schema
    .createIndex(uniqueIndexName('stored_responses', 'response_id'))
    .on('stored_responses')
    .unique()
    .columns(['user_id', 'response_id'])
    .execute();
  await schema
    .createIndex('stored_responses_previous')
    .on('stored_responses')
    .columns(['user_id', 'previous_id'])
    .execute();
  await schema
    .createIndex('stored_responses_expires_at')
    .on('stored_responses')
    .column('expires_at')
    .execute();
  await schema
    .createTable('stored_response_items')
    .addColumn('user_id', 'bigint', required)
    .addColumn('item_id', 'text', required)
    .addColumn('response_id', 'text', required)
    .addPrimaryKeyConstraint('stored_response_items_pkey', ['user_id', 'item_id'])
    .execute();
  await schema
    .createIndex('stored_response_items_response')
    .on('stored_response_items')
    .columns(['user_id', 'response_id'])
    .execute();
};
