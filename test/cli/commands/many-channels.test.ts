// Covers src/cli/commands/channels.
/** Copies of channels, and commands for several at once. */
import { expect, test } from 'vitest';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { runCli } from '../run-cli.ts';

test('a copy, the channels of a tag, and the deletion of what is disabled', async () => {
  const { app, operator } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const turnpike = (line: string) => runCli(line.split(' '), { transport });
  const statuses = async () =>
    Object.fromEntries(
      (await operator.channel.list()).items.map(({ name, status }) => [name, status]),
    );
  await operator.channel.create({ name: 'main', type: 1, key: 'k', models: 'gpt-5.1', tag: 'own' });

  const { id } = (await turnpike('channels copy 1 --suffix -spare --json')).json<{ id: number }>();
  expect(await statuses()).toEqual({ main: 1, 'main-spare': 1 });
  await turnpike(`channels edit ${id} --tag spare`);
  expect((await turnpike('channels disable-tag spare --json')).json()).toEqual({ tag: 'spare' });
  expect(await statuses()).toEqual({ main: 1, 'main-spare': 2 });
  await turnpike('channels enable-tag spare');
  expect(await statuses()).toEqual({ main: 1, 'main-spare': 1 });

  expect((await turnpike('channels edit-tag spare')).exitCode).toBe(2);
  expect((await turnpike('channels edit-tag nobody --weight 1')).exitCode).not.toBe(0);
  await turnpike(
    'channels edit-tag spare --priority 7 --models gpt-5.1,gpt-5.1-mini --rename idle',
  );
  expect(await operator.channel.get({ id })).toMatchObject({
    priority: 7,
    models: 'gpt-5.1,gpt-5.1-mini',
    tag: 'idle',
  });
  await turnpike('channels edit-tag idle --rename spare');
  expect((await turnpike('channels fix --json')).json()).toEqual({ count: 2 });

  expect((await turnpike('channels edit 1,2 --tag both --json')).json()).toEqual({ count: 2 });
  expect((await operator.channel.list({ tag: 'both' })).total).toBe(2);
  expect((await turnpike('channels edit 1,99 --tag own --json')).exitCode).toBe(1);
  for (const line of ['1,2 --weight 3', '1,2 --tag x --weight 3', '1,,2 --tag x', '1,x --tag x'])
    expect((await turnpike(`channels edit ${line}`)).exitCode).toBe(2);
  await turnpike('channels edit 2 --tag spare');
  const missing = await turnpike('channels delete 99 --yes --json');
  expect([missing.exitCode, missing.failure().code]).toEqual([3, 'not_found']);
  const unsaved = await turnpike('logs export /nowhere/x.csv');
  expect([unsaved.exitCode, unsaved.stderr]).toEqual([
    1,
    expect.stringContaining('Cannot use /nowhere:'),
  ]);
  await turnpike('channels disable-tag spare');
  expect((await turnpike('channels delete-disabled')).exitCode).toBe(2);
  expect((await turnpike('channels delete-disabled --yes --json')).json()).toEqual({ count: 1 });
  expect(await statuses()).toEqual({ main: 1 });
});
