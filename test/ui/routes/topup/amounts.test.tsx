import { describe, expect, it } from 'vitest';
import { offeredMethods } from '../../../../src/core/vocabulary/payment-methods.ts';
import { amountRules } from '../../../../src/ui/routes/topup/amounts.ts';
import { warningThreshold } from '../../../../src/ui/routes/topup/balance.tsx';
import { sumDays } from '../../../../src/ui/routes/topup/use-fortnight.ts';
import { remainingText } from '../../../../src/ui/routes/topup/wechat-dialog.tsx';

describe('amounts of a top-up', () => {
  const site = { min_topup: 1, display_in_currency: true, quota_per_unit: 500_000 };

  it('are currency units, or quota while the site shows amounts as quota', () => {
    expect(amountRules(site)).toEqual({ min: 1, picks: [10, 20, 50, 100, 200, 500] });
    expect(amountRules({ ...site, display_in_currency: false, min_topup: 2 })).toEqual({
      min: 1_000_000,
      picks: [10, 20, 50, 100, 200, 500].map((units) => units * 500_000),
    });
  });

  it('that are offered are never below the minimum, and are whole', () => {
    expect(amountRules({ ...site, min_topup: 30 }).picks).toEqual([30, 60, 150, 300, 600, 1500]);
    const odd = amountRules({ min_topup: 1, display_in_currency: false, quota_per_unit: 1.5 });
    expect([odd.min, ...odd.picks].every(Number.isInteger)).toBe(true);
    expect(odd.min).toBe(2);
  });
});

describe('payment methods', () => {
  const ids = (enable_epay: boolean, enable_wechat_pay: boolean) =>
    offeredMethods({ enable_epay, enable_wechat_pay }).map(({ id }) => id);

  it('are those of the providers that are on, each app once', () => {
    expect(ids(false, false)).toEqual([]);
    expect(ids(true, false)).toEqual(['alipay', 'wxpay']);
    expect(ids(false, true)).toEqual(['wechatpay']);
    expect(ids(true, true)).toEqual(['wechatpay', 'alipay']);
  });
});

describe('the balance', () => {
  it('is low below the limit that the user has set', () => {
    expect(warningThreshold('{"quota_warning_threshold":1500000}')).toBe(1_500_000);
    for (const setting of [
      '',
      '{',
      '{}',
      '[]',
      '{"quota_warning_threshold":"1"}',
      '{"quota_warning_threshold":-1}',
    ])
      expect(warningThreshold(setting)).toBe(500_000);
  });

  it('is spent by day in the reader’s time zone', () => {
    const now = new Date(2026, 10, 20, 15);
    const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime() / 1000;
    const rows = [
      { created_at: at(6, 23), quota: 100 },
      { created_at: at(7, 0), quota: 20 },
      { created_at: at(13, 23), quota: 3 },
      { created_at: at(14, 0), quota: 4 },
      { created_at: at(20, 0), quota: 5 },
      { created_at: at(20, 14), quota: 6 },
    ];
    const { days, total, week } = sumDays(rows, now);
    expect(days.map(({ quota }) => quota)).toEqual([20, 0, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0, 0, 11]);
    expect([total, week]).toEqual([38, 15]);
  });
});

it.each([
  [7_200_000, '2:00:00'],
  [7_199_001, '2:00:00'],
  [3_599_000, '59:59'],
  [9_400, '0:10'],
  [0, '0:00'],
  [-5, '0:00'],
])('%d ms until a code expires are shown as %s', (ms, text) => {
  expect(remainingText(ms)).toBe(text);
});
