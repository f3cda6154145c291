/** One change of many rows from the command line: looked at, made, and taken back. */
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { runCli } from '../run-cli.ts';

interface Reply {
  readonly matched: number;
  readonly changed: number;
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
