import { empty, type Step } from '../src/core/storage/columns.ts';

/** The conversation of a stored response, for budgets (docs/rules/budgets.md#each). */
export const responseConversations: Step = (schema) =>
  schema.alterTable('stored_responses').addColumn('conversation', 'text', empty).execute();
