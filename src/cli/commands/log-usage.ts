/** `turnpike logs usage`: the sums of the dashboard (docs/rules/usage-logs.md). */

import type { UsageSummary } from '../../core/contract/data.ts';
import { api } from '../../core/contract/index.ts';
import { type Command, command } from '../command/command.ts';
import { download, fileArgument } from '../command/download.ts';
import { fieldFlag } from '../command/field-flag.ts';
import { timeFlags } from '../command/filter-flags.ts';
import { userFlag } from '../command/user-flag.ts';
import { type Column, printTable } from '../show/table.ts';

const { data } = api;

/** A line of the table: a model, or all models together. */
type Row = UsageSummary['totals'] & { readonly model: string };

const columns: readonly Column<Row>[] = [
  { title: { en: 'model', zh: '模型' }, value: (row) => row.model, narrow: 'elide' },
  { title: { en: 'requests', zh: '请求数' }, value: (row) => String(row.count), align: 'right' },
  { title: { en: 'tokens', zh: 'token' }, value: (row) => String(row.tokens), align: 'right' },
  {
    title: { en: 'cost', zh: '费用' },
    value: (row, view) => view.money.total(row.quota),
    align: 'right',
  },
];

export const logUsageCommand: Command = command({
  name: 'logs usage',
  summary: { en: 'Requests, tokens and cost by model', zh: '按模型统计请求数、token 与费用' },
  details: {
    en: 'Administrators see the whole site, everybody else their own usage. Default: the last day. With a file or --csv: a CSV line for each day, token and model, for at most ten years. --json also has the sums of each hour, day or week, how requests ended, and the balance.',
    zh: '管理员查看全站，其他用户查看自己的用量。默认最近一天。给出文件或 --csv 时输出 CSV，每天、每个令牌和每个模型一行，最长十年。--json 还包含每小时、每天或每周的合计，请求的结果以及余额。',
  },
  arguments: [fileArgument],
  flags: [
    userFlag(data.usage, 'username'),
    fieldFlag(data.usage, 'scope', {
      en: 'The whole site, or only yourself',
      zh: '全站，或仅自己',
    }),
    fieldFlag(data.usage, 'by', { en: 'Length of a span in --json', zh: '--json 中每段的长度' }),
    ...timeFlags(data.usage),
    { name: 'csv', kind: 'switch', summary: { en: 'Print CSV', zh: '输出 CSV' } },
  ],
  async run(context) {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const input = { ...context.values.input(), zone };
    if (context.values.on('csv') || context.arguments['file'] !== undefined) {
      const { by: _, ...range }: typeof input & { by?: unknown } = input;
      return download(context, () => context.call(data.exportActivity, range));
    }
    const found = await context.call(data.usage, input);
    return {
      json: found,
      async print(output, view) {
        const rows = found.models.map(
          ({ model_name: model, spans: _spans, ...sums }): Row => ({ ...sums, model }),
        );
        printTable(
          output,
          columns,
          [...rows, { ...found.totals, model: output.localize(texts.total) }],
          await view(),
        );
      },
    };
  },
});

const texts = { total: { en: 'all models', zh: '全部模型' } } as const;
