/** The cases of vendor-prices.test.ts by every caller's format that can express them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { callers } from './token-cases.ts';
import {
  calledCases,
  everyCase,
  peak,
  quotaOf,
  startVendorSite,
  type VendorSite,
} from './vendor-site.ts';

let site: VendorSite;
beforeAll(async () => {
  site = await startVendorSite();
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: peak });
});
afterAll(() => site.close());

describe('is charged as its vendor lists it', () => {
  it.each(calledCases)('$model $what, by $caller (stream: $stream)', async (row) => {
    const { quota } = await site.chargeOf(row.caller, row.model, row.stream, row);
    expect(quota).toBe(quotaOf(row.dollars));
  });
});

describe('Responses by WebSocket', () => {
  it.each(everyCase.filter(({ by = callers }) => by.includes('responses')))(
    '$model $what',
    async (said) => {
      expect(await site.overSocket(said.model, said)).toBe(quotaOf(said.dollars));
    },
  );
});
