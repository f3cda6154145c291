/** `turnpike logs archive` and `logs restore` (docs/rules/maintenance.md#archives). */
import { basename, dirname, resolve } from 'node:path';
import { api } from '../../core/contract/index.ts';
import { exitCodes } from '../base/exit-codes.ts';
import { UsageError } from '../base/usage-error.ts';
import { type Command, type Context, command, type Outcome } from '../command/command.ts';
import { readTime } from '../command/common-flags.ts';
import { progressBar } from '../show/progress-bar.ts';

const { log } = api;

/** The whole path, because the gateway may stand in another folder; buckets as they are. */
function placeOf(given: string): string {
  if (!given.startsWith('s3://')) return resolve(given);
  if (!/^s3:\/\/[^/]+/.test(given)) throw new UsageError(texts.bucket);
  return given;
}

const isFile = (given: string): boolean => given.endsWith('.jsonl.gz');

/** A file of a place, or all archives of usage logs there. */
async function filesOf(context: Context, given: string) {
  const path = placeOf(given);
  if (!isFile(path)) return { place: path, names: (await archivesOf(context, path)).map(nameOf) };
  const place = path.startsWith('s3://') ? path.slice(0, path.lastIndexOf('/')) : dirname(path);
  return { place, names: [basename(path)] };
}
const archivesOf = (context: Context, place: string) => context.call(log.archives, { place });
const nameOf = ({ name }: { readonly name: string }): string => name;

async function archive(context: Context): Promise<Outcome> {
  const { values, output } = context;
  const place = placeOf(values.text('to') ?? '');
  const keep = values.on('keep');
  const { before } = values.input() as { before: number };
  const stop = context.stop();
  const { total } = await context.call(log.list, {
    end_timestamp: before - 1,
    p: 1,
    page_size: 1,
  });
  const files: { name: string; rows: number }[] = [];
  let rows = 0;
  let from = 0;
  try {
    while (!stop.aborted) {
      if (total > 0) output.progress(progressBar(Math.min(rows, total), total));
      const file = await context.call(log.archive, { place, before, from, keep });
      if (file === null) break;
      files.push({ name: file.name, rows: file.rows });
      rows += file.rows;
      from = file.next;
    }
  } finally {
    output.progress(undefined);
  }
  return {
    json: { place, files, rows, deleted: keep ? 0 : rows },
    print: () => {
      for (const file of files) output.line(file.name);
      if (rows === 0) return output.note(texts.none);
      output.note(keep ? texts.kept : texts.archived, { rows, files: files.length, place }, 'ok');
    },
    ...(stop.aborted && { exitCode: exitCodes.interrupted }),
  };
}

async function restore(context: Context): Promise<Outcome> {
  const { output } = context;
  const given = context.arguments['archive'] ?? '';
  const { place, names } = await filesOf(context, given);
  const stop = context.stop();
  const files: { name: string; restored: number; present: number }[] = [];
  const sum = { restored: 0, present: 0, expired: 0 };
  try {
    for (const name of names) {
      if (stop.aborted) break;
      const file = { name, restored: 0, present: 0 };
      files.push(file);
      let skip: number | null = 0;
      while (skip !== null && !stop.aborted) {
        output.progress(output.localize(texts.restoring, { name, rows: skip }));
        const done: { restored: number; present: number; expired: number; next: number | null } =
          await context.call(log.restore, { place, name, skip });
        file.restored += done.restored;
        file.present += done.present;
        for (const figure of ['restored', 'present', 'expired'] as const)
          sum[figure] += done[figure];
        skip = done.next;
      }
    }
  } finally {
    output.progress(undefined);
  }
  return {
    json: { place, files, ...sum },
    print: () => {
      if (names.length === 0) return output.note(texts.noFiles, { place }, 'warn');
      output.note(texts.restored, { ...sum, files: files.length }, 'ok');
      if (sum.present > 0) output.note(texts.present, sum);
      if (sum.expired > 0) output.note(texts.expired, sum, 'warn');
    },
    ...(names.length === 0 && { exitCode: exitCodes.failed }),
    ...(stop.aborted && { exitCode: exitCodes.interrupted }),
  };
}

