/** `turnpike logs …` (docs/rules/usage-logs.md#log-search). */

import type { LogEntity } from '../../core/contract/entities.ts';
import { api } from '../../core/contract/index.ts';
import { logFilters } from '../../core/entities/log-filters.ts';
import { logTypeNames, logTypes } from '../../core/vocabulary/log-types.ts';
import { exitCodes } from '../base/exit-codes.ts';
import { type Command, type Context, command, done, type Outcome } from '../command/command.ts';
import { readTime } from '../command/common-flags.ts';
import { download, fileArgument } from '../command/download.ts';
import { filterFlags } from '../command/filter-flags.ts';
import { pageFlags } from '../command/paging.ts';
import { plainText } from '../kit/lines.ts';
import { logColumns } from '../show/columns.ts';
import { jsonText } from '../show/output.ts';
import { logArchiveCommands } from './log-archive.ts';
import { logConversationsCommand } from './log-conversations.ts';
import { logTagsCommand } from './log-tags.ts';
import { logUsageCommand } from './log-usage.ts';

const { log } = api;
/** Polling interval of the live tail. */
const tailIntervalMs = 1000;
/** Of a folder without a gateway, which is opened each time. */
const stoppedTailIntervalMs = 5000;

/** Numbers of the types that rows can have, by their names as flags. */
const typeNumbers = new Map(
  Object.entries(logTypeNames)
    .map(([type, name]) => [name.replace('_', '-'), Number(type)] as const)
    .filter(([, type]) => type !== logTypes.unknown),
);
const flags = filterFlags(log.list, logFilters, {
  request: { placeholder: 'ID' },
  token: { placeholder: 'NAME' },
  type: {
    kind: 'text',
    choices: [...typeNumbers.keys()],
    read: (text) => typeNumbers.get(text),
  },
});

function readFormat({ values, arguments: { file }, output }: Context): 'csv' | 'jsonl' {
  const format = values.text('format');
  if (format !== undefined) return format === 'jsonl' ? 'jsonl' : 'csv';
  const isJson = file === undefined || file === '-' ? output.json : file.endsWith('.jsonl');
  return isJson ? 'jsonl' : 'csv';
}

/**
 * Prints new rows: one line each, or with `--json` one object per line. Ends on Ctrl-C, or with
 * `--once` after the existing rows.
 */
async function tail(context: Context): Promise<Outcome> {
  const stop = context.stop();
  const filter = context.values.input();
  const view = context.output.json ? undefined : await context.view();
  const cells = (row: LogEntity) =>
    view === undefined
      ? jsonText(row)
      : logColumns
          .map((column) => plainText(column.value(row, view)))
          .filter(Boolean)
          .join('  ');
  let after = 0;
  for (;;) {
    const rows = await context.call(log.tail, { ...filter, after });
    for (const row of rows) {
      context.output.line(cells(row));
      after = Math.max(after, row.id);
    }
    if (context.values.on('once')) return {};
    const interval = (await context.release()) ? stoppedTailIntervalMs : tailIntervalMs;
    await context.clock.sleep(interval, stop).catch(() => {}); // only the signal rejects
    if (stop.aborted) return { exitCode: exitCodes.interrupted };
  }
}

export const logCommands: readonly Command[] = [
  command({
    name: 'logs list',
    summary: { en: 'List usage logs, newest first', zh: '列出使用日志，新的在前' },
    flags: [...pageFlags(1), ...flags],
    calls: log.list,
    columns: logColumns,
  }),
  command({
    name: 'logs tail',
    summary: { en: 'Follow the usage logs', zh: '实时跟踪使用日志' },
    details: { en: 'With --json, one object per line.', zh: '配合 --json 时，每行一个对象。' },
    flags: [
      ...filterFlags(log.tail, logFilters),
      {
        name: 'once',
        kind: 'switch',
        summary: { en: 'Print the existing rows and exit', zh: '输出现有记录后退出' },
      },
    ],
    run: tail,
  }),
  command({
    name: 'logs stat',
    summary: {
      en: 'Quota spent in a time range; requests and tokens of the last minute',
      zh: '时间范围内的消费额度；最近一分钟的请求数与 token 数',
    },
    flags,
    calls: log.stat,
    columns: [
      { title: { en: 'spent', zh: '消费' }, value: (row, view) => view.money.total(row.quota) },
      { title: { en: 'requests/min', zh: '每分钟请求' }, value: (row) => String(row.rpm) },
      { title: { en: 'tokens/min', zh: '每分钟 token' }, value: (row) => String(row.tpm) },
    ],
  }),
  logUsageCommand,
  logTagsCommand,
  logConversationsCommand,
  command({
    name: 'logs export',
    summary: {
      en: 'Export usage logs as CSV or JSON lines, newest first',
      zh: '将使用日志导出为 CSV 或 JSON 行，新的在前',
    },
    details: {
      en: 'Administrators get the logs of all users, everybody else their own. A terminal shows the progress.',
      zh: '管理员导出全部用户的日志，其他用户导出自己的。在终端中显示进度。',
    },
    arguments: [fileArgument],
    flags: [
      {
        name: 'format',
        kind: 'text',
        choices: ['csv', 'jsonl'],
        summary: {
          en: 'csv or jsonl (default: by the file name; jsonl with --json; else csv)',
          zh: 'csv 或 jsonl（默认按文件名；配合 --json 时为 jsonl；否则为 csv）',
        },
      },
      {
        name: 'bom',
        kind: 'switch',
        field: 'bom',
        summary: { en: 'Byte order mark for Excel', zh: '写入 Excel 需要的字节顺序标记' },
      },
      ...flags,
    ],
    run: (context) => {
      const format = readFormat(context);
      return download(context, () =>
        context.call(log.export, { ...context.values.input(), format }),
      );
    },
  }),
  command({
    name: 'logs prune',
    summary: {
      en: 'Delete usage logs before a time; the ledger is kept',
      zh: '删除早于某时间的使用日志（不影响账本）',
    },
    flags: [
      {
        name: 'before',
        kind: 'text',
        required: true,
        field: 'target_timestamp',
        read: (text) => readTime('before', text),
        placeholder: 'DATE',
        summary: { en: 'Delete logs before this time', zh: '删除早于此时间的日志' },
      },
    ],
    confirmation: { en: 'Delete these usage logs?', zh: '删除这些使用日志？' },
    async run(context) {
      const deleted = await context.call(
        log.prune,
        context.values.input() as { target_timestamp: number },
      );
      return done(
        { en: 'Deleted {deleted} {deleted:row|rows}', zh: '已删除 {deleted} 行' },
        { deleted },
        { deleted },
      );
    },
  }),
  ...logArchiveCommands,
];
