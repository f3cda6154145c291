import { empty, required, type Step, uniqueIndexName, zero } from '../src/core/storage/columns.ts';

/** Conversations of the Responses API and their items (docs/rules/responses.md#conversations). */
export const conversations: Step = async (schema) => {
  await schema
    .createTable('conversations')
    .addColumn('user_id', 'bigint', required)
    .addColumn('conversation_id', 'text', required)
    .addColumn('metadata', 'text', empty)
    .addColumn('version', 'bigint', zero)
    .addColumn('items', 'bigint', zero)
    .addColumn('size', 'bigint', zero)
    .addColumn('created_at', 'bigint', zero)
    .addColumn('expires_at', 'bigint', zero)
    .addPrimaryKeyConstraint('conversations_pkey', ['user_id', 'conversation_id'])
    .execute();
  await schema
    .createIndex('conversations_expires_at')
    .on('conversations')
    .column('expires_at')
    .execute();
  await schema
    .createTable('conversation_items')
    .addColumn('user_id', 'bigint', required)
    .addColumn('conversation_id', 'text', required)
    .addColumn('position', 'bigint', required)
    .addColumn('item_id', 'text', required)
    .addColumn('size', 'bigint', zero)
    .addColumn('item', 'text', empty)
    .addPrimaryKeyConstraint('conversation_items_pkey', ['user_id', 'conversation_id', 'position'])
    .execute();
  await schema
    .createIndex(uniqueIndexName('conversation_items', 'item_id'))
    .on('conversation_items')
    .unique()
    .columns(['user_id', 'conversation_id', 'item_id'])
    .execute();
};
