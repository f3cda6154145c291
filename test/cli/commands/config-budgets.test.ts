// Covers src/cli/commands/config, src/core/site-config.
/** Budgets of groups and models in a configuration file (docs/config-as-code.md). */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { type RunOptions, runCli } from '../run-cli.ts';

async function openSite() {
  const { app, operator } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const config = (line: readonly string[], options: RunOptions = {}) =>
    runCli(['config', ...line], { transport, ...options });
  const applyText = (input: string, flags: readonly string[] = []) =>
    config(['apply', '-', ...flags], { input: `turnpike: 1\n${input}` });
  const exported = async () => parse((await config(['export'])).stdout).budgets;
  return { app, operator, applyText, config, exported };
}

const file = `budgets:
  Weekly:
    owner: group
    owner_id: default
    each: user
    amount: 5000000
    period: week
    closed_days: [6, 7]
    models: [gpt-x, "4.10"]
    thresholds: [50, 100]
    enabled: false
  Fast:
    owner: model
    owner_id: gpt-x
    period: none
    requests_per_minute: 60
`;

test('a file adds budgets, a second run changes nothing, and what is exported is the file', async () => {
  const { applyText, config, exported, operator } = await openSite();
  const dry = await applyText(file, ['--dry-run', '--exit-code']);
  expect([dry.exitCode, await operator.budgets.list()]).toEqual([1, []]);
  expect(dry.stdout).toContain('+ budgets.Weekly');
  expect(dry.stdout).toContain('    + amount: 5000000');
  expect((await applyText(file)).exitCode).toBe(0);
  expect(await operator.budgets.list()).toMatchObject([
    {
      name: 'Weekly',
      owner: 'group',
      owner_id: 'default',
      each: 'user',
      amount: 5_000_000,
      closed_days: '6,7',
      models: 'gpt-x,4.10',
      thresholds: '50,100',
      enabled: false,
    },
    { name: 'Fast', owner: 'model', period: 'none', amount: 0, requests_per_minute: 60 },
  ]);
  const again = await applyText(file, ['--exit-code', '--prune']);
  expect([again.stderr.trim(), again.exitCode]).toEqual(['Nothing to change', 0]);
  expect(await exported()).toEqual(parse(file).budgets);
  const own = await config(['export']);
  const other = await openSite();
  const moved = await other.config(['apply', '-'], { input: own.stdout });
  expect([moved.exitCode, await other.exported()]).toEqual([0, parse(file).budgets]);
});

test('a change keeps what it does not name, and has its row in the audit log', async () => {
  const { applyText, operator } = await openSite();
  await applyText(file);
  const [before] = await operator.budgets.list();
  const changed = await applyText('budgets: { Weekly: { amount: 7000000, thresholds: [50] } }\n');
  expect(changed.stdout.trim().split('\n')).toEqual([
    '~ budgets.Weekly',
    '    ~ amount: 5000000 → 7000000',
    '    - thresholds: 100',
  ]);
  const [after, ...others] = await operator.budgets.list();
  expect([after, others.length]).toEqual([{ ...before, amount: 7_000_000, thresholds: '50' }, 1]);
  const { items } = await operator.audit.list({ action: 'budget.update' });
  expect(items).toHaveLength(1);
});

test('--prune deletes budgets of groups and models alone, and needs --yes', async () => {
  const { applyText, operator } = await openSite();
  await operator.budgets.create({ name: 'Mine', owner: 'user', owner_id: '1', amount: 1000 });
  await applyText(file);
  const weekly = 'budgets: { Weekly: { owner: group, owner_id: default, amount: 5000000 } }\n';
  expect((await applyText(weekly, ['--prune'])).exitCode).not.toBe(0);
  expect(await operator.budgets.list()).toHaveLength(3);
  const pruned = await applyText(weekly, ['--prune', '--yes']);
  expect(pruned.stdout).toContain('- budgets.Fast');
  expect(await operator.budgets.list()).toMatchObject([
    { name: 'Mine' },
    { name: 'Weekly', period: 'month', each: '', closed_days: '', models: '', enabled: true },
  ]);
});

test('all that is wrong is named at its place, and nothing is written', async () => {
  const { applyText, operator } = await openSite();
  await applyText(file);
  const before = await operator.budgets.list();
  const wrong = await applyText(`budgets:
  Mine: { owner: user, owner_id: "1", amount: 5 }
  Bare: { owner: group, owner_id: default }
  Ownerless: { amount: 5 }
  Zone: { owner: group, owner_id: default, amount: 5, time_zone: Nowhere/City }
  Kind: { owner: group, owner_id: default, amount: many, closed_days: [8], perod: day }
  Weekly: { each: planet, most_pace: -1 }
  Fast: { each: conversation }
`);
  const places = wrong.stderr.trim().split('\n').slice(0, -1);
  expect(places.map((line) => line.split(': ')[0]?.split(' ')[1])).toEqual([
    'budgets.Mine.owner',
    'budgets.Bare.amount',
    'budgets.Ownerless.owner',
    'budgets.Ownerless.owner_id',
    'budgets.Zone.time_zone',
    'budgets.Kind.amount',
    'budgets.Kind.closed_days',
    'budgets.Kind.perod',
    'budgets.Weekly.each',
    'budgets.Weekly.most_pace',
    'budgets.Fast.each',
  ]);
  expect([wrong.exitCode, await operator.budgets.list()]).toEqual([2, before]);
});

test('budgets that share a name, or have none, are told apart by their numbers', async () => {
  const { applyText, exported, operator } = await openSite();
  const group = { owner: 'group', owner_id: 'default', amount: 1000 };
  for (const name of ['Twin', 'Twin', '']) await operator.budgets.create({ ...group, name });
  expect(Object.keys(await exported())).toEqual(['#3', 'Twin#1', 'Twin#2']);
  const unclear = await applyText('budgets: { Twin: { amount: 5 } }\n');
  expect([unclear.exitCode, unclear.stderr]).toEqual([
    2,
    expect.stringContaining('name the one that is meant: Twin#1, Twin#2'),
  ]);
  expect(
    (await applyText('budgets: { "Twin#2": { amount: 5 }, "#3": { amount: 6 } }\n')).exitCode,
  ).toBe(0);
  expect((await operator.budgets.list()).map(({ amount }) => amount)).toEqual([1000, 5, 6]);
});

test('a budget that changed after it was seen is not written', async () => {
  const { operator } = await openSite();
  const group = { owner: 'group', owner_id: 'default', amount: 1000 };
  const { id } = await operator.budgets.create({ ...group, name: 'Now' });
  const { problems, written } = await operator.siteConfig.apply({
    budgets: [
      { id, name: 'Then', amount: 5 },
      { id: id + 1, name: 'Gone', remove: true },
      { ...group, name: 'Now' },
    ],
  });
  expect([problems.map(({ code }) => code), written]).toEqual([
    ['config_changed_meanwhile', 'config_changed_meanwhile', 'config_changed_meanwhile'],
    0,
  ]);
});
