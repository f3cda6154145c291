import { type Selectable, sql } from 'kysely';
import { taskFilters } from '../../entities/task-filters.ts';
import type { Task, TaskRepository } from '../entities/task.ts';
import { filterConditions } from '../filter-conditions.ts';
import { defineMapping, integer, quota, text } from '../mapping.ts';
import type { Database } from '../schema.ts';
import { type Access, changed, inPieces } from './access.ts';
import { countRows } from './count-rows.ts';

const mapping = defineMapping<'tasks', Omit<Task, 'privateData'>>({
  id: integer('id'),
  createdAt: integer('created_at'),
  updatedAt: integer('updated_at'),
  taskId: text('task_id'),
  platform: text('platform'),
  userId: integer('user_id'),
  channelId: integer('channel_id'),
  quota: quota('quota'),
  action: text('action'),
  status: text('status'),
  failReason: text('fail_reason'),
  submitTime: integer('submit_time'),
  startTime: integer('start_time'),
  finishTime: integer('finish_time'),
  progress: text('progress'),
  properties: text('properties'),
  data: text('data'),
});

/**
 * Encryption context of a row: its public id, which never changes and is known before the insert.
 */
export const taskContext = (taskId: string): string => `tasks:${taskId}`;

export function createTaskRepository({ read, write, vault, atomically }: Access): TaskRepository {
  const all = () => read.selectFrom('tasks');
  const toTask = (row: Selectable<Database['tasks']>): Task => ({
    ...mapping.read(row),
    privateData:
      row.private_data === '' ? '' : (vault.read(row.private_data, taskContext(row.task_id)) ?? ''),
  });
  const seal = (taskId: string, privateData = ''): string =>
    privateData === '' ? '' : vault.seal(privateData, taskContext(taskId));
  return {
    async find(id) {
      const row = await all().selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toTask(row);
    },
    async findByTaskId(taskId, userId) {
      let query = all().where('task_id', '=', taskId);
      if (userId !== undefined) query = query.where('user_id', '=', userId);
      const row = await query.selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
      return row === undefined ? null : toTask(row);
    },
    async page(filter, { offset, limit }) {
      let query = all()
        .select('id')
        .where((where) => where.and(filterConditions(taskFilters, filter)));
      if (filter.userId !== undefined) query = query.where('user_id', '=', filter.userId);
      const ids = query
        .orderBy('submit_time', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset);
      const rows = await all()
        .selectAll()
        .where('id', 'in', ids)
        .orderBy('submit_time', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return {
        items: rows.map(toTask),
        total: await countRows(read, query, { offset, limit }, rows.length),
      };
    },
    insert: (task) =>
      atomically(async (database) => {
        const columns = {
          ...mapping.write(task),
          private_data: seal(task.taskId, task.privateData),
        };
        return (
          await database
            .insertInto('tasks')
            .values(columns)
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id;
      }),
    update: (id, from, { privateData, ...change }) =>
      atomically(async (database) => {
        const columns = { status: from, ...mapping.write(change) };
        const row = await database
          .updateTable('tasks')
          .set(columns)
          .where('id', '=', id)
          .where('status', '=', from)
          .returning('task_id')
          .executeTakeFirst();
        if (row === undefined || privateData === undefined) return row !== undefined;
        const sealed = { private_data: seal(row.task_id, privateData) };
        return changed(
          await database.updateTable('tasks').set(sealed).where('id', '=', id).executeTakeFirst(),
        );
      }),
    async findByTaskIds(taskIds, userId) {
      const found: Task[] = [];
      for (const piece of inPieces([...new Set(taskIds)])) {
        const rows = await all()
          .selectAll()
          .where('task_id', 'in', piece)
          .where('user_id', '=', userId)
          .execute();
        found.push(...rows.map(toTask));
      }
      return found.sort((a, b) => b.id - a.id);
    },
    sealPrivateData: seal,
    removeFinished: async (id, userId) =>
      (
        await write
          .deleteFrom('tasks')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .where('progress', '=', '100%')
          .returning('task_id')
          .executeTakeFirst()
      )?.task_id,
    async removeUnsent(id) {
      return changed(
        await write
          .deleteFrom('tasks')
          .where('id', '=', id)
          .where('status', '=', 'NOT_START')
          .executeTakeFirst(),
      );
    },
    async listUnfinished(limit, after = 0) {
      const unfinished = all()
        .selectAll()
        .where('progress', '!=', sql.lit('100%'))
        .where('id', '>', after);
      return (await unfinished.orderBy('id').limit(limit).execute()).map(toTask);
    },
  };
}
