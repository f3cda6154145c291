import { expect, test } from 'vitest';
import { carryGroupRates } from '../../../src/core/import/group-rates.ts';
import { openDatabase } from '../../../src/core/open-database.ts';
import { testMasterKey } from '../../support/storage.ts';

const options = (more: Readonly<Record<string, string>>) =>
  new Map(Object.entries({ ModelRequestRateLimitEnabled: 'true', ...more }));
const groups = { ModelRequestRateLimitGroup: '{"default":[30,20],"vip":[0,1000],"odd":[0,0]}' };

test('rates of groups become those of each of their users, once', async () => {
  const storage = await openDatabase({ url: 'sqlite::memory:', masterKey: testMasterKey });
  try {
    const given = options({ ...groups, ModelRequestRateLimitCount: '100' });
    const planned = await carryGroupRates(given, null, 5);
    expect(await carryGroupRates(given, storage, 5)).toEqual(planned);
    expect(planned).toMatchObject({ read: 3, carried: 2, leftOut: 1, alreadyThere: 0 });
    const notes = planned?.notes.map(({ reason, examples }) => [reason, examples]);
    expect(Object.fromEntries(notes ?? [])).toEqual({
      limit_becomes_budget: ['default: 30', 'vip: 1000'],
      group_rate_above_site: ['vip: 1000'],
      limit_left_out: ['odd'],
    });
    const made = (await storage.budgets.list()).map((budget) => [
      budget.owner,
      budget.ownerId,
      budget.each,
      budget.period,
      budget.amount,
      budget.requestsPerMinute,
    ]);
    expect(made).toEqual([
      ['group', 'default', 'user', 'none', 0, 30],
      ['group', 'vip', 'user', 'none', 0, 1000],
    ]);
    expect(await carryGroupRates(given, storage, 9)).toMatchObject({ carried: 0, alreadyThere: 2 });
    expect(await storage.budgets.list()).toHaveLength(2);
  } finally {
    await storage.close();
  }
});

test('rates of several minutes are their part of one; those that were off are none', async () => {
  const slow = options({ ...groups, ModelRequestRateLimitDurationMinutes: '60' });
  const report = await carryGroupRates(slow, null, 5);
  expect(report?.notes).toContainEqual({
    reason: 'limit_becomes_budget',
    count: 2,
    examples: ['default: 1', 'vip: 16'],
  });
  const off = new Map([...options(groups), ['ModelRequestRateLimitEnabled', 'false']]);
  expect(await carryGroupRates(off, null, 5)).toBeUndefined();
  expect(await carryGroupRates(options({}), null, 5)).toBeUndefined();
  const odd = options({ ModelRequestRateLimitGroup: '[1]' });
  expect(await carryGroupRates(odd, null, 5)).toBeUndefined();
});
