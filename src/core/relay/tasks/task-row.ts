/**
 * The row of an order: inserted before the upstream is called, changed with the charge, marked
 * where the submit failed.
 */
import { nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { taskIdLength, taskIdPrefix } from '../../tasks/task-id.ts';
import { type TaskPrivate, writePrivate } from '../../tasks/task-private.ts';
import type { TaskRecord } from '../../tasks/task-record.ts';
import type { CallerContext } from '../context.ts';
import type { TaskOrder } from '../task-call.ts';

/** A new id for callers: `task_` and 32 letters and digits. */
function newTaskId({ deps }: CallerContext): string {
  return `${taskIdPrefix}${deps.ids.alphanumeric(taskIdLength)}`;
}

/**
 * Inserts the row, or finds the one whose window is submitted. Throws AppError task_not_exist where
 * that is gone.
 */
export async function openRow(
  context: CallerContext,
  order: TaskOrder,
  known: TaskPrivate,
): Promise<TaskRecord> {
  const { deps, caller } = context;
  const { storage, clock } = deps;
  const { place } = order;
  const shared = {
    userId: caller.userId,
    action: order.action,
    status: 'NOT_START',
    progress: '0%',
    privateData: writePrivate(known),
  };
  if (place.table === 'midjourneys') {
    const existing = place.windowOf;
    const id =
      existing ??
      (await storage.midjourneys.insert({
        ...shared,
        ...place.row,
        tokenId: caller.tokenId,
        submitTime: clock.now(),
      }));
    return { table: 'midjourneys', row: present(await storage.midjourneys.find(id)) };
  }
  const now = nowSeconds(clock);
  const id = await storage.tasks.insert({
    ...shared,
    taskId: newTaskId(context),
    platform: order.platform,
    createdAt: now,
    updatedAt: now,
    submitTime: now,
    properties: JSON.stringify({ input: place.input, model: order.model }),
  });
  return { table: 'tasks', row: present(await storage.tasks.find(id)) };
}

function present<Row>(row: Row | null): Row {
  if (row === null) throw new AppError('task_not_exist');
  return row;
}
