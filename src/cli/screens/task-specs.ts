/** The views of tasks and drawings of all users, newest first. */
import type { DrawingEntity, TaskEntity } from '../../core/contract/task-logs.ts';
import type { Filters } from '../../core/entities/filters.ts';
import { drawingFilters, taskFilters } from '../../core/entities/task-filters.ts';
import { drawingColumns, idOf, taskColumns, taskTone } from '../show/task-columns.ts';
import type { EntityCommand, EntitySpec, FigureOrder } from './entity-spec.ts';
import { pageSize } from './sizes.ts';
import { type Host, viewTitles } from './view.ts';

type Row = DrawingEntity | TaskEntity;

/**
 * The queries that a keyword may stand for: one of a filter's choices, whatever its case, or else
 * the exact value of each text in turn.
 */
function queriesOf(filters: Filters, keyword: string): readonly Readonly<Record<string, string>>[] {
  const texts = Object.values(filters).filter((filter) => filter.kind === 'text');
  const words = texts.flatMap(({ wire, choices = [] }) => choices.map((word) => ({ wire, word })));
  const chosen = words.find(({ word }) => word.toLowerCase() === keyword.toLowerCase());
  if (chosen !== undefined) return [{ [chosen.wire]: chosen.word }];
  return texts
    .filter(({ choices }) => choices === undefined)
    .map(({ wire }) => ({ [wire]: keyword }));
}

const state = ({ status }: Row, { glyphs }: Host) => {
  const glyph =
    status === 'SUCCESS' ? glyphs.on : status === 'FAILURE' ? glyphs.failed : glyphs.slow;
  return { glyph, tone: taskTone(status) };
};

const copyId: EntityCommand<Row> = {
  action: 'copy',
  run(host, { rows }) {
    const ids = rows.map(idOf).join('\n');
    host.copy(ids);
    host.showMessage(host.localize(texts.copied, { ids }), 'ok');
  },
};

const orders: readonly FigureOrder<Row>[] = [
  { title: { en: 'cost', zh: '费用' }, figure: (row) => row.quota },
  { title: { en: 'status', zh: '状态' }, figure: (row) => row.status },
  { title: { en: 'user', zh: '用户' }, figure: (row) => row.username ?? '' },
];

export const taskSpec: EntitySpec<TaskEntity> = {
  title: viewTitles.tasks,
  columns: taskColumns,
  keyOf: (row) => row.id,
  nameOf: idOf,
  state,
  load: ({ client }, keyword, page) =>
    firstFound(taskFilters, keyword, (query) =>
      client.task.list({ ...query, p: page, page_size: pageSize }),
    ),
  commands: [copyId],
  orders,
};

export const drawingSpec: EntitySpec<DrawingEntity> = {
  title: viewTitles.drawings,
  columns: drawingColumns,
  keyOf: (row) => row.id,
  nameOf: idOf,
  state,
  load: ({ client }, keyword, page) =>
    firstFound(drawingFilters, keyword, (query) =>
      client.drawing.list({ ...query, p: page, page_size: pageSize }),
    ),
  commands: [copyId],
  orders,
};

type Page<R> = Promise<{ readonly items: readonly R[]; readonly total: number }>;

/** The first page that has rows; without a keyword that of all rows. */
async function firstFound<R>(
  filters: Filters,
  keyword: string,
  load: (query: Readonly<Record<string, string>>) => Page<R>,
): Page<R> {
  if (keyword === '') return load({});
  for (const query of queriesOf(filters, keyword)) {
    const found = await load(query);
    if (found.items.length > 0) return found;
  }
  return { items: [], total: 0 };
}

const texts = { copied: { en: 'Copied {ids}', zh: '{ids} 已复制' } } as const;
