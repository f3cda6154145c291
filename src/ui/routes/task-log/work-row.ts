/** A drawing or a task as the lists show it. */
import type { DrawingEntity, TaskEntity } from '../../../core/contract/task-logs.ts';

export interface WorkRow<Entity extends DrawingEntity | TaskEntity = DrawingEntity | TaskEntity> {
  readonly entity: Entity;
  /** The id that its owner knows; '' where the upstream gave none. */
  readonly publicId: string;
  /** Unix seconds; 0: not yet. */
  readonly submitted: number;
  readonly started: number;
  readonly finished: number;
  /** How long it took, in seconds; undefined until it ends. */
  readonly seconds: number | undefined;
  /** From 0 to 100. */
  readonly percent: number;
  readonly running: boolean;
}

export type DrawingRow = WorkRow<DrawingEntity>;
export type TaskRow = WorkRow<TaskEntity>;

const ended: readonly string[] = ['SUCCESS', 'FAILURE'];

function readRow<Entity extends DrawingEntity | TaskEntity>(
  entity: Entity,
  publicId: string,
  unit: number,
): WorkRow<Entity> {
  const [submitted, started, finished] = [
    entity.submit_time,
    entity.start_time,
    entity.finish_time,
  ].map((time) => time / unit);
  const isOver = ended.includes(entity.status);
  const percent = Number.parseFloat(entity.progress);
  return {
    entity,
    publicId,
    submitted: Math.floor(submitted ?? 0),
    started: Math.floor(started ?? 0),
    finished: Math.floor(finished ?? 0),
    seconds:
      entity.submit_time > 0 && entity.finish_time > 0
        ? (finished ?? 0) - (submitted ?? 0)
        : undefined,
    percent: isOver ? 100 : Number.isFinite(percent) ? Math.min(100, Math.max(0, percent)) : 0,
    running: !isOver,
  };
}

export const readDrawing = (entity: DrawingEntity): DrawingRow =>
  readRow(entity, entity.mj_id, 1000);
export const readTask = (entity: TaskEntity): TaskRow => readRow(entity, entity.task_id, 1);

export const keyOf = (row: WorkRow) => row.entity.id;
/** Names an open row in the URL. */
export const addressOf = (row: WorkRow) => row.publicId || String(row.entity.id);
