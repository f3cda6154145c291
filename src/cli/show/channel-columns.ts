import type { ChannelEntity } from '../../core/contract/entities.ts';
import { formatBalance } from '../../core/pricing/format-sums.ts';
import { channelTypeInfo } from '../../core/vocabulary/channel-types.ts';
import type { ChannelMark } from '../../core/vocabulary/loss-kinds.ts';
import { type Language, localize, type Text } from '../base/text.ts';
import { channelStateLabel, channelStateReason, channelStateTone } from './channel-state.ts';
import type { Column } from './table.ts';
import { formatResponse, formatTime } from './times.ts';

const splitList = (text: string) => text.split(',').filter(Boolean);

const keyModes: Readonly<Record<'random' | 'polling', Text>> = {
  random: { en: 'random', zh: '随机' },
  polling: { en: 'round robin', zh: '轮询' },
};

/** `3, round robin; disabled: #2 (invalid key)`; empty for a channel with one key. */
function keysText(
  { multi_key: keys }: Pick<ChannelEntity, 'multi_key'>,
  language: Language,
): string {
  if (keys === undefined) return '';
  const off = keys.disabled.map(({ position, reason }) => `#${position} (${reason})`).join(', ');
  const whole = `${keys.size}, ${keyModes[keys.mode][language]}`;
  return off === '' ? whole : `${whole}; ${localize(language, keysOff, { off })}`;
}
const keysOff: Text = { en: 'disabled: {off}', zh: '已停用：{off}' };

/**
 * Seconds with two digits; empty if the channel was never tested. A failed last test is shown
 * instead of an older time.
 */
function responseText(
  { test_error: error, response_time: ms }: ChannelEntity,
  language: Language,
): string {
  return error === undefined ? formatResponse(ms) : failed[language];
}
const failed: Text = { en: 'failed', zh: '失败' };

/** What is wrong with prices and costs, in short. */
const marks: Readonly<Record<ChannelMark, Text>> = {
  below_cost: { en: 'below cost', zh: '低于成本' },
  unknown_cost: { en: 'unknown cost', zh: '成本未知' },
  balance: { en: 'balance low', zh: '余额不足' },
  billed_more: { en: 'billed more', zh: '多扣费' },
  price: { en: 'other price', zh: '价格不一致' },
  unpriced: { en: 'no price', zh: '未定价' },
};

/** Each kind once. */
function marksText({ marks: own = [] }: ChannelEntity, language: Language): string {
  const kinds = new Set(own.map(({ kind }) => kind));
  return [...kinds].map((kind) => marks[kind][language]).join(', ');
}

export const channelColumns: readonly Column<ChannelEntity>[] = [
  { title: { en: 'id', zh: '编号' }, value: (row) => String(row.id), align: 'right', width: 4 },
  { title: { en: 'name', zh: '名称' }, value: (row) => row.name, narrow: 'elide' },
  {
    title: { en: 'type', zh: '类型' },
    value: (row) => channelTypeInfo(row.type)?.name ?? String(row.type),
    width: 8,
    expendable: 2,
    narrow: 'elide',
  },
  {
    title: { en: 'status', zh: '状态' },
    value: channelStateLabel,
    tone: channelStateTone,
    width: 13,
  },
  { title: { en: 'group', zh: '分组' }, value: (row) => row.group, width: 0, narrow: 'drop' },
  {
    title: { en: 'resp', zh: '响应' },
    value: (row, view) => responseText(row, view.language),
    tone: (row) => (row.test_error === undefined ? 'plain' : 'error'),
    align: 'right',
    width: 7,
    expendable: 3,
  },
  {
    title: { en: 'used', zh: '已用' },
    value: (row, view) => view.money.total(row.used_quota),
    align: 'right',
    width: 9,
  },
  {
    title: { en: 'balance', zh: '上游余额' },
    value: (row) =>
      row.balance_updated_time === 0
        ? ''
        : formatBalance({ amount: row.balance, currency: row.balance_currency ?? '' }),
    align: 'right',
    width: 0,
    narrow: 'drop',
  },
  {
    title: { en: 'pri', zh: '优先' },
    value: (row) => String(row.priority),
    align: 'right',
    width: 4,
  },
  { title: { en: 'wt', zh: '权重' }, value: (row) => String(row.weight), align: 'right', width: 4 },
  {
    title: { en: 'models', zh: '模型' },
    value: (row) => String(splitList(row.models).length),
    align: 'right',
    width: 6,
    expendable: 1,
  },
  {
    title: { en: 'prices', zh: '价格与成本' },
    value: (row, view) => marksText(row, view.language),
    tone: () => 'warn',
    width: 0,
    narrow: 'drop',
  },
  {
    title: { en: 'prices and costs', zh: '价格与成本说明' },
    value: (row) => (row.marks ?? []).map(({ text }) => text).join('; '),
    cardOnly: true,
  },
  { title: { en: 'tag', zh: '标签' }, value: (row) => row.tag, cardOnly: true },
  { title: { en: 'base URL', zh: '地址' }, value: (row) => row.base_url, cardOnly: true },
  {
    title: { en: 'model names', zh: '模型名称' },
    value: (row) => splitList(row.models).join(', '),
    cardOnly: true,
  },
  {
    title: { en: 'model mapping', zh: '模型重定向' },
    value: (row) => row.model_mapping,
    cardOnly: true,
  },
  {
    title: { en: 'keys', zh: '密钥' },
    value: (row, view) => keysText(row, view.language),
    cardOnly: true,
  },
  { title: { en: 'reason', zh: '原因' }, value: channelStateReason, cardOnly: true },
  {
    title: { en: 'tested', zh: '测试时间' },
    value: (row, view) => formatTime(row.test_time, view.now),
    cardOnly: true,
  },
  {
    title: { en: 'test failed', zh: '测试失败' },
    value: (row) => row.test_error ?? '',
    cardOnly: true,
  },
  {
    title: { en: 'created', zh: '创建时间' },
    value: (row, view) => formatTime(row.created_time, view.now),
    cardOnly: true,
  },
];
