/**
 * Random years of what changes balances outside of requests: orders, notices in any order, refunds,
 * codes, gifts, edits and invites, with a ledger that fails now and then. An independent model says
 * what each balance is after every step, once the jobs have run.
 */
import { expect, test } from 'vitest';
import type { Statement } from '../../../src/core/billing/statement.ts';
import { statementFile } from '../../../src/core/billing/statement-csv.ts';
import { fc, runs } from '../../support/property.ts';
import { year } from './year-model.ts';
import { act, notify, openYear, runJobs, type World } from './year-world.ts';

async function checkStatements({ app, operator, model }: World, who: number, id: number) {
  const balance = model.balances[who] ?? 0;
  const newest: Statement = await app.billing.statement(id);
  let opening = newest.closing;
  expect(opening).toBe(balance);
  for (const month of newest.months) {
    const one = await app.billing.statement(id, month);
    expect(one).toMatchObject({ closing: opening, difference: 0 });
    opening = one.opening;
    const file = statementFile(app.billing, one, {
      quotaPerUnit: 500_000,
      describe: async (postings) => postings.map(() => ''),
    });
    let text = '';
    for await (const chunk of file.chunks) text += chunk;
    const amounts = text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => Number(line.split(',')[4]));
    const closing = amounts.pop();
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(closing);
  }
  expect(opening).toBe(0);
  const { items, total } = await operator.ledger.list({ user_id: id, page_size: 100 });
  if (total === items.length)
    expect(items.reduce((sum, { amount }) => sum + amount, 0)).toBe(balance);
}

test('a year of payments, refunds, codes, gifts and invites is exact to one unit', async () => {
  await fc.assert(
    fc.asyncProperty(year, async (steps) => {
      const world = await openYear();
      const { app, clock, users, model } = world;
      for (const { step: given, isSwept, after } of steps) {
        clock.move(after * 1000);
        await act(world, given);
        if (isSwept) await runJobs(world);
        const balances = await Promise.all(
          users.map(async (id) => (await app.ledger.balance(id)).quota),
        );
        expect(balances, JSON.stringify(given)).toEqual(model.balances);
      }
      // Whatever was lost comes again: nothing is credited twice.
      for (const one of model.orders) if (one.paid) await notify(world, one, 'none');
      await runJobs(world);
      for (const [who, id] of users.entries()) await checkStatements(world, who, id);
      expect(await app.billing.verify()).toMatchObject({ ok: true, drifts: [] });
      await app.close();
    }),
    runs(6),
  );
});
