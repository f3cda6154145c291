import { expect, test } from 'vitest';
import { recoverCharges } from '../../../src/core/billing/index.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { batchOfText } from '../../../src/core/storage/ledger/settlement.ts';
import { RefusedItemError } from '../../../src/core/storage/ledger/write-errors.ts';
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

/** Recovers charges of these numbers where the tables have those up to `applied`. */
async function recover(applied: number, numbers: readonly number[], refused?: number) {
  const written: unknown[] = [];
  const logged: unknown[] = [];
  const note = (fields: object, message: string) => void logged.push([message, fields]);
  const last = await recoverCharges({
    storage: { ledger: { appliedCharge: async () => applied } } as never,
    commit: async (batch) => {
      const requests = batchOfText(batch).map((item) => 'requestId' in item && item.requestId);
      if (requests.includes(`r${refused}`)) throw new RefusedItemError(new Error('constraint'));
      written.push(...requests);
      return requests.map(() => ({ done: true, balance: 0 }));
    },
    charges: numbers.map((sequence) => ({ ...chargeOf(1, `r${sequence}`, 5), sequence })),
    clock: { now: () => 0, sleep: async () => {} },
    logger: { ...silentLogger, info: note, error: note },
  });
  return { last, written, logged };
}
const recovered = 'charges that the last process left in its journal were written into the tables';
const lacking = 'the journal lacks charges: its file was damaged, or the machine lost power';

test('what the tables have is not written again', async () => {
  expect(await recover(7, [6, 7])).toEqual({ last: 7, written: [], logged: [] });
  expect(await recover(7, [])).toEqual({ last: 7, written: [], logged: [] });
  expect(await recover(7, [7, 8, 9])).toEqual({
    last: 9,
    written: ['r8', 'r9'],
    logged: [[recovered, { charges: 2 }]],
  });
});

test('charges that a journal lacks are counted', async () => {
  expect(await recover(1, [2, 5, 6])).toEqual({
    last: 6,
    written: ['r2', 'r5', 'r6'],
    logged: [
      [recovered, { charges: 3 }],
      [lacking, { missing: 2 }],
    ],
  });
});

test('a charge that is refused by its data is reported, and stops no other', async () => {
  const { last, written, logged } = await recover(0, [1, 2, 3], 2);
  expect([last, written]).toEqual([3, ['r1', 'r3']]);
  expect(logged).toMatchObject([
    ['a settlement was refused and is not in the ledger', { settlement: { requestId: 'r2' } }],
    [recovered, { charges: 2 }],
  ]);
});
