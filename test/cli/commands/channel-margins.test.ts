/** `channels margins` and `logs usage` with the real core, in both languages. */
import { expect, test } from 'vitest';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { runCli } from '../run-cli.ts';

async function openSite() {
  const { app, operator } = await createTestApp();
  await operator.channel.create({ name: 'paid', type: 1, key: 'k', models: 'm' });
  await operator.channel.create({ name: 'silent', type: 1, key: 'k', models: 'm' });
  // Commands reckon with the machine's clock.
  const hour = Math.floor(Date.now() / 3_600_000) * 3600;
  const charge = { userId: 1, username: 'root', hour, tokens: 7 };
  await app.storage.quotaData.add([
    { ...charge, channelId: 1, modelName: 'a', quota: 500_000, cost: 200_000_000 },
    { ...charge, channelId: 1, modelName: 'b', quota: 500_000, cost: 600_000_000 },
    { ...charge, channelId: 2, modelName: 'a', quota: 250_000 },
  ]);
  return (language: 'en' | 'zh', line: string) =>
    runCli(line.split(' '), {
      transport: createLocalTransport(app, undefined, language),
      environment: { LANG: language === 'en' ? 'en_US.UTF-8' : 'zh_CN.UTF-8' },
    });
}

test.each([
  ['en', 'unknown', 'all channels'],
  ['zh', '未知', '全部渠道'],
] as const)('shows what channels earned, in %s', async (language, unknown, all) => {
  const turnpike = await openSite();
  const run = await turnpike(language, 'channels margins');
  expect(run.exitCode).toBe(0);
  const cells = (name: string) =>
    run.stdout
      .split('\n')
      .find((line) => line.includes(name))
      ?.trim()
      .split(/\s{2,}/);
  expect(cells('paid')).toEqual(['#1 paid', '2', '$2.00', '$1.60', '$0.40', '20.0%', '100.0%']);
  expect(cells('silent')).toEqual(['#2 silent', '1', '$0.50', unknown, unknown, '0.0%']);
  expect(cells(all)).toEqual([all, '3', '$2.50', '$1.60', '$0.40', '20.0%', '66.7%']);
});

test('by model, and as JSON', async () => {
  const turnpike = await openSite();
  const run = await turnpike('en', 'channels margins --models');
  expect(run.stdout).toContain('-20.0%');
  const { channels } = (await turnpike('en', 'channels margins --json')).json() as {
    channels: unknown[];
  };
  expect(channels).toMatchObject([
    {
      channel: 1,
      cost: 800_000,
      models: [{ model_name: 'a' }, { model_name: 'b', margin: -100_000 }],
    },
    { channel: 2, cost: null },
  ]);
  expect((await turnpike('en', 'channels margins --since yesteryear')).exitCode).toBe(2);
});

test('shows usage by model, in total and as JSON', async () => {
  const turnpike = await openSite();
  const span = `--since 2h --until ${new Date().toISOString()}`;
  const run = await turnpike('en', `logs usage --by day ${span}`);
  expect(run.exitCode).toBe(0);
  const lines = run.stdout.split('\n').map((row) => row.trim().split(/\s{2,}/));
  expect(lines).toContainEqual(['a', '2', '14', '$1.50']);
  expect(lines).toContainEqual(['b', '1', '7', '$1.00']);
  expect(lines).toContainEqual(['all models', '3', '21', '$2.50']);
  expect((await turnpike('zh', 'logs usage')).stdout).toContain('全部模型');
  expect((await turnpike('en', `logs usage --user nobody --json ${span}`)).json()).toMatchObject({
    models: [],
    totals: { count: 0 },
  });
  expect((await turnpike('en', 'logs usage --by minute')).exitCode).toBe(2);
});

test('writes usage by day, token and model as CSV, for whatever span is named', async () => {
  const { app, clock } = await createTestApp();
  await app.storage.logs.insert({
    userId: 1,
    username: 'root',
    createdAt: Math.floor(clock.now() / 1000) - 60,
    type: 2,
    content: '',
    tokenId: 3,
    tokenName: 'laptop',
    modelName: 'm',
    promptTokens: 4,
    quota: toQuota(250_000),
  });
  const run = await runCli(['logs', 'usage', '--csv', '--by', 'week', '--since', '2020-01-01'], {
    transport: createLocalTransport(app, undefined, 'en'),
  });
  expect(run.exitCode).toBe(0);
  const [head, line] = run.stdout.split('\r\n');
  expect(head).toMatch(/^date,user_id,username,token_id,token,model,/);
  expect(line).toMatch(/^\d{4}-\d\d-\d\d,1,root,3,laptop,m,1,4,0,250000,0\.5$/);
});

test('shows usage by tag and day, all of it as CSV', async () => {
  const { app } = await createTestApp();
  const hour = Math.floor(Date.now() / 3_600_000) * 3600;
  const charge = { userId: 1, username: 'root', channelId: 1, modelName: 'a', hour, tokens: 7 };
  await app.storage.quotaData.add([
    { ...charge, quota: 500_000, tags: ['team:red', 'job'] },
    { ...charge, quota: 250_000, tags: ['team:red', ''] },
    { ...charge, quota: 250_000 },
  ]);
  const turnpike = (language: 'en' | 'zh', line: string) =>
    runCli(line.split(' '), {
      transport: createLocalTransport(app, undefined, language),
      environment: { LANG: language === 'en' ? 'en_US.UTF-8' : 'zh_CN.UTF-8' },
    });
  const span = `--since 2h --until ${new Date().toISOString()}`;
  const run = await turnpike('en', `logs tags ${span}`);
  const day = new Date(hour * 1000).toLocaleDateString('sv-SE');
  const lines = run.stdout.split('\n').map((row) => row.trim().split(/\s{2,}/));
  expect(lines).toContainEqual([day, 'team:red', '2', '14', '$1.50']);
  expect(lines).toContainEqual([day, 'job', '1', '7', '$1.00']);
  expect(lines).toContainEqual([day, '(other tags)', '1', '7', '$0.50']);
  expect((await turnpike('zh', `logs tags ${span}`)).stdout).toContain('（其他标签）');
  const teams = await turnpike('en', `logs tags --begins team: --json ${span}`);
  expect(teams.json()).toMatchObject({ tags: [{ tag: 'team:red' }], totals: { quota: 1_000_000 } });
  const csv = (await turnpike('en', `logs tags --csv ${span}`)).stdout.split('\r\n');
  expect(csv[0]).toBe('date,start,tag,requests,tokens,quota');
  expect(csv[1]).toMatch(new RegExp(`^${day},.*Z,team:red,2,14,750000$`));
  expect((await turnpike('en', 'logs tags --by minute')).exitCode).toBe(2);
});
