import type { TaskView } from '../../../core/tasks/task-view.ts';

export const keyOf = (row: TaskView) => row.entity.id;
/** Names an open row in the URL. */
export const addressOf = (row: TaskView) => row.publicId || String(row.entity.id);
