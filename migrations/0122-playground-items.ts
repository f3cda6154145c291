import { empty, required, type Step, zero } from '../src/core/storage/columns.ts';

/** Kept prompts and conversations of the playground (docs/rules/console.md#kept-items). */
export const playgroundItems: Step = (schema) =>
  schema
    .createTable('playground_items')
    .addColumn('user_id', 'bigint', required)
    .addColumn('kind', 'text', required)
    .addColumn('item_id', 'text', required)
    .addColumn('size', 'bigint', zero)
    .addColumn('changed_at', 'bigint', zero)
    .addColumn('content', 'text', empty)
    .addPrimaryKeyConstraint('playground_items_pkey', ['user_id', 'kind', 'item_id'])
    .execute();
