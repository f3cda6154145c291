/** `turnpike files …`: uploaded images and stored results (docs/rules/files.md). */
import type { StoredFile } from '../../core/contract/files.ts';
import { api } from '../../core/contract/index.ts';
import { type Command, command, done } from '../command/command.ts';
import { pageFlags } from '../command/paging.ts';
import { userFlag } from '../command/user-flag.ts';
import { type Column, printTable } from '../show/table.ts';
import { formatTime } from '../show/times.ts';

const { files } = api;

const megabytes = (bytes: number): string =>
  `${(bytes / (1024 * 1024)).toFixed(bytes < 10 * 1024 * 1024 ? 2 : 0)} MB`;

const columns: readonly Column<StoredFile>[] = [
  { title: { en: 'file', zh: '文件' }, value: (row) => row.url },
  { title: { en: 'user', zh: '用户' }, value: (row) => `#${row.user_id}` },
  { title: { en: 'size', zh: '大小' }, value: (row) => megabytes(row.size), align: 'right' },
  {
    title: { en: 'pixels', zh: '像素' },
    value: (row) => `${row.width} × ${row.height}`,
    narrow: 'drop',
  },
  {
    title: { en: 'uploaded', zh: '上传时间' },
    value: (row, view) => formatTime(row.created_at, view.now),
  },
  {
    title: { en: 'expires', zh: '到期时间' },
    value: (row, view) => formatTime(row.expires_at ?? 0, view.now),
  },
];

export const fileCommands: readonly Command[] = [
  command({
    name: 'files list',
    summary: { en: 'List uploaded images, newest first', zh: '列出上传的图片，新的在前' },
    flags: [...pageFlags(1), userFlag(files.list, 'user_id')],
    calls: files.list,
    columns,
  }),
  command({
    name: 'files usage',
    summary: { en: 'Show how much is stored', zh: '显示已用存储空间' },
    async run(context) {
      const usage = await context.call(files.usage, {});
      const rows = [
        { name: texts.uploads, ...usage.uploads },
        { name: texts.results, ...usage.results },
      ];
      return {
        json: usage,
        print: async (output, view) =>
          printTable(
            output,
            [
              { title: { en: 'kind', zh: '类别' }, value: (row) => output.localize(row.name) },
              {
                title: { en: 'files', zh: '文件数' },
                value: (row) => String(row.files),
                align: 'right',
              },
              {
                title: { en: 'size', zh: '大小' },
                value: (row) => megabytes(row.bytes),
                align: 'right',
              },
            ],
            rows,
            await view(),
          ),
      };
    },
  }),
  command({
    name: 'files clean',
    summary: { en: 'Delete expired files now', zh: '立即删除过期文件' },
    details: {
      en: 'The gateway does this every hour. Images that a model or an unfinished task shows stay.',
      zh: '网关每小时自动执行。模型或未完成任务正在使用的图片会保留。',
    },
    async run(context) {
      const { deleted } = await context.call(files.clean, {});
      return done(
        { en: 'Deleted {deleted} {deleted:file|files}', zh: '已删除 {deleted} 个文件' },
        { deleted },
        { deleted },
      );
    },
  }),
];

const texts = {
  uploads: { en: 'uploaded images', zh: '上传的图片' },
  results: { en: 'stored results', zh: '保存的结果' },
} as const;
