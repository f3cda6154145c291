import type { TopUpRecordEntity } from '../../core/contract/top-up.ts';
import { methodName } from '../../core/i18n/method-name.ts';
import { translate } from '../../core/i18n/translate.ts';
import { topUpTones } from '../../core/vocabulary/status-tones.ts';
import { toneColours } from './labels.ts';
import type { Column } from './table.ts';
import { formatTime } from './times.ts';

export const topUpColumns: readonly Column<TopUpRecordEntity>[] = [
  { title: { en: 'order', zh: '订单号' }, value: (row) => row.trade_no },
  {
    title: { en: 'created', zh: '创建时间' },
    value: (row, view) => formatTime(row.create_time, view.now),
    narrow: 'drop',
  },
  { title: { en: 'user', zh: '用户' }, value: (row) => row.username ?? '', narrow: 'elide' },
  {
    title: { en: 'yuan', zh: '金额（元）' },
    value: (row) => row.money.toFixed(2),
    align: 'right',
    tone: () => 'money',
  },
  {
    title: { en: 'refunded', zh: '已退款' },
    value: (row) => (row.refunded === 0 ? '' : row.refunded.toFixed(2)),
    align: 'right',
    narrow: 'drop',
  },
  {
    title: { en: 'quota', zh: '额度' },
    value: (row, view) => view.money.total(row.quota),
    align: 'right',
  },
  {
    title: { en: 'method', zh: '支付方式' },
    value: (row, view) => methodName(view.language, row.payment_method),
    narrow: 'drop',
  },
  {
    title: { en: 'status', zh: '状态' },
    value: (row, view) => translate(view.language, `status.topUp.${row.status}`),
    tone: (row) => toneColours[topUpTones[row.status]],
  },
  {
    title: { en: 'finished', zh: '完成时间' },
    value: (row, view) => formatTime(row.finish_time, view.now),
    narrow: 'drop',
  },
  { title: { en: 'note', zh: '备注' }, value: (row) => row.note ?? '', narrow: 'elide' },
];
