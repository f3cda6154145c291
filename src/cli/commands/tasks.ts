/** `turnpike drawings …` and `turnpike tasks …` (docs/rules/task-logs.md#lists). */
import type { Endpoint } from '../../core/contract/endpoint.ts';
import { api } from '../../core/contract/index.ts';
import type { DrawingEntity, TaskEntity } from '../../core/contract/task-logs.ts';
import { AppError } from '../../core/kernel/errors.ts';
import {
  drawingActions,
  drawingStatuses,
  taskActions,
  taskPlatforms,
  taskStatuses,
} from '../../core/vocabulary/task-types.ts';
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
import { readTime } from '../command/common-flags.ts';
import { fieldFlag } from '../command/field-flag.ts';
import { type Listing, pageFlags, readRows } from '../command/paging.ts';
import { userFlag } from '../command/user-flag.ts';
import type { Column } from '../show/table.ts';
import { drawingColumns, taskColumns } from '../show/task-columns.ts';

const { drawing, task } = api;

const mine: Flag = { name: 'mine', kind: 'switch', summary: { en: 'Only my own', zh: '仅自己的' } };
/** Input fields that only the calls of administrators have. */
const forAdmins: readonly string[] = ['channel_id', 'username'];

/** Input for the call of one's own rows. */
function ownInput(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([field]) => !forAdmins.includes(field)));
}

/** Flags that both lists have. `unit`: units of the call's times per second. */
function sharedFlags(call: Endpoint, unit: number): readonly Flag[] {
  const time = (name: string, field: string, summary: Text): Flag =>
    fieldFlag(call, field, summary, {
      name,
      kind: 'text',
      placeholder: 'TIME',
      read: (text) => readTime(name, text) * unit,
    });
  return [
    userFlag(call, 'username'),
    fieldFlag(
      call,
      'channel_id',
      { en: 'Only this channel', zh: '仅此渠道' },
      { name: 'channel', placeholder: 'ID' },
    ),
    time('since', 'start_timestamp', {
      en: 'Submitted at or after this time',
      zh: '提交时间不早于',
    }),
    time('until', 'end_timestamp', {
      en: 'Submitted at or before this time',
      zh: '提交时间不晚于',
    }),
    mine,
  ];
}

const texts = {
  id: { en: 'Only this id', zh: '仅此编号' },
  status: { en: 'Only this status', zh: '仅此状态' },
  action: { en: 'Only this action', zh: '仅此类型' },
  platform: { en: 'Only this platform', zh: '仅此平台' },
} as const satisfies Record<string, Text>;

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
    if (!context.values.on('mine')) return history.read(context, 'all', input);
    return history.read(context, 'mine', ownInput(input));
  };
  const id: Argument = { name: 'id', kind: 'text', summary: history.id };
  return [
    command({
      name: `${noun} list`,
      summary: history.list,
      flags: [...pageFlags(0), ...history.filters],
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
  filters: [
    fieldFlag(drawing.list, 'mj_id', texts.id, { name: 'id' }),
    fieldFlag(drawing.list, 'action', texts.action, { choices: drawingActions }),
    fieldFlag(drawing.list, 'status', texts.status, { choices: drawingStatuses }),
    ...sharedFlags(drawing.list, 1000),
  ],
  read: (context, scope, input) =>
    context.call(scope === 'mine' ? drawing.listSelf : drawing.list, input),
});

export const taskCommands = historyCommands<TaskEntity>({
  noun: 'tasks',
  columns: taskColumns,
  idField: 'task_id',
  id: { en: 'Task id', zh: '任务编号' },
  list: { en: 'List tasks, newest first', zh: '列出任务，新的在前' },
  show: { en: 'Show a task with its results', zh: '查看一个任务及其结果' },
  filters: [
    fieldFlag(task.list, 'task_id', texts.id, { name: 'id' }),
    fieldFlag(task.list, 'platform', texts.platform, { choices: taskPlatforms }),
    fieldFlag(task.list, 'action', texts.action, { choices: taskActions }),
    fieldFlag(task.list, 'status', texts.status, { choices: taskStatuses }),
    ...sharedFlags(task.list, 1),
  ],
  read: (context, scope, input) =>
    context.call(scope === 'mine' ? task.listSelf : task.list, input),
});
