/** One change of many rows from the command line: looked at, made, and taken back. */
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Transport } from '../../../src/core/contract/client.ts';
import { CallError } from '../../../src/core/contract/envelope.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { runCli } from '../run-cli.ts';

interface Reply {
  readonly matched: number;
  readonly changed: number;
  readonly undo: readonly { readonly ids: readonly number[] }[];
}

test('channels that match are shown, changed in pieces, and changed back', async () => {
  const { app, operator } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const turnpike = (line: string) => runCli(line.split(' '), { transport });
  const key = Array.from({ length: 450 }, (_, index) => `sk-${index}`).join('\n');
  await operator.channel.create({ name: 'many', type: 1, key, models: 'gpt-5.1', tag: 'east' });
  await operator.channel.create({ name: 'other', type: 1, key: 'k', models: 'gpt-5.1' });
  const changed = async () => (await operator.channel.list({ group: 'vip' })).total;

  const dry = await turnpike('channels bulk --match-tag east --groups vip --dry-run');
  expect(dry.stdout).toContain('groups +vip -default: many #');
  expect(dry.stderr).toContain('450 of 450 would change');
  expect((await turnpike('channels bulk --match-tag east --groups vip')).exitCode).toBe(2);
  expect(await changed()).toBe(0);

  const made = await turnpike('channels bulk --match-tag east --groups vip --yes --json');
  expect(made.json<Reply>()).toMatchObject({ matched: 450, changed: 450 });
  expect(await changed()).toBe(450);
  const file = join(tmpdir(), `bulk-undo-${process.pid}.json`);
  await writeFile(file, made.stdout);
  const back = await turnpike(`channels bulk --undo ${file} --json`);
  expect(back.json<Reply>()).toMatchObject({ changed: 450 });
  expect(await changed()).toBe(0);

  for (const line of [
    '--groups vip',
    '--match-all',
    '--ids 1,x --groups vip',
    '--ids 1 --match-all --groups vip',
    '--ids 1 --replace-model a',
  ])
    expect((await turnpike(`channels bulk ${line} --yes`)).exitCode, line).toBe(2);
});

test('users are granted and tokens given an end; a refusal is named and ends with 1', async () => {
  const { app, operator, addUser, as } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const turnpike = (line: string) => runCli(line.split(' '), { transport });
  const ann = await addUser('ann');
  const { id } = await (await as(ann)).token.create({ name: 't' });
  await turnpike('users bulk --match-role user --grant 700 --remark thanks --yes');
  expect((await operator.user.get({ id: ann })).quota).toBe(700);
  await turnpike(`tokens bulk --match-user ${ann} --expires 30d --yes`);
  expect((await operator.userTokens.get({ id })).expired_time).toBeGreaterThan(0);
  const refused = await turnpike(`tokens bulk --ids ${id} --group nowhere --yes`);
  expect(refused.stderr).toContain('ann: t #');
});

test('ids that name no row, and rows that all refuse, end with 1', async () => {
  const { app, operator, addUser } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const turnpike = (line: string) => runCli(line.split(' '), { transport });
  const ann = await addUser('ann');
  const some = await turnpike(`users bulk --ids ${ann},4711 --group vip --yes`);
  expect(some.stderr).toContain('1 of the ids names no row');
  expect(some.exitCode).toBe(1);
  expect((await operator.user.get({ id: ann })).group).toBe('vip');
  for (const line of [
    'users bulk --ids 4711 --group vip --yes',
    'users bulk --ids 4711,4712 --group vip --dry-run',
    'users bulk --ids 1 --ban on --yes --json',
  ])
    expect((await turnpike(line)).exitCode, line).toBe(1);
  expect((await turnpike('users bulk --match-group none --group vip --yes')).exitCode).toBe(0);

  const made = await turnpike(`users bulk --ids ${ann} --group default --yes --json`);
  const file = join(tmpdir(), `bulk-gone-${process.pid}.json`);
  await writeFile(file, made.stdout);
  await operator.user.remove({ id: ann });
  expect((await turnpike(`users bulk --undo ${file}`)).exitCode).toBe(1);
  const declined = await runCli(['users', 'bulk', '--match-all', '--group', 'vip'], {
    transport,
    person: { agrees: false },
  });
  expect(declined.exitCode).toBe(1);
});

describe('a change that ends in the middle can be taken back', async () => {
  const ends: readonly [string, number, (stop: AbortController, piece: number) => void][] = [
    [
      'the gateway goes away',
      6,
      (_stop, piece) => {
        if (piece === 2) throw new CallError('gone', 502, 'gateway_unreachable');
      },
    ],
    ['Ctrl-C', 130, (stop) => stop.abort()],
  ];
  test.for(ends)('%s', async ([, exitCode, end]) => {
    const { app, operator } = await createTestApp();
    const key = Array.from({ length: 250 }, (_, index) => `sk-${index}`).join('\n');
    await operator.channel.create({ name: 'many', type: 1, key, models: 'gpt-5.1' });
    const local = createLocalTransport(app, undefined, 'en');
    for (const json of [true, false]) {
      const stop = new AbortController();
      let pieces = 0;
      const transport: Transport = async (call, input) => {
        if ('change' in input && input['preview'] !== true) end(stop, ++pieces);
        return local(call, input);
      };
      const words = ['channels', 'bulk', '--match-all', '--groups', 'vip', '--yes'];
      const run = await runCli(json ? [...words, '--json'] : words, {
        transport,
        stop: stop.signal,
      });
      expect(run.exitCode).toBe(exitCode);
      expect(run.json<Reply>().undo.flatMap(({ ids }) => ids)).toHaveLength(200);
      const file = join(tmpdir(), `bulk-half-${process.pid}.json`);
      await writeFile(file, run.stdout);
      expect((await operator.channel.list({ group: 'vip' })).total).toBe(200);
      const back = ['channels', 'bulk', '--undo', file];
      expect((await runCli(back, { transport: local })).exitCode).toBe(0);
      expect((await operator.channel.list({ group: 'vip' })).total).toBe(0);
    }
  });
});
