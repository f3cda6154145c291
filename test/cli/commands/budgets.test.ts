/** `turnpike budgets …` with the real core. */
import { expect, test } from 'vitest';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { runCli } from '../run-cli.ts';

interface Status {
  readonly items: readonly { readonly id: number; readonly windows: readonly { id: number }[] }[];
}

test('a budget is made, used up, given more, edited and deleted', async () => {
  const { app, addUser, operator } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const turnpike = (line: string) => runCli(line.split(' '), { transport });
  const userId = await addUser('ann', { quota: 1_000_000 });
  const owner = `--owner user --owner-id ${userId}`;
  expect((await turnpike('budgets list --json')).json()).toEqual({ items: [], total: 0 });

  const made = await turnpike(
    `budgets add ${owner} --amount 1000 --period day --name pocket --json`,
  );
  const { id } = made.json<{ id: number }>();
  const spender = { tokenId: 0, userId, userGroup: 'default' };
  const windows = (await app.budgets.gate.windowsOf(spender, 'm')) ?? [];
  const amount = toQuota(850);
  const hold = await app.ledger.hold({ requestId: 'r', ...spender, amount, windows });
  await app.ledger.settle(hold, { amount, channelId: 0, log: null, rollup: null });
  await app.ledger.drain();

  const near = (await turnpike('budgets list --state near --sort used')).stdout;
  expect(near).toMatch(/pocket .* near$/m);
  expect((await turnpike('budgets list --state unused --json')).json()).toMatchObject({ total: 0 });
  expect((await turnpike('budgets status --owner group --json')).json()).toMatchObject({
    total: 0,
  });
  expect((await turnpike('budgets list --keyword POCK --json')).json()).toMatchObject({ total: 1 });
  expect((await turnpike('budgets list --state full')).exitCode).toBe(2);
  const shown = (await turnpike('budgets status')).stdout;
  expect(shown).toContain(`#${id} pocket`);
  expect(shown).toContain('[#################---] 85 %');
  const [status] = (await turnpike('budgets status --json')).json<Status>().items;
  const window = status?.windows[0]?.id ?? 0;
  const taken = await turnpike(`budgets grant ${id} --window ${window} --amount -1000`);
  expect([taken.exitCode, taken.stderr]).toEqual([2, expect.stringContaining('--amount -1000')]);
  await expect(operator.budgets.grant({ id, window, amount: -1000 })).rejects.toMatchObject({
    code: 'budget_field_invalid',
  });
  expect((await turnpike(`budgets grant ${id}`)).stderr).toContain(
    '--window, --amount are required',
  );
  expect((await turnpike('budgets add --amount 5')).stderr).toContain(
    '--owner, --owner-id are required',
  );
  expect((await turnpike(`budgets grant ${id} --window ${window} --amount 1000`)).exitCode).toBe(0);
  expect((await turnpike('budgets status')).stdout).toContain('42 %');

  const edited = await turnpike(`budgets edit ${id} --closed-days 6,7 --json`);
  expect(edited.json()).toMatchObject({ id, closed_days: '6,7', amount: 1000 });
  expect((await turnpike(`budgets edit ${id}`)).exitCode).not.toBe(0);
  expect((await turnpike(`budgets show ${id}`)).stdout).toContain('6, 7');
  expect((await turnpike(`budgets delete ${id} --yes`)).exitCode).toBe(0);
  expect((await turnpike('budgets list --json')).json()).toMatchObject({ total: 0 });
});

