// Covers src/cli/watch.ts.
/** `--columns` and `--watch` of lists (docs/rules/command-line.md#lists). */
import { describe, expect, test } from 'vitest';
import { loadAllCommands } from '../../../src/cli/topics.ts';
import type { Transport } from '../../../src/core/contract/client.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { type RunOptions, runCli } from '../run-cli.ts';

async function setUp() {
  const { app, operator, addUser } = await createTestApp();
  await addUser('ann', { quota: 5 });
  await operator.channel.create({ name: 'lane', type: 1, key: 'k', models: 'm' });
  const transport = createLocalTransport(app, undefined, 'en');
  const turnpike = (line: string, options: RunOptions = {}) =>
    runCli(line.split(' '), { transport, ...options });
  return { app, operator, addUser, transport, turnpike };
}

describe('--columns', () => {
  test('shows these, in this order, by English and Chinese names, also those of cards', async () => {
    const { turnpike } = await setUp();
    const table = await turnpike('users list --columns group,NAME,id');
    expect(
      table.stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/ +/)),
    ).toEqual([
      ['group', 'name', 'id'],
      ['default', 'ann', '2'],
      ['default', 'root', '1'],
    ]);
    const chinese = await turnpike('users list --lang zh --columns 名称');
    expect(chinese.stdout.trim().split('\n')).toEqual(['名称', 'ann', 'root']);
    const card = await turnpike('users list --columns name,invited-by');
    expect(card.stdout).toMatch(/^name +invited by\n/);
  });

  test('a wrong name is refused with all names, whether or not there are rows', async () => {
    const { turnpike } = await setUp();
    for (const list of ['users', 'redemptions']) {
      const { exitCode, stdout, stderr } = await turnpike(`${list} list --columns id,nonsense`);
      expect([exitCode, stdout, stderr]).toEqual([
        2,
        '',
        expect.stringMatching(/There is no column nonsense: use id, /),
      ]);
    }
    const json = await turnpike('users list --columns id --json');
    expect([json.exitCode, json.failure().message]).toEqual([2, expect.stringContaining('jq')]);
  });

  test('every list has both flags, and no other command', async () => {
    const commands = (await loadAllCommands()).flatMap((topic) => topic.commands);
    const lists = commands.filter(({ flags }) => flags.some(({ name }) => name === 'columns'));
    expect(lists.map(({ name }) => name)).toMatchSnapshot();
    const { turnpike, app } = await setUp();
    await app.nodes.begin('http://127.0.0.1:3000');
    await turnpike('budgets add --user ann --amount 1000 --period day --name pocket');
    const without: string[] = [];
    for (const { name } of lists) {
      const { exitCode, stderr } = await turnpike(`${name} --columns nonsense`);
      if (exitCode !== 2 || !stderr.includes('There is no column nonsense')) without.push(name);
    }
    expect(without).toEqual([]);
  });
});

describe('--watch', () => {
  /** Aborts before the nth reading of the users, and adds one before the second. */
  const watched = async (line: string, readings: number, options: RunOptions = {}) => {
    const { turnpike, transport, addUser } = await setUp();
    const stop = new AbortController();
    let count = 0;
    const counting: Transport = async (call, input) => {
      if (call.path !== '/api/user/') return transport(call, input);
      count += 1;
      if (count === 3) await addUser('bob');
      if (count === readings) stop.abort();
      return transport(call, input);
    };
    return turnpike(line, { ...options, transport: counting, stop: stop.signal });
  };

  test('with --json a line for each change, until it is stopped', async () => {
    const { exitCode, stdout } = await watched('users list --json --watch 0.5', 4);
    const totals = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).total);
    expect([exitCode, totals]).toEqual([130, [2, 3]]);
  });

  test('draws a terminal anew', async () => {
    const { exitCode, stdout } = await watched('users list --watch=0.5 --columns name', 3, {
      columns: 80,
    });
    const screens = stdout
      .split('\u001B[H\u001B[2J\u001B[3J')
      .map((text) => text.trim().split('\n'));
    expect([exitCode, screens]).toEqual([
      130,
      [[''], ['name', 'ann', 'root'], ['name', 'ann', 'root'], ['name', 'bob', 'ann', 'root']],
    ]);
  });

  test('elsewhere, and with a wrong number, it is refused', async () => {
    const { turnpike } = await setUp();
    const run = async (line: string, options?: RunOptions) => {
      const { exitCode, stderr } = await turnpike(line, options);
      return `${exitCode} ${stderr.trim()}`;
    };
    expect(await run('users list --watch')).toMatch(/^2 --watch draws on a terminal/);
    for (const wrong of ['0', 'x', '1.2.3', '999999'])
      expect(await run(`users list --watch ${wrong}`, { columns: 80 })).toMatch(
        /^2 --watch .*use seconds/,
      );
  });
});

test('a span of a time that lies ahead counts from now on', async () => {
  const { operator, turnpike } = await setUp();
  const now = Math.floor(Date.now() / 1000);
  for (const days of [3, 30])
    await operator.userTokens.create({
      name: `in ${days} days`,
      user: 'ann',
      expired_time: now + days * 86_400,
    });
  await operator.userTokens.create({ name: 'never', user: 'ann' });
  const names = async (flags: string) =>
    (await turnpike(`tokens list ${flags} --columns name`)).stdout.trim().split('\n').slice(1);
  expect(await names('--expires-from now --expires-to 7d')).toEqual(['in 3 days']);
  expect(await names('--expires-from 7d')).toEqual(['in 30 days']);
});
