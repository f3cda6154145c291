/** `turnpike drawings …` and `turnpike tasks …` (docs/rules/task-logs.md#lists). */
import type { Endpoint } from '../../core/contract/endpoint.ts';
import { api } from '../../core/contract/index.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { drawingActions, drawingStatuses, taskActions, taskPlatforms, taskStatuses } from '../../core/vocabulary/task-types.ts';
import type { Flag } from '../base/flags.ts';
import type { Text } from '../base/text.ts';
import { type Argument, type Command, type Context, command, listed, shownEntity } from '../command/command.ts';
import { pageFlags, readTime } from '../command/common-flags.ts';
import { fieldFlag } from '../command/field-flag.ts';
import { drawingColumns, taskColumns } from '../show/task-columns.ts';

const { drawing, task } = api;

const mine: Flag = { name: 'mine', kind: 'switch', summary: { en: 'Only my own', zh: '仅自己的' } };
/** Input fields that only the calls of administrators have. */
const forAdmins: readonly string[] = ['channel_id', 'username'];

/** The flags' input for the call of one's own rows. */
function ownInput({ values }: Context): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values.input()).filter(([field]) => !forAdmins.includes(field)));
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
    fieldFlag(call, 'username', { en: 'Only this user', zh: '仅此用户' }, { name: 'user', placeholder: 'NAME' }),
    fieldFlag(call, 'channel_id', { en: 'Only this channel', zh: '仅此渠道' }, { name: 'channel', placeholder: 'ID' }),
    time('since', 'start_timestamp', { en: 'Submitted at or after this time', zh: '提交时间不早于' }),
    time('until', 'end_timestamp', { en: 'Submitted at or before this time', zh: '提交时间不晚于' }),
    mine,
  ];
}

const texts = {
  id: { en: 'Only this id', zh: '仅此编号' },
  status: { en: 'Only this status', zh: '仅此状态' },
  action: { en: 'Only this action', zh: '仅此类型' },
  platform: { en: 'Only this platform', zh: '仅此平台' },
} as const satisfies Record<string, Text>;

const drawingId: Argument = { name: 'id', kind: 'text', summary: { en: 'Id at the upstream', zh: '上游编号' } };
const taskId: Argument = { name: 'id', kind: 'text', summary: { en: 'Task id', zh: '任务编号' } };

function firstOf<Row>({ items }: { readonly items: readonly Row[] }): Row {
  const [row] = items;
  if (row === undefined) throw new AppError('not_found');
  return row;
}

export const drawingCommands: readonly Command[] = [
  command({
    name: 'drawings list',
    summary: { en: 'List drawings, newest first', zh: '列出绘图任务，新的在前' },
    flags: [
      ...pageFlags(0),
      fieldFlag(drawing.list, 'mj_id', texts.id, { name: 'id' }),
      fieldFlag(drawing.list, 'action', texts.action, { choices: drawingActions }),
      fieldFlag(drawing.list, 'status', texts.status, { choices: drawingStatuses }),
      ...sharedFlags(drawing.list, 1000),
    ],
    run: async (context) =>
      listed(
        context.values.on('mine')
          ? await context.call(drawing.listSelf, ownInput(context))
          : await context.call(drawing.list, context.values.input()),
        drawingColumns,
      ),
  }),
  command({
    name: 'drawings show',
    summary: { en: 'Show a drawing', zh: '查看一个绘图任务' },
    arguments: [drawingId],
    flags: [mine],
    async run(context) {
      const input = { mj_id: String(context.arguments.id) };
      const call = context.values.on('mine') ? drawing.listSelf : drawing.list;
      return shownEntity(firstOf(await context.call(call, input)), drawingColumns);
    },
  }),
];

export const taskCommands: readonly Command[] = [
  command({
    name: 'tasks list',
    summary: { en: 'List tasks, newest first', zh: '列出任务，新的在前' },
    flags: [
      ...pageFlags(0),
      fieldFlag(task.list, 'task_id', texts.id, { name: 'id' }),
      fieldFlag(task.list, 'platform', texts.platform, { choices: taskPlatforms }),
      fieldFlag(task.list, 'action', texts.action, { choices: taskActions }),
      fieldFlag(task.list, 'status', texts.status, { choices: taskStatuses }),
      ...sharedFlags(task.list, 1),
    ],
    run: async (context) =>
      listed(
        context.values.on('mine')
          ? await context.call(task.listSelf, ownInput(context))
          : await context.call(task.list, context.values.input()),
        taskColumns,
      ),
  }),
  command({
    name: 'tasks show',
    summary: { en: 'Show a task with its results', zh: '查看一个任务及其结果' },
    arguments: [taskId],
    flags: [mine],
    async run(context) {
      const input = { task_id: String(context.arguments.id) };
      const call = context.values.on('mine') ? task.listSelf : task.list;
      return shownEntity(firstOf(await context.call(call, input)), taskColumns);
    },
  }),
];
