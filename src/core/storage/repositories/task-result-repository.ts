import type {
  StoredImage,
  TaskResult,
  TaskResultRepository,
  TaskResultState,
} from '../entities/task-result.ts';
import type { FileSum } from '../entities/upload.ts';
import { defineMapping, integer, text } from '../mapping.ts';
import { type Access, changed, inPieces } from './access.ts';
import { sumOfBytes } from './upload-repository.ts';

const mapping = defineMapping<
  'task_results',
  Omit<TaskResult, 'state'> & { readonly state: string }
>({
  taskId: text('task_id'),
  number: integer('number'),
  userId: integer('user_id'),
  state: text('state'),
  path: text('path'),
  mime: text('mime'),
  bytes: integer('bytes'),
  tries: integer('tries'),
  dueAt: integer('due_at'),
  createdAt: integer('created_at'),
  expiresAt: integer('expires_at'),
});

const stored: TaskResultState = 'stored';
const waiting: TaskResultState = 'waiting';

export function createTaskResultRepository({ read, write }: Access): TaskResultRepository {
  const all = () => read.selectFrom('task_results');
  const toResult = (row: Parameters<typeof mapping.read>[0]): TaskResult =>
    mapping.read(row) as TaskResult;
  const images = (now: number) =>
    all()
      .selectAll()
      .where('state', '=', stored)
      .where('number', '>', 0)
      .where('expires_at', '>', now);
  return {
    async find(taskId, number = 0) {
      const row = await all()
        .selectAll()
        .where('task_id', '=', taskId)
        .where('number', '=', number)
        .executeTakeFirst();
      return row === undefined ? null : toResult(row);
    },
    async insert(result) {
      const query = write
        .insertInto('task_results')
        .values(mapping.write({ ...result, state: waiting }));
      const { numInsertedOrUpdatedRows = 0n } = await query
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows > 0n;
    },
    async insertStored(result) {
      await write
        .insertInto('task_results')
        .values(mapping.write({ ...result, state: stored }))
        .execute();
    },
    async listStored(taskIds, now) {
      const found: StoredImage[] = [];
      for (const piece of inPieces([...new Set(taskIds)])) {
        const query = images(now).where('task_id', 'in', piece).orderBy('task_id');
        found.push(...(await query.orderBy('number').execute()).map(toResult));
      }
      return found;
    },
    async listImages(userId, now) {
      const query = images(now).where('user_id', '=', userId).orderBy('created_at', 'desc');
      const rows = await query.orderBy('task_id', 'desc').orderBy('number', 'desc').execute();
      return rows.map(toResult);
    },
    async end(taskId) {
      await write
        .deleteFrom('task_results')
        .where('task_id', '=', taskId)
        .where('state', '!=', stored)
        .execute();
      await write
        .updateTable('task_results')
        .set({ expires_at: 0 })
        .where('task_id', '=', taskId)
        .execute();
    },
    update: async (taskId, from, change, number = 0) =>
      changed(
        await write
          .updateTable('task_results')
          .set(mapping.write(change))
          .where('task_id', '=', taskId)
          .where('number', '=', number)
          .where('state', '=', from)
          .executeTakeFirst(),
      ),
    async listDue(now, limit) {
      const query = all().selectAll().where('state', '=', waiting).where('due_at', '<=', now);
      return (await query.orderBy('due_at').limit(limit).execute()).map(toResult);
    },
    async listEnded(now, limit, passed = 0) {
      const query = all()
        .selectAll()
        .where('state', '=', stored)
        .where(({ or, eb, not, exists, selectFrom }) =>
          or([
            eb('expires_at', '<', now),
            not(
              exists(
                selectFrom('users')
                  .select('users.id')
                  .whereRef('users.id', '=', 'task_results.user_id')
                  .where('users.deleted_at', 'is', null),
              ),
            ),
          ]),
        );
      const page = query.orderBy('task_id').orderBy('number').limit(limit).offset(passed);
      return (await page.execute()).map(toResult);
    },
    async listNew(platforms, from, limit) {
      const rows = await read
        .selectFrom('tasks')
        .select(['task_id', 'user_id', 'finish_time'])
        .where('finish_time', '>=', from)
        .where('status', '=', 'SUCCESS')
        .where('platform', 'in', platforms)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('task_results')
                .select('task_results.task_id')
                .whereRef('task_results.task_id', '=', 'tasks.task_id'),
            ),
          ),
        )
        .orderBy('finish_time')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        taskId: row.task_id,
        userId: row.user_id,
        finishTime: row.finish_time,
      }));
    },
    async sum(): Promise<FileSum> {
      const query = all().where('state', '=', stored);
      return query
        .select((select) => [select.fn.countAll<number>().as('files'), sumOfBytes.as('bytes')])
        .executeTakeFirstOrThrow();
    },
  };
}
