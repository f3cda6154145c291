/**
 * A month ends while requests are counted and charged: row, posting, hourly sum and statement of each
 * say the same second (docs/rules/ledger.md#statement).
 */
import { expect, test, vi } from 'vitest';
import { startCallBench } from '../../../support/calls.ts';
import { sendJson } from '../../../support/upstream.ts';

/** Every look at the clock is so much later than the one before, in milliseconds. */
const pace = 350;
const requests = 12;
const monthOf = (second: number) => {
  const at = new Date(second * 1000);
  return `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}`;
};
const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0);

test('row, posting, hourly sum and statement are of one second at the end of a month', async () => {
  const bench = await startCallBench('gpt-4o');
  const { gateway, upstream } = bench;
  const { userId, key, username } = await gateway.addCustomer(1e8);
  // No usage, so that the tokens are counted before the charge.
  upstream.answer((response) => {
    const message = { role: 'assistant', content: 'A long answer to a short question' };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    sendJson(response, 200, { id: 'c', object: 'chat.completion', created: 1, choices });
  });
  // Months are those of the server's time zone; the customer is of today, so this is later.
  const today = new Date();
  const edge = new Date(today.getFullYear(), today.getMonth() + 2, 1).getTime();
  const months = [edge / 1000 - 1, edge / 1000].map(monthOf);
  try {
    for (let place = 0; place < requests; place += 1) {
      let now = edge - (requests - place) * 1000;
      const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
        now += pace;
        return now;
      });
      const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] };
      const reply = await bench.post('/v1/chat/completions', key, JSON.stringify(body));
      expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
      clock.mockRestore();
    }
    vi.useFakeTimers({ toFake: ['Date'], now: edge + 3_600_000 });
    const rows = (await gateway.client.log.list({ username, type: 2, page_size: 100 })).items;
    const postings = (await gateway.client.ledger.list({ user_id: userId, page_size: 100 })).items;
    const charges = postings.filter(({ kind }) => kind === 'charge');
    expect(rows).toHaveLength(requests);
    // Both months are among them, else nothing is shown.
    expect(new Set(rows.map((row) => monthOf(row.created_at)))).toEqual(new Set(months));
    expect(charges.map(({ created_at }) => created_at).sort()).toEqual(
      rows.map(({ created_at }) => created_at).sort(),
    );
    for (const month of months) {
      const paid = sum(rows.filter((row) => monthOf(row.created_at) === month).map((r) => r.quota));
      const statement = await gateway.client.statement.get({ user_id: userId, month });
      const posted = statement.kinds.filter(({ kind }) => kind === 'charge');
      expect([month, -sum(posted.map(({ amount }) => amount))]).toEqual([month, paid]);
      expect([month, sum(statement.charges.map(({ quota }) => quota))]).toEqual([month, paid]);
    }
  } finally {
    vi.useRealTimers();
    await bench.close();
  }
});
