import { expect, test } from 'vitest';
import { recoverCharges } from '../../../src/core/billing/index.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { chargeOf } from '../storage/journal/charges.ts';
import { codeOf } from './ledger-support.ts';

test('a start does not wait for ever for tables that cannot be written, and does not take the journal for applied', async () => {
  let now = 0;
  const sleep = async (ms: number) => {
    now += ms;
  };
  const clock = { now: () => now, sleep };
  const recovery = recoverCharges({
    storage: { ledger: { appliedCharge: async () => 0 } } as never,
    commit: () => Promise.reject(new Error('full')),
    charges: [{ ...chargeOf(1, 'a', 5), sequence: 1 }],
    clock,
    logger: silentLogger,
  });
  expect(await codeOf(recovery)).toBe('ledger_unavailable');
  expect(now).toBeLessThan(60_000);
});
