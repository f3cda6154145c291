/** `turnpike tasks` and `turnpike drawings` (docs/rules/task-logs.md#lists). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttpTransport } from '../../../src/cli/connection/http-transport.ts';
import { createAccessToken } from '../../../src/cli/connection/sign-in.ts';
import type { Transport } from '../../../src/core/contract/client.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { openTaskRows } from '../../support/seed-tasks.ts';
import { runCli } from '../run-cli.ts';

const day = 86_400;
const today = Math.floor(Date.now() / 1000) - 60;

let gateway: TestGateway;
let operator: Transport;
/** With the access token of a user without rights. */
let customer: Transport;

beforeAll(async () => {
  gateway = await startTestGateway();
  const { client, url } = gateway;
  const token = await client.self.systemToken();
  const to = (key: string) => createHttpTransport({ url, key: new Secret(key), language: 'en' });
  operator = to(token);
  const { id } = await client.user.create({ username: 'linxi', password: 'a long password' });
  const { ids } = await client.channel.create({
    name: '苏诺',
    type: 36,
    key: 'k',
    models: 'suno_music',
    base_url: 'http://127.0.0.1:9',
  });
  customer = to(
    await createAccessToken(url, 'en', {
      username: 'linxi',
      password: 'a long password',
      secondFactor: () => Promise.reject(new Error('no second factor is set up')),
      mayReplace: () => Promise.reject(new Error('there is no token yet')),
    }),
  );

  const rows = openTaskRows(gateway.dataDir);
  const shared = { user_id: id, channel_id: ids[0] ?? 0, quota: 5000 };
  const properties = JSON.stringify({
    input: { prompt: 'a song about the sea' },
    model: 'suno_music',
  });
  for (const [name, age, more] of [
    ['song-1', 0, { properties, finish_time: today + 42 }],
    [
      'song-2',
      0,
      { status: 'FAILURE', fail_reason: 'the upstream\nsaid no', user_id: 1, quota: 0 },
    ],
    ['lyrics-1', 3 * day, { action: 'LYRICS', status: 'IN_PROGRESS', progress: '30%' }],
  ] as const)
    rows.task({
      ...shared,
      task_id: name,
      submit_time: today - age,
      created_at: today - age,
      ...more,
    });
  for (const [name, age, more] of [
    ['mj-1', 0, { prompt: '一只猫', finish_time: (today + 61) * 1000 }],
    ['mj-2', 3 * day, { action: 'UPSCALE', user_id: 1 }],
    ['', 0, { status: 'FAILURE', code: 0, prompt: 'never submitted' }],
  ] as const)
    rows.drawing({ ...shared, mj_id: name, submit_time: (today - age) * 1000, ...more });
  rows.close();
});
afterAll(() => gateway.close());

const turnpike = (line: string, transport = operator) => runCli(line.split(' '), { transport });
async function ids(line: string, transport = operator): Promise<string[]> {
  const run = await turnpike(`${line} --json`, transport);
  const { items } = run.json<{ items: { task_id?: string; mj_id?: string }[] }>();
  return items.map(({ task_id, mj_id }) => task_id ?? mj_id ?? '').sort();
}

describe('tasks', () => {
  test.each([
    ['tasks list', ['lyrics-1', 'song-1', 'song-2']],
    ['task list --all', ['lyrics-1', 'song-1', 'song-2']],
    ['tasks list --page-size 1 --page 3', ['lyrics-1']],
    ['tasks list --status SUCCESS', ['song-1']],
    ['tasks list --action LYRICS', ['lyrics-1']],
    ['tasks list --platform suno --user linxi', ['lyrics-1', 'song-1']],
    ['tasks list --channel 1 --since 1d', ['song-1', 'song-2']],
    ['tasks list --until 1d', ['lyrics-1']],
    ['tasks list --id song-2', ['song-2']],
    ['tasks list --mine', ['song-2']],
  ])('%s', async (line, expected) => {
    expect(await ids(line)).toEqual(expected);
  });

  test('the table has one line for each, with user, channel and seconds', async () => {
    const { stdout } = await turnpike('tasks list');
    expect(stdout.trimEnd().split('\n')).toHaveLength(4);
    expect(stdout).toMatch(/song-1 .*suno +linxi +苏诺 +MUSIC +SUCCESS +100% +42/);
    expect(stdout).toContain('the upstream said no');
  });

  test('a card has the order; an unknown one is not found', async () => {
    const { stdout } = await turnpike('tasks show song-1');
    expect(stdout).toContain('a song about the sea');
    const missing = await turnpike('tasks show song-9 --json');
    expect([missing.exitCode, missing.failure().code]).toEqual([3, 'not_found']);
  });

  test('a wrong status is a usage error that names what is allowed', async () => {
    const { exitCode, stderr } = await turnpike('tasks list --status DONE');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('SUCCESS');
  });
});

describe('drawings', () => {
  test.each([
    ['drawings list', ['', 'mj-1', 'mj-2']],
    ['drawings list --since 1d --status SUCCESS', ['mj-1']],
    ['drawing list --until 1d', ['mj-2']],
    ['drawings list --action UPSCALE', ['mj-2']],
    ['drawings list --mine', ['mj-2']],
    ['drawings list --all --user linxi', ['', 'mj-1']],
  ])('%s', async (line, expected) => {
    expect(await ids(line)).toEqual(expected);
  });

  test('a table and a card, with seconds of its milliseconds', async () => {
    expect((await turnpike('drawings list')).stdout).toMatch(/mj-1 .*linxi .*SUCCESS +100% +61/);
    expect((await turnpike('drawings show mj-1')).stdout).toContain('一只猫');
    expect((await turnpike('drawings show mj-9')).exitCode).toBe(3);
  });
});

describe('a user without rights', () => {
  test('sees what is theirs with --mine, and nothing without', async () => {
    expect(await ids('tasks list --mine', customer)).toEqual(['lyrics-1', 'song-1']);
    expect(await ids('drawings list --mine --all', customer)).toEqual(['', 'mj-1']);
    expect((await turnpike('tasks show song-1 --mine', customer)).exitCode).toBe(0);
    expect((await turnpike('tasks show song-2 --mine', customer)).exitCode).toBe(3);
    expect((await turnpike('tasks list', customer)).exitCode).toBe(4);
  });
});
