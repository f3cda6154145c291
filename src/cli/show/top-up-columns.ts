import type { ReceiptEntity, TopUpRecordEntity } from '../../core/contract/top-up.ts';
import { methodName } from '../../core/i18n/method-name.ts';
import { translate } from '../../core/i18n/translate.ts';
import { formatPaid } from '../../core/pricing/format-sums.ts';
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
    value: (row) => formatPaid(row.money),
    align: 'right',
    tone: () => 'money',
  },
  {
    title: { en: 'refunded', zh: '已退款' },
    value: (row) => (row.refunded === 0 ? '' : formatPaid(row.refunded)),
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

/** In the order of the console's page. */
export const receiptColumns: readonly Column<ReceiptEntity>[] = [
  { title: { en: 'received by', zh: '收款方' }, value: (row) => row.site_name },
  { title: { en: 'payer', zh: '付款方' }, value: (row) => row.payer_name || row.username },
  { title: { en: 'address', zh: '地址' }, value: (row) => row.payer_address },
  { title: { en: 'tax number', zh: '税号' }, value: (row) => row.payer_tax_number },
  { title: { en: 'order', zh: '订单号' }, value: ({ order }) => order.trade_no },
  {
    title: { en: 'paid on', zh: '支付时间' },
    value: ({ order, time_zone }) => `${order.finish_time_str} (${time_zone})`,
  },
  {
    title: { en: 'method', zh: '支付方式' },
    value: ({ order }, view) => methodName(view.language, order.payment_method),
  },
  {
    title: { en: 'paid, CNY', zh: '实付（元）' },
    value: ({ order }) => formatPaid(order.money),
    tone: () => 'money',
  },
  {
    title: { en: 'paid back, CNY', zh: '已退款（元）' },
    value: ({ order }) => (order.refunded === 0 ? '' : formatPaid(order.refunded)),
  },
  {
    title: { en: 'quota', zh: '额度' },
    value: ({ order }, view) => view.money.total(order.quota),
  },
];
