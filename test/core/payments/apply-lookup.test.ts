/** What becomes of an order by what its provider says of it. */
import { describe, expect, test } from 'vitest';
import { bindApplyLookup } from '../../../src/core/payments/apply-lookup.ts';
import type { OrderMethod, ProviderOrder } from '../../../src/core/payments/payment-method.ts';
import type { TopUp } from '../../../src/core/storage/storage.ts';

describe('what a provider says of an order', () => {
  const payment = { tradeNo: 'T1' };
  const owns = () => true;
  test.each<[ProviderOrder, string, boolean, unknown[]]>([
    [{ state: 'unpaid' }, '', false, []],
    [{ state: 'paid', payment } as never, '', true, [['paid', payment, owns]]],
    [{ state: 'closed' }, '', true, [['T1', 'closed']]],
    [{ state: 'closed' }, 'other sum', true, [['T1', 'other sum']]],
    [{ state: 'refunded', cents: 30 }, '', true, [['paid back', 'T1', 30]]],
    [{ state: 'refunded' }, 'other sum', true, [['paid back', 'T1', undefined]]],
  ])('%o, note %j', async (found, note, isSettled, done) => {
    const calls: unknown[] = [];
    const apply = bindApplyLookup({
      storage: { topUps: { fail: async (...given: unknown[]) => void calls.push(given) } as never },
      settle: {
        reported: async (...given: unknown[]) => void calls.push(['paid', ...given]),
      } as never,
      refunds: {
        beforeCredit: async ({ tradeNo }, cents) => void calls.push(['paid back', tradeNo, cents]),
      },
    });
    const order = { tradeNo: 'T1', note } as TopUp;
    const method = { owns, query: async () => found } as unknown as OrderMethod;
    expect(await apply(order, method)).toBe(isSettled);
    expect(calls).toEqual(done);
  });
});
