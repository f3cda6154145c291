import type { Step } from '../src/core/storage/columns.ts';

/** Whether any budget has a fence of pace, which every group of charges wants to know. */
export const pacedBudgets: Step = async (schema) => {
  await schema
    .createIndex('budgets_paced')
    .on('budgets')
    .column('most_pace')
    .where('most_pace', '>', 0)
    .execute();
};