test('a rate has no amount, and the status says what counts now and what the site allows', async () => {
  const { app, addUser } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const turnpike = (line: string) => runCli(line.split(' '), { transport });
  const userId = await addUser('ann');
  const owner = `--owner user --owner-id ${userId}`;
  expect((await turnpike(`budgets add ${owner} --period none`)).exitCode).not.toBe(0);
  expect((await turnpike(`budgets add ${owner} --period day`)).exitCode).not.toBe(0);
  const rates = '--requests-per-minute 4 --tokens-per-minute 20000 --parallel-requests 2';
  const made = await turnpike(`budgets add ${owner} --period none ${rates} --json`);
  expect(made.json()).toMatchObject({ amount: 0, period: 'none', requests_per_minute: 4 });
  const ticket = await app.budgets.gate.enterRates({
    requestId: 'r',
    spender: { tokenId: 0, userId, userGroup: 'default' },
    model: 'm',
    tokens: 500,
    show: () => undefined,
  });
  const shown = (await turnpike('budgets status')).stdout;
  expect(shown).toContain('1 / 4 requests a minute, 500 / 20,000 tokens a minute, 1 / 2 at once');
  expect(shown).toContain('50 %');
  expect(shown).not.toContain('by the options of the site');
  ticket?.end(700);
  await turnpike('options set ModelRequestRateLimitEnabled true');
  expect((await turnpike('budgets status')).stdout).toContain('1000 successful requests in 1 min');
  expect((await turnpike('budgets status --json')).json()).toMatchObject({
    site_rate: { minutes: 1, requests: 0, successes: 1000 },
    items: [{ rates_used: { requests: 1, tokens: 700, parallel: 0 } }],
  });
});

test('the status is in pages like other lists', async () => {
  const { app, addUser } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const status = async (flags: string) => {
    const read = await runCli(`budgets status ${flags} --json`.split(' '), { transport });
    const { items, total } = read.json<Status & { total: number }>();
    return [items.map(({ id }) => id), total];
  };
  const userId = await addUser('ann');
  for (let made = 0; made < 3; made++)
    await runCli(
      `budgets add --owner user --owner-id ${userId} --amount 5 --period day`.split(' '),
      { transport },
    );
  expect(await status('--page 2 --page-size 2')).toEqual([[3], 3]);
  expect(await status('--all')).toEqual([[1, 2, 3], 3]);
});

test('a preset is a fence for each conversation, and other flags change it', async () => {
  const { app, addUser } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const userId = await addUser('ann');
  const line = `budgets add --owner user --owner-id ${userId} --preset agent --most-repeats 4 --json`;
  expect((await runCli(line.split(' '), { transport })).json()).toMatchObject({
    each: 'conversation',
    period: 'total',
    most_requests: 500,
    most_repeats: 4,
  });
  const unused = await runCli(['budgets', 'status'], { transport });
  expect(unused.stdout).toContain('0 %');
});

test('conversations are listed by their cost with their fence, and let go on', async () => {
  const { app, addUser } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const turnpike = (line: string) => runCli(line.split(' '), { transport });
  const userId = await addUser('ann', { quota: 1_000_000 });
  const made = await turnpike(
    `budgets add --owner user --owner-id ${userId} --each conversation --period total --amount 10000 --most-requests 2 --name talks --json`,
  );
  const { id } = made.json<{ id: number }>();
  const spender = { tokenId: 0, userId, userGroup: 'default' };
  const spend = async (conversation: string, quota: number) => {
    const subjects = { conversation: () => conversation };
    const windows = (await app.budgets.gate.windowsOf(spender, 'm', subjects)) ?? [];
    const amount = toQuota(quota);
    const hold = await app.ledger.hold({ requestId: 'r', ...spender, amount, windows });
    await app.ledger.settle(hold, { amount, channelId: 0, log: null, rollup: null });
    await app.ledger.drain();
  };
  await spend('cheap', 100);
  await spend('dear', 2500);
  await spend('dear', 2500);
  await expect(spend('dear', 1)).rejects.toMatchObject({ code: 'fence_requests' });
  const { stdout } = await turnpike('budgets conversations');
  expect(stdout.indexOf('dear')).toBeLessThan(stdout.indexOf('cheap'));
  expect(stdout).toMatch(/dear +ann +#1 talks .*2 \/ 2 requests +100 %/);
  expect(stdout).toMatch(/cheap .*1 \/ 2 requests +50 %/);
  const page = (await turnpike('budgets conversations --page-size 1 --json')).json<{
    total: number;
    items: { id: number }[];
  }>();
  expect(page).toMatchObject({ total: 2, items: [{ subject: 'dear', spent: 5000 }] });
  await turnpike(`budgets grant ${id} --window ${page.items[0]?.id} --amount 2500000`);
  await spend('dear', 1);
  expect((await turnpike('budgets conversations')).stdout).toMatch(/dear .*3 \/ 4 requests +75 %/);
  expect((await turnpike(`budgets conversations --user root --json`)).json()).toMatchObject({
    total: 0,
  });
});