export const logArchiveCommands: readonly Command[] = [
  command({
    name: 'logs archive',
    summary: {
      en: 'Write usage logs of before a time to compressed files, then delete them',
      zh: '将早于某时间的使用日志写入压缩文件，然后删除',
    },
    details: {
      en: "On the gateway's machine only. The gateway writes files of at most 50,000 rows, by month, to a folder that exists or to a bucket (with the settings BACKUP_S3_*), and deletes rows once their file is stored. Ctrl-C stops after a file; called again, it goes on.",
      zh: '只能在网关所在的机器上执行。由网关写入已存在的目录或存储桶（使用 BACKUP_S3_* 设置），按月分文件，每个文件至多 50,000 行；文件保存成功后才删除对应的行。按 Ctrl-C 会在写完一个文件后停止，再次执行即可继续。',
    },
    flags: [
      {
        name: 'before',
        kind: 'text',
        required: true,
        field: 'before',
        read: (text) => readTime('before', text),
        placeholder: 'DATE',
        summary: { en: 'Archive logs before this time', zh: '归档早于此时间的日志' },
      },
      {
        name: 'to',
        kind: 'text',
        required: true,
        placeholder: 'PLACE',
        summary: { en: 'A folder, or s3://bucket/path', zh: '目录，或 s3://存储桶/路径' },
      },
      {
        name: 'keep',
        kind: 'switch',
        summary: { en: 'Do not delete the rows', zh: '不删除已归档的行' },
      },
    ],
    confirmation: {
      en: 'Delete these usage logs once they are archived?',
      zh: '归档后删除这些使用日志？',
    },
    asksUnless: 'keep',
    run: archive,
  }),
  command({
    name: 'logs restore',
    summary: {
      en: 'Put archived usage logs back: a file, or all archives of a folder or bucket',
      zh: '恢复已归档的使用日志：单个文件，或目录、存储桶中的全部归档',
    },
    details: {
      en: "On the gateway's machine only. Takes what `logs archive` and the retention wrote. Rows that are there already are not written again, so that it can be repeated after an interruption. Balances, statements and sums do not change.",
      zh: '只能在网关所在的机器上执行。可恢复 logs archive 和自动保留策略写入的归档。已存在的行不会重复写入，中断后可再次执行。余额、账单和汇总不受影响。',
    },
    arguments: [
      {
        name: 'archive',
        kind: 'text',
        summary: {
          en: 'File, folder, or s3://bucket/path with or without a file',
          zh: '文件、目录，或 s3://存储桶/路径（可含文件名）',
        },
      },
    ],
    run: restore,
  }),
];

const texts = {
  bucket: {
    en: 'A bucket is written s3://bucket or s3://bucket/path',
    zh: '存储桶的写法是 s3://存储桶 或 s3://存储桶/路径',
  },
  none: { en: 'There are no usage logs before this time', zh: '没有早于此时间的使用日志' },
  archived: {
    en: '{rows} {rows:row|rows} archived in {place} ({files} {files:file|files}) and deleted',
    zh: '已将 {rows} 行归档到 {place}（{files} 个文件）并删除',
  },
  kept: {
    en: '{rows} {rows:row|rows} archived in {place} ({files} {files:file|files})',
    zh: '已将 {rows} 行归档到 {place}（{files} 个文件）',
  },
  restoring: { en: '{name}: {rows} rows', zh: '{name}：{rows} 行' },
  noFiles: { en: '{place} has no archives of usage logs', zh: '{place} 中没有使用日志的归档' },
  restored: {
    en: '{restored} {restored:row|rows} restored from {files} {files:file|files}',
    zh: '已从 {files} 个文件恢复 {restored} 行',
  },
  present: {
    en: '{present} {present:was|were} there already',
    zh: '其中 {present} 行原本就存在',
  },
  expired: {
    en: '{expired} {expired:row is|rows are} older than UsageLogDays or ErrorLogDays: the gateway archives and deletes {expired:it|them} again within the hour. Set these options to 0 or higher first',
    zh: '有 {expired} 行超过 UsageLogDays 或 ErrorLogDays 的天数：网关会在一小时内再次归档并删除。请先将这些选项设为 0 或更大的值',
  },
} as const;
