import { empty, required, type Step, zero } from '../src/core/storage/columns.ts';

/**
 * Copies of the results of finished tasks, and an index to find such tasks by the time at which
 * they ended.
 */
export const taskResults: Step = async (schema) => {
  await schema
    .createTable('task_results')
    .addColumn('task_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'bigint', required)
    .addColumn('state', 'text', required)
    .addColumn('path', 'text', empty)
    .addColumn('mime', 'text', empty)
    .addColumn('bytes', 'bigint', zero)
    .addColumn('tries', 'integer', zero)
    .addColumn('due_at', 'bigint', zero)
    .addColumn('created_at', 'bigint', zero)
    .addColumn('expires_at', 'bigint', zero)
    .execute();
  await schema
    .createIndex('task_results_due')
    .on('task_results')
    .columns(['state', 'due_at'])
    .execute();
  await schema.createIndex('task_results_user_id').on('task_results').column('user_id').execute();
  await schema
    .createIndex('tasks_finish_time')
    .on('tasks')
    .columns(['finish_time', 'status'])
    .execute();
};
