/** The views of tasks and drawings of all users, newest first. */
import type { DrawingEntity, TaskEntity } from '../../core/contract/task-logs.ts';
import { drawingStatuses, taskPlatforms, taskStatuses } from '../../core/vocabulary/task-types.ts';
import { drawingColumns, taskColumns } from '../show/task-columns.ts';
import type { EntityCommand, EntitySpec, RowOrder } from './entity-spec.ts';
import { pageSize } from './sizes.ts';
import { type Host, viewTitles } from './view.ts';

type Row = DrawingEntity | TaskEntity;

/** The one of the words that a filter names, whatever its case. */
function findWord<Word extends string>(words: readonly Word[], filter: string): Word | undefined {
  return words.find((word) => word.toLowerCase() === filter.toLowerCase());
}

const state = (row: Row, { glyphs }: Host) => {
  if (row.status === 'SUCCESS') return { glyph: glyphs.on, tone: 'ok' } as const;
  if (row.status === 'FAILURE') return { glyph: glyphs.failed, tone: 'error' } as const;
  return { glyph: glyphs.slow, tone: 'info' } as const;
};

function copyId<R extends Row>(idOf: (row: R) => string): EntityCommand<R> {
  return {
    action: 'copy',
    run(host, { rows }) {
      const ids = rows.map(idOf).join('\n');
      host.copy(ids);
      host.showMessage(host.localize(texts.copied, { ids }), 'ok');
    },
  };
}

const orders: readonly RowOrder<Row>[] = [
  { title: { en: 'cost', zh: '费用' }, figure: (row) => row.quota },
  { title: { en: 'status', zh: '状态' }, figure: (row) => row.status },
  { title: { en: 'user', zh: '用户' }, figure: (row) => row.username ?? '' },
];

const taskId = (row: TaskEntity) => row.task_id || `#${row.id}`;

export const taskSpec: EntitySpec<TaskEntity> = {
  title: viewTitles.tasks,
  columns: taskColumns,
  keyOf: (row) => row.id,
  nameOf: taskId,
  state,
  load: ({ client }, filter, page) => {
    const status = findWord(taskStatuses, filter);
    const platform = findWord(taskPlatforms, filter);
    const request = { p: page, page_size: pageSize };
    if (filter === '') return client.task.list(request);
    if (status !== undefined) return client.task.list({ ...request, status });
    if (platform !== undefined) return client.task.list({ ...request, platform });
    return firstFound([
      () => client.task.list({ ...request, task_id: filter }),
      () => client.task.list({ ...request, username: filter }),
    ]);
  },
  commands: [copyId(taskId)],
  orders,
};

const drawingId = (row: DrawingEntity) => row.mj_id || `#${row.id}`;

export const drawingSpec: EntitySpec<DrawingEntity> = {
  title: viewTitles.drawings,
  columns: drawingColumns,
  keyOf: (row) => row.id,
  nameOf: drawingId,
  state,
  load: ({ client }, filter, page) => {
    const status = findWord(drawingStatuses, filter);
    const request = { p: page, page_size: pageSize };
    if (filter === '') return client.drawing.list(request);
    if (status !== undefined) return client.drawing.list({ ...request, status });
    return firstFound([
      () => client.drawing.list({ ...request, mj_id: filter }),
      () => client.drawing.list({ ...request, username: filter }),
    ]);
  },
  commands: [copyId(drawingId)],
  orders,
};

/** The gateway's filters are exact: a text is an id or else a user. */
async function firstFound<R>(
  calls: readonly (() => Promise<{ items: readonly R[]; total: number }>)[],
): Promise<{ items: readonly R[]; total: number }> {
  for (const call of calls) {
    const found = await call();
    if (found.items.length > 0) return found;
  }
  return { items: [], total: 0 };
}

const texts = { copied: { en: 'Copied {ids}', zh: '{ids} 已复制' } } as const;
