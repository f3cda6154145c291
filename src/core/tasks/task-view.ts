/**
 * A drawing or a task as people see it, the same in the console, in tables and in the terminal
 * (docs/rules/task-logs.md#lists).
 */
import type { DrawingEntity, TaskEntity } from '../contract/task-logs.ts';

export interface TaskView<Entity extends DrawingEntity | TaskEntity = DrawingEntity | TaskEntity> {
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
  readonly isRunning: boolean;
}

export type DrawingView = TaskView<DrawingEntity>;

const ended: readonly string[] = ['SUCCESS', 'FAILURE'];

/** Times of drawings are milliseconds, those of tasks seconds. */
export function readTask<Entity extends DrawingEntity | TaskEntity>(
  entity: Entity,
): TaskView<Entity> {
  const unit = 'mj_id' in entity ? 1000 : 1;
  const { submit_time, start_time, finish_time } = entity;
  const isOver = ended.includes(entity.status);
  const percent = Number.parseFloat(entity.progress);
  return {
    entity,
    publicId: 'mj_id' in entity ? entity.mj_id : entity.task_id,
    submitted: Math.floor(submit_time / unit),
    started: Math.floor(start_time / unit),
    finished: Math.floor(finish_time / unit),
    seconds: submit_time > 0 && finish_time > 0 ? (finish_time - submit_time) / unit : undefined,
    percent: isOver ? 100 : Number.isFinite(percent) ? Math.min(100, Math.max(0, percent)) : 0,
    isRunning: !isOver,
  };
}
