/** Orders of one-hub (model/order.go, model/payment.go, 2026-02-20). */
import type { TableMapping } from '../mapping/mapping.ts';
import { topUpsMapping } from '../mapping/top-ups.ts';
import type { OldSite } from './old-site.ts';

export const ordersFrom = ({ gateways }: OldSite): TableMapping => ({
  ...topUpsMapping,
  source: 'orders',
  columns: {
    id: { as: 'integer' },
    user_id: { as: 'integer' },
    amount: { as: 'integer' },
    quota: { as: 'integer' },
    trade_no: { as: 'trimmed' },
    status: { as: 'trimmed' },
    create_time: { from: 'created_at', as: 'integer' },
    finish_time: { from: 'updated_at', as: 'integer' },
  },
  alsoRead: ['gateway_id', 'order_amount'],
  figures: ['amount', 'quota'],
  refine(context, notes) {
    const finish = topUpsMapping.refine?.(context, notes);
    return (draft, source) => {
      const method = gateways.get(Number(source['gateway_id'])) ?? '';
      const order = { ...draft, payment_method: method };
      const mapped = finish?.(order, { money: source['order_amount'] }) ?? null;
      if (mapped === null) return null;
      const isPaid = mapped.row['status'] === 'success';
      return {
        row: {
          ...mapped.row,
          quota: Number(draft['quota']),
          finish_time: isPaid ? Number(draft['finish_time']) : 0,
        },
      };
    };
  },
});
