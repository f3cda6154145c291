import { topUpStatuses } from '../vocabulary/statuses.ts';
import { defineFilters } from './filters.ts';

/** The filters of top-up orders (docs/rules/payments.md#orders). */
export const topUpFilters = defineFilters({
  order: {
    kind: 'text',
    match: 'part',
    wire: 'trade_no',
    url: 'q',
    trim: true,
    label: { en: 'order number', zh: '订单号' },
    help: { en: 'Part of the order number', zh: '订单号的一部分' },
  },
  time: {
    kind: 'time',
    wire: ['start_time', 'end_time'],
    column: 'create_time',
    label: { en: 'ordered', zh: '下单时间' },
  },
  status: {
    kind: 'text',
    wire: 'status',
    choices: topUpStatuses,
    only: true,
    label: { en: 'status', zh: '状态' },
  },
  /** The service looks up the user of a name. */
  user: {
    kind: 'text',
    names: 'user',
    wire: 'username',
    trim: true,
    own: true,
    for: 'admins',
    label: { en: 'user', zh: '用户' },
  },
});
