/**
 * Columns of drawings and tasks. Statuses and actions are shown as scripts give them to filters.
 */
import type { DrawingEntity, TaskEntity } from '../../core/contract/task-logs.ts';
import { taskOrder, taskResults } from '../../core/contract/task-results.ts';
import { formatSeconds } from '../../core/pricing/format.ts';
import { readTask } from '../../core/tasks/task-view.ts';
import { type StatusTone, taskTones } from '../../core/vocabulary/status-tones.ts';
import type { Text } from '../base/text.ts';
import type { Tone } from '../kit/tones.ts';
import { toneColours } from './labels.ts';
import type { Column } from './table.ts';
import { formatTime } from './times.ts';

type Row = DrawingEntity | TaskEntity;

const title = {
  id: { en: 'id', zh: '编号' },
  submitted: { en: 'submitted', zh: '提交时间' },
  finished: { en: 'finished', zh: '完成时间' },
  prompt: { en: 'prompt', zh: '提示词' },
} as const satisfies Record<string, Text>;

function nameOr(name: string | undefined, id: number): string {
  return name === undefined || id === 0 ? '' : name || `#${id}`;
}

/** The id that its owner knows, or that of the row. */
export function idOf(row: Row): string {
  return readTask(row).publicId || `#${row.id}`;
}

/** Of a status that this release does not know: the same as of none. */
export function taskTone(status: string): Tone {
  const tones: Readonly<Record<string, StatusTone>> = taskTones;
  return toneColours[tones[status] ?? 'off'];
}

/** How long it took, as the console writes it; empty while it runs. */
function secondsOf(row: Row): string {
  const { seconds = -1 } = readTask(row);
  return seconds < 0 ? '' : formatSeconds(seconds);
}

/** What both lists show between the times and the texts; the first column of each is its own. */
function sharedColumns<R extends Row>(): readonly Column<R>[] {
  return [
    {
      title: { en: 'user', zh: '用户' },
      value: (row) => nameOr(row.username, row.user_id),
      narrow: 'elide',
      width: 10,
    },
    {
      title: { en: 'channel', zh: '渠道' },
      value: (row) => nameOr(row.channel_name, row.channel_id),
      narrow: 'drop',
      width: 12,
      expendable: 2,
    },
    { title: { en: 'action', zh: '类型' }, value: (row) => row.action, width: 9 },
    {
      title: { en: 'status', zh: '状态' },
      value: (row) => row.status || '-',
      tone: (row) => taskTone(row.status),
      width: 11,
    },
    {
      title: { en: 'progress', zh: '进度' },
      value: (row) => `${Math.round(readTask(row).percent)}%`,
      align: 'right',
      width: 8,
      expendable: 3,
    },
    {
      title: { en: 's', zh: '秒' },
      value: (row) => secondsOf(row),
      align: 'right',
      narrow: 'drop',
      width: 6,
      expendable: 5,
    },
    {
      title: { en: 'cost', zh: '费用' },
      value: (row, view) => view.money.cost(row.quota),
      align: 'right',
      tone: () => 'money',
      narrow: 'drop',
      width: 10,
    },
    {
      title: { en: 'refunded', zh: '已退还' },
      value: (row, view) => (row.refunded === 0 ? '' : view.money.cost(row.refunded)),
      align: 'right',
      narrow: 'drop',
      width: 0,
    },
    {
      title: { en: 'reason', zh: '失败原因' },
      value: (row) => row.fail_reason,
      narrow: 'elide',
      width: 0,
    },
  ];
}

export const drawingColumns: readonly Column<DrawingEntity>[] = [
  { title: title.id, value: idOf, isId: true },
  {
    title: title.submitted,
    value: (row, view) => formatTime(readTask(row).submitted, view.now),
    narrow: 'drop',
    width: 14,
    expendable: 4,
  },
  ...sharedColumns<DrawingEntity>(),
  { title: { en: 'code', zh: '提交结果' }, value: (row) => String(row.code), cardOnly: true },
  {
    title: title.finished,
    value: (row, view) => formatTime(readTask(row).finished, view.now),
    cardOnly: true,
  },
  { title: title.prompt, value: (row) => row.prompt, cardOnly: true },
  {
    title: { en: 'prompt (English)', zh: '英文提示词' },
    value: (row) => row.prompt_en,
    cardOnly: true,
  },
  { title: { en: 'image', zh: '图片' }, value: (row) => row.image_url, cardOnly: true },
  { title: { en: 'video', zh: '视频' }, value: (row) => row.video_url, cardOnly: true },
];

export const taskColumns: readonly Column<TaskEntity>[] = [
  { title: title.id, value: idOf, isId: true },
  {
    title: title.submitted,
    value: (row, view) => formatTime(readTask(row).submitted, view.now),
    narrow: 'drop',
    width: 14,
    expendable: 4,
  },
  {
    title: { en: 'platform', zh: '平台' },
    value: (row) => row.platform,
    narrow: 'drop',
    width: 8,
    expendable: 1,
  },
  ...sharedColumns<TaskEntity>(),
  {
    title: title.finished,
    value: (row, view) => formatTime(readTask(row).finished, view.now),
    cardOnly: true,
  },
  { title: { en: 'model', zh: '模型' }, value: (row) => taskOrder(row).model, cardOnly: true },
  { title: title.prompt, value: (row) => taskOrder(row).prompt, cardOnly: true },
  {
    title: { en: 'results', zh: '结果' },
    value: (row) =>
      taskResults(row)
        .map(({ video, audio, image, text }) => video || audio || image || text)
        .join('\n'),
    cardOnly: true,
  },
];
