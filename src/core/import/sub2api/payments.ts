/** Codes and orders of a sub2api site. */
import { redemptionStatuses } from '../../vocabulary/statuses.ts';
import { toTrimmed } from '../convert.ts';
import type { TableMapping } from '../mapping/mapping.ts';
import { redemptionsMapping } from '../mapping/redemptions.ts';
import { topUpsMapping } from '../mapping/top-ups.ts';

const codeStatuses: Readonly<Record<string, number>> = {
  unused: redemptionStatuses.unused,
  used: redemptionStatuses.used,
};

/** Only codes that add to a balance: there is nothing here that others could give. */
export const codesMapping: TableMapping = {
  ...redemptionsMapping,
  source: 'redeem_codes',
  columns: {
    id: { as: 'integer' },
    key: { from: 'code', as: 'trimmed' },
    status: { as: 'trimmed' },
    name: { from: 'notes', as: 'trimmed' },
    quota: { from: 'value', as: 'money' },
    created_time: { from: 'created_at', as: 'instant' },
    redeemed_time: { from: 'used_at', as: 'instant' },
    used_user_id: { from: 'used_by', as: 'integer' },
    expired_time: { from: 'expires_at', as: 'instant' },
  },
  alsoRead: ['type', 'group_id', 'validity_days'],
  refine(context, notes) {
    const finish = redemptionsMapping.refine?.(context, notes);
    return (draft, source) => {
      const kind = toTrimmed(source['type']);
      if (kind !== 'balance') {
        notes.add('code_kind_left_out', `${draft['id']}: ${kind}`);
        return null;
      }
      const row = {
        ...draft,
        user_id: 0,
        name: [...String(draft['name'])].slice(0, 20).join(''),
        status: codeStatuses[String(draft['status'])] ?? redemptionStatuses.disabled,
        deleted_at: null,
      };
      return finish?.(row, source) ?? null;
    };
  },
};

/** What was paid and not credited yet stays open, for an administrator to complete. */
const orderStatuses: Readonly<Record<string, string>> = {
  PENDING: 'pending',
  PAID: 'pending',
  RECHARGING: 'pending',
  COMPLETED: 'success',
  PARTIALLY_REFUNDED: 'success',
  REFUND_REQUESTED: 'success',
  REFUNDING: 'success',
  REFUND_FAILED: 'success',
};

export const ordersMapping: TableMapping = {
  ...topUpsMapping,
  source: 'payment_orders',
  columns: {
    id: { as: 'integer' },
    user_id: { as: 'integer' },
    amount: { as: 'integer' },
    quota: { from: 'amount', as: 'money' },
    trade_no: { from: 'out_trade_no', as: 'trimmed' },
    status: { as: 'trimmed' },
    payment_method: { from: 'payment_type', as: 'trimmed' },
    create_time: { from: 'created_at', as: 'instant' },
    finish_time: { from: 'completed_at', as: 'instant' },
  },
  alsoRead: ['pay_amount', 'order_type', 'user_email', 'user_name', 'updated_at', 'expires_at'],
  figures: ['quota'],
  refine(context, notes) {
    const finish = topUpsMapping.refine?.(context, notes);
    return (draft, source) => {
      const status = orderStatuses[String(draft['status']).toUpperCase()] ?? 'failed';
      const mapped = finish?.({ ...draft, status }, { money: source['pay_amount'] }) ?? null;
      if (mapped === null) return null;
      const isBalance = toTrimmed(source['order_type'] ?? 'balance') === 'balance';
      return { row: { ...mapped.row, quota: isBalance ? Number(draft['quota']) : 0 } };
    };
  },
};
