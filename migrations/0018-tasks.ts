import { empty, required, type Step, zero } from '../src/core/storage/columns.ts';

export const tasks: Step = async (schema, kinds) => {
  await kinds
    .id(schema.createTable('tasks'))
    .addColumn('created_at', 'bigint', zero)
    .addColumn('updated_at', 'bigint', zero)
    .addColumn('task_id', 'text', required)
    .addColumn('platform', 'text', empty)
    .addColumn('user_id', 'bigint', required)
    .addColumn('channel_id', 'bigint', zero)
    .addColumn('quota', 'bigint', zero)
    .addColumn('action', 'text', empty)
    .addColumn('status', 'text', empty)
    .addColumn('fail_reason', 'text', empty)
    .addColumn('submit_time', 'bigint', zero)
    .addColumn('start_time', 'bigint', zero)
    .addColumn('finish_time', 'bigint', zero)
    .addColumn('progress', 'text', empty)
    .addColumn('properties', 'text', empty)
    .addColumn('data', 'text', empty)
    .addColumn('private_data', 'text', empty)
    .execute();
  await schema
    .createIndex('tasks_user_id')
    .on('tasks')
    .columns(kinds.thenId(['user_id']))
    .execute();
  await schema.createIndex('tasks_task_id').on('tasks').column('task_id').execute();
  await schema
    .createIndex('tasks_unfinished')
    .on('tasks')
    .columns(['id', 'progress'])
    .where('progress', '!=', '100%')
    .execute();
};
