/** `turnpike drawings …` and `turnpike tasks …` (docs/rules/task-logs.md#lists). */
import type { Endpoint } from '../../core/contract/endpoint.ts';
import { api } from '../../core/contract/index.ts';
import type { DrawingEntity, TaskEntity } from '../../core/contract/task-logs.ts';
import { drawingFilters, taskFilters } from '../../core/entities/task-filters.ts';
import { AppError } from '../../core/kernel/errors.ts';
import type { Flag } from '../base/flags.ts';
import type { Text } from '../base/text.ts';
import {
  type Argument,
  type Command,
  type Context,
  command,
  listed,
  shownEntity,
} from '../command/command.ts';
import { filterFlags } from '../command/filter-flags.ts';
import { type Listing, pageFlags, readRows } from '../command/paging.ts';
import type { Column } from '../show/table.ts';
import { drawingColumns, taskColumns } from '../show/task-columns.ts';

const { drawing, task } = api;

const mine: Flag = { name: 'mine', kind: 'switch', summary: { en: 'Only my own', zh: '仅自己的' } };
/** The part of an input that a call accepts: one's own rows have fewer filters. */
function inputFor(call: Endpoint, input: object): object {
  return Object.fromEntries(Object.entries(input).filter(([field]) => field in call.input.shape));
}

/** What drawings and tasks do not share. */
interface History<Row> {
  readonly noun: string;
  readonly columns: readonly Column<Row>[];
  /** The filter of the calls that is the argument of `show`. */
  readonly idField: 'mj_id' | 'task_id';
  readonly id: Text;
  readonly list: Text;
  readonly show: Text;
  readonly filters: readonly Flag[];
  /** Rows of all users, and one's own. */
  read(context: Context, scope: 'all' | 'mine', input: object): Promise<Listing<Row>>;
}

function historyCommands<Row>(history: History<Row>): readonly Command[] {
  const { noun, columns, idField } = history;
  const read = (context: Context, input: Record<string, unknown>) => {
    return history.read(context, context.values.on('mine') ? 'mine' : 'all', input);
  };
  const id: Argument = { name: 'id', kind: 'text', summary: history.id };
  return [
    command({
      name: `${noun} list`,
      summary: history.list,
      flags: [...pageFlags(0), ...history.filters, mine],
      run: async (context) =>
        listed(await readRows(context, (input) => read(context, input)), columns),
    }),
    command({
      name: `${noun} show`,
      summary: history.show,
      arguments: [id],
      flags: [mine],
      async run(context) {
        const { items } = await read(context, { [idField]: context.arguments['id'] });
        const [row] = items;
        if (row === undefined) throw new AppError('not_found');
        return shownEntity(row, columns);
      },
    }),
  ];
}

export const drawingCommands = historyCommands<DrawingEntity>({
  noun: 'drawings',
  columns: drawingColumns,
  idField: 'mj_id',
  id: { en: 'Id at the upstream', zh: '上游编号' },
  list: { en: 'List drawings, newest first', zh: '列出绘图任务，新的在前' },
  show: { en: 'Show a drawing', zh: '查看一个绘图任务' },
  filters: filterFlags(drawing.list, drawingFilters),
  read: (context, scope, input) =>
    scope === 'mine'
      ? context.call(drawing.listSelf, inputFor(drawing.listSelf, input))
      : context.call(drawing.list, input),
});

export const taskCommands = historyCommands<TaskEntity>({
  noun: 'tasks',
  columns: taskColumns,
  idField: 'task_id',
  id: { en: 'Task id', zh: '任务编号' },
  list: { en: 'List tasks, newest first', zh: '列出任务，新的在前' },
  show: { en: 'Show a task with its results', zh: '查看一个任务及其结果' },
  filters: filterFlags(task.list, taskFilters),
  read: (context, scope, input) =>
    scope === 'mine'
      ? context.call(task.listSelf, inputFor(task.listSelf, input))
      : context.call(task.list, input),
});
