import { sql } from 'kysely';
import { empty, required, type Step, zero } from '../src/core/storage/columns.ts';

/**
 * A task may have several results, as an order of images has: they are numbered from 1. The one
 * result of a video has number 0.
 */
export const numberedResults: Step = async (schema, _kinds, database) => {
  await schema
    .createTable('task_results_numbered')
    .addColumn('task_id', 'text', required)
    .addColumn('number', 'integer', zero)
    .addColumn('user_id', 'bigint', required)
    .addColumn('state', 'text', required)
    .addColumn('path', 'text', empty)
    .addColumn('mime', 'text', empty)
    .addColumn('bytes', 'bigint', zero)
    .addColumn('tries', 'integer', zero)
    .addColumn('due_at', 'bigint', zero)
    .addColumn('created_at', 'bigint', zero)
    .addColumn('expires_at', 'bigint', zero)
    .addPrimaryKeyConstraint('task_results_number_pkey', ['task_id', 'number'])
    .execute();
  const columns =
    'task_id, user_id, state, path, mime, bytes, tries, due_at, created_at, expires_at';
  await sql`insert into task_results_numbered (${sql.raw(columns)}) select ${sql.raw(columns)} from task_results`.execute(
    database,
  );
  await schema.dropTable('task_results').execute();
  await schema.alterTable('task_results_numbered').renameTo('task_results').execute();
  await schema
    .createIndex('task_results_due')
    .on('task_results')
    .columns(['state', 'due_at'])
    .execute();
  await schema.createIndex('task_results_user_id').on('task_results').column('user_id').execute();
};
