import { clampQuota } from '../../kernel/quota.ts';
import { topUpStatuses } from '../../vocabulary/statuses.ts';
import { toDecimal } from '../convert.ts';
import type { TableMapping } from './mapping.ts';

const statuses: readonly string[] = topUpStatuses;

export const topUpsMapping: TableMapping = {
  source: 'top_ups',
  target: 'top_ups',
  columns: {
    id: { as: 'integer' },
    user_id: { as: 'integer' },
    amount: { as: 'integer' },
    trade_no: { as: 'trimmed' },
    status: { as: 'trimmed' },
    payment_method: { as: 'trimmed' },
    create_time: { as: 'integer' },
    finish_time: { from: 'complete_time', as: 'integer' },
  },
  alsoRead: ['money'],
  same: ['trade_no'],
  figures: ['amount'],
  user: 'user_id',
  refine({ quotaPerUnit, holders }, notes) {
    const numbers = new Map(holders.tradeNumbers);
    return (draft, source) => {
      const id = Number(draft['id']);
      const given = String(draft['trade_no']);
      let tradeNo = given || `import-${id}`;
      if (![undefined, id].includes(numbers.get(tradeNo))) tradeNo = `${tradeNo}_${id}`;
      numbers.set(tradeNo, id);
      if (tradeNo !== given) notes.add('trade_number_suffixed', `${id} → ${tradeNo}`);
      const method = String(draft['payment_method']);
      if (method === '') notes.add('method_unknown', `${id} ${tradeNo}`);
      return {
        row: {
          ...draft,
          trade_no: tradeNo,
          payment_method: method || 'unknown',
          // New API's orders end as success or expired.
          status: statuses.includes(String(draft['status'])) ? String(draft['status']) : 'failed',
          money: clampQuota(Math.round(toDecimal(source['money']) * 100)),
          quota: clampQuota(Number(draft['amount']) * quotaPerUnit),
        },
      };
    };
  },
};
