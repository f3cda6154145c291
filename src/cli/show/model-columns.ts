import type { ManagedModel } from '../../core/contract/model-square.ts';
import { decimal } from '../../core/kernel/decimal.ts';
import { formatPrice } from '../../core/pricing/format.ts';
import { catalogPriceTypes, catalogStatuses } from '../../core/vocabulary/model-square.ts';
import { localize, type Text } from '../base/text.ts';
import type { Column } from './table.ts';
import { formatTime } from './times.ts';

const words = {
  enabled: { en: 'enabled', zh: '启用' },
  disabled: { en: 'disabled', zh: '停用' },
  free: { en: 'free', zh: '免费' },
  billed: { en: 'billed', zh: '计费' },
  unpriced: { en: 'no price', zh: '未定价' },
  perCall: { en: 'per call', zh: '每次' },
} as const satisfies Record<string, Text>;

export const modelColumns: readonly Column<ManagedModel>[] = [
  { title: { en: 'model', zh: '模型' }, value: (row) => row.model },
  {
    title: { en: 'status', zh: '状态' },
    value: (row, view) =>
      localize(
        view.language,
        row.status === catalogStatuses.enabled ? words.enabled : words.disabled,
      ),
    tone: (row) => (row.status === catalogStatuses.enabled ? 'ok' : 'dim'),
  },
  {
    title: { en: 'type', zh: '类型' },
    value: (row, view) => (view.language === 'en' && row.type_en ? row.type_en : row.type),
  },
  { title: { en: 'vendor', zh: '厂商' }, value: (row) => row.manufacturer, narrow: 'elide' },
  { title: { en: 'tags', zh: '标签' }, value: (row) => row.tags.join(', '), narrow: 'drop' },
  { title: { en: 'context', zh: '上下文' }, value: (row) => row.context, align: 'right' },
  {
    title: { en: 'size', zh: '规格' },
    value: (row) => row.specification.join(', '),
    narrow: 'drop',
  },
  {
    title: { en: 'billing', zh: '计费类型' },
    value: (row, view) =>
      localize(
        view.language,
        row.price_type === catalogPriceTypes.free ? words.free : words.billed,
      ),
    narrow: 'drop',
  },
  {
    title: { en: 'price', zh: '价格' },
    value: (row, view) => {
      if (row.unpriced) return localize(view.language, words.unpriced);
      if (row.quota_type === 1)
        return `${formatPrice(decimal(row.model_price)).text} ${localize(view.language, words.perCall)}`;
      return `×${row.model_ratio} ×${row.completion_ratio}`;
    },
    align: 'right',
  },
  {
    title: { en: 'groups', zh: '可用分组' },
    value: (row) => row.enable_group.join(', '),
    narrow: 'drop',
  },
  { title: { en: 'published', zh: '发布日期' }, value: (row) => row.publish_time },
  {
    title: { en: 'tags in English', zh: '英文标签' },
    value: (row) => row.tags_en.join(', '),
    cardOnly: true,
  },
  { title: { en: 'description', zh: '描述' }, value: (row) => row.description, cardOnly: true },
  {
    title: { en: 'description in English', zh: '英文描述' },
    value: (row) => row.description_en,
    cardOnly: true,
  },
  { title: { en: 'logo', zh: '图标' }, value: (row) => row.icon, cardOnly: true },
  {
    title: { en: 'updated', zh: '更新时间' },
    value: (row, view) => formatTime(row.updated_time, view.now),
    cardOnly: true,
  },
];
