/** `turnpike logs tags`: whose money went where (docs/rules/tags.md#sums). */
import { api } from '../../core/contract/index.ts';
import type { TagUsage } from '../../core/contract/tag-usage.ts';
import { type Command, command } from '../command/command.ts';
import { download, fileArgument } from '../command/download.ts';
import { fieldFlag } from '../command/field-flag.ts';
import { timeFlags } from '../command/filter-flags.ts';
import { userFlag } from '../command/user-flag.ts';
import { type Column, printTable } from '../show/table.ts';

const { data } = api;

/** A line of the table: a tag in one span, or in all. */
interface Row {
  readonly time: string;
  readonly tag: string;
  readonly count: number;
  readonly tokens: number;
  readonly quota: number;
}

const columns: readonly Column<Row>[] = [
  { title: { en: 'time', zh: '时间' }, value: (row) => row.time },
  { title: { en: 'tag', zh: '标签' }, value: (row) => row.tag, narrow: 'elide' },
  { title: { en: 'requests', zh: '请求数' }, value: (row) => String(row.count), align: 'right' },
  { title: { en: 'tokens', zh: 'token' }, value: (row) => String(row.tokens), align: 'right' },
  {
    title: { en: 'cost', zh: '费用' },
    value: (row, view) => view.money.total(row.quota),
    align: 'right',
  },
];

/** One row per span and tag with a request. */
function rowsOf({ starts, tags, by }: TagUsage, other: string): readonly Row[] {
  return starts.flatMap((start, at) =>
    tags.flatMap(({ tag, spans }) => {
      const count = spans.count[at] ?? 0;
      if (count === 0) return [];
      const time = new Date(start * 1000).toLocaleString('sv-SE').slice(0, by === 'hour' ? 16 : 10);
      const figures = { count, quota: spans.quota[at] ?? 0, tokens: spans.tokens[at] ?? 0 };
      return [{ time, tag: tag || other, ...figures }];
    }),
  );
}

export const logTagsCommand: Command = command({
  name: 'logs tags',
  summary: {
    en: 'Requests, tokens and cost by tag and day',
    zh: '按标签和日期统计请求数、token 与费用',
  },
  details: {
    en: 'A request counts for each of its tags. With a file or --csv: as CSV, which has all tags. Administrators see the whole site, everybody else their own usage. Default: the last day.',
    zh: '一个请求计入其每个标签。给出文件或 --csv 时输出包含全部标签的 CSV。管理员查看全站，其他用户查看自己的用量。默认最近一天。',
  },
  arguments: [fileArgument],
  flags: [
    userFlag(data.tags, 'username'),
    fieldFlag(data.tags, 'scope', {
      en: 'The whole site, or only yourself',
      zh: '全站，或仅自己',
    }),
    fieldFlag(
      data.tags,
      'begins',
      { en: 'Only tags that begin with this', zh: '仅以此开头的标签' },
      { placeholder: 'TEXT' },
    ),
    fieldFlag(data.tags, 'by', {
      en: 'Length of a span (default: day)',
      zh: '每段的长度（默认 day）',
    }),
    ...timeFlags(data.tags),
    { name: 'csv', kind: 'switch', summary: { en: 'Print CSV', zh: '输出 CSV' } },
  ],
  async run(context) {
    const { values, output } = context;
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const input = { by: 'day' as const, ...values.input(), zone };
    if (values.on('csv') || context.arguments['file'] !== undefined)
      return download(context, () => context.call(data.exportTags, input));
    const found = await context.call(data.tags, input);
    return {
      json: found,
      print: async (to, view) =>
        printTable(to, columns, rowsOf(found, output.localize(texts.other)), await view()),
    };
  },
});

const texts = { other: { en: '(other tags)', zh: '（其他标签）' } } as const;
