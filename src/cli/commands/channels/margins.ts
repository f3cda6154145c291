/** `turnpike channels margins` (docs/rules/channels.md#channel-margins). */

import type { Margin, MarginSummary } from '../../../core/contract/data.ts';
import { api } from '../../../core/contract/index.ts';
import type { LossEntity } from '../../../core/contract/losses.ts';
import { type Command, command, listed } from '../../command/command.ts';
import { readTime } from '../../command/common-flags.ts';
import { fieldFlag } from '../../command/field-flag.ts';
import { type Column, printTable } from '../../show/table.ts';
import { formatTime } from '../../show/times.ts';

const { data } = api;

/** A line of the table: a channel, one of its models, or all channels together. */
type Row = Margin & { readonly channel: string; readonly model: string };

function rowsOf(
  { channels, totals }: MarginSummary,
  withModels: boolean,
  words: { total: string; unknown: string },
): Row[] {
  const lines = channels.flatMap(({ models, channel, name, ...sums }): Row[] => {
    const label =
      channel === 0 ? words.unknown : name === '' ? `#${channel}` : `#${channel} ${name}`;
    const ofModels = withModels
      ? models.map(({ model_name: model, ...row }): Row => ({ ...row, channel: '', model }))
      : [];
    return [{ ...sums, channel: label, model: '' }, ...ofModels];
  });
  return [...lines, { ...totals, channel: words.total, model: '' }];
}

const columns = (withModels: boolean): readonly Column<Row>[] => [
  { title: { en: 'channel', zh: '渠道' }, value: (row) => row.channel },
  ...(withModels ? [{ title: { en: 'model', zh: '模型' }, value: (row: Row) => row.model }] : []),
  { title: { en: 'requests', zh: '请求数' }, value: (row) => String(row.count), align: 'right' },
  {
    title: { en: 'revenue', zh: '收入' },
    value: (row, view) => view.money.total(row.quota),
    align: 'right',
  },
  {
    title: { en: 'cost', zh: '成本' },
    value: (row, view) =>
      row.cost === null ? texts.unknown[view.language] : view.money.total(Math.round(row.cost)),
    align: 'right',
  },
  {
    title: { en: 'margin', zh: '毛利' },
    value: (row, view) =>
      row.margin === null ? texts.unknown[view.language] : view.money.total(Math.round(row.margin)),
    tone: (row) => (row.margin !== null && row.margin < 0 ? 'error' : 'plain'),
    align: 'right',
  },
  {
    title: { en: 'share', zh: '毛利率' },
    value: (row) => (row.share === null ? '' : `${(row.share * 100).toFixed(1)}%`),
    align: 'right',
  },
  {
    title: { en: 'cost known', zh: '成本已知' },
    value: (row) =>
      row.count === 0 ? '' : `${((row.costed_count / row.count) * 100).toFixed(1)}%`,
    align: 'right',
  },
];

export const channelMarginCommand: Command = command({
  name: 'channels margins',
  summary: { en: 'Show what channels earned and cost', zh: '查看各渠道的收入、成本与毛利' },
  details: {
    en: 'A cost is known for requests of channels that named it (--cost) when the request was served. Margin and share are of those requests only. Default: the last 30 days.',
    zh: '仅当渠道在处理请求时已设置成本（--cost），该请求的成本才为已知；毛利与毛利率只计这些请求。默认最近 30 天。',
  },
  flags: [
    fieldFlag(
      data.margins,
      'start_timestamp',
      { en: 'From this time', zh: '起始时间' },
      { name: 'since', kind: 'text', placeholder: 'TIME', read: (text) => readTime('since', text) },
    ),
    fieldFlag(
      data.margins,
      'end_timestamp',
      { en: 'Up to this time', zh: '截止时间' },
      { name: 'until', kind: 'text', placeholder: 'TIME', read: (text) => readTime('until', text) },
    ),
    { name: 'models', kind: 'switch', summary: { en: 'Also by model', zh: '按模型细分' } },
  ],
  async run(context) {
    const { values } = context;
    const range = values.input() as { start_timestamp?: number; end_timestamp?: number };
    const end = range.end_timestamp ?? Math.floor(Date.now() / 1000);
    const input = { start_timestamp: end - 30 * 86_400, ...range, end_timestamp: end };
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const found = await context.call(data.margins, { ...input, zone, by: 'day' });
    const withModels = values.on('models');
    return {
      json: found,
      async print(output, view) {
        const words = {
          total: output.localize(texts.total),
          unknown: output.localize(texts.unnamed),
        };
        printTable(output, columns(withModels), rowsOf(found, withModels, words), await view());
      },
    };
  },
});

export const channelLossCommand: Command = command({
  name: 'channels losses',
  summary: { en: 'Where the site loses money now', zh: '当前正在亏损之处' },
  details: {
    en: 'Models sold below their cost, requests of unknown cost, balances that run out, upstreams that bill more than was booked, prices that differ from their sources, models without a price.',
    zh: '低于成本出售的模型、成本未知的请求、即将用完的余额、扣费多于记录的上游、与来源不一致的价格、没有价格的模型。',
  },
  async run(context) {
    const items = await context.call(api.losses.list, {});
    return listed({ items, total: items.length }, [
      {
        title: { en: 'since', zh: '开始于' },
        value: (row: LossEntity, view) => (row.since === 0 ? '' : formatTime(row.since, view.now)),
      },
      { title: { en: 'loss', zh: '亏损' }, value: (row) => row.text, tone: () => 'error' },
    ]);
  },
});

const texts = {
  total: { en: 'all channels', zh: '全部渠道' },
  unnamed: { en: '(not recorded)', zh: '（未记录）' },
  unknown: { en: 'unknown', zh: '未知' },
} as const;
