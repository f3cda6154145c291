// Covers src/cli/commands/channels.
/** `channels keys` with the real core. */
import { expect, onTestFinished, test } from 'vitest';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { chatReply, errorReply, startUpstream } from '../../support/upstream.ts';
import { runCli } from '../run-cli.ts';

test('lists keys by fingerprint, disables, enables and removes by position; control characters of a name do not reach the terminal', async () => {
  const { app, operator } = await createTestApp();
  const name = 'evil\u001b]0;owned\u0007\u001b[2Jname';
  await operator.channel.create({
    name,
    type: 1,
    key: 'sk-a\nsk-b\nsk-c',
    models: 'm',
    setting: '{"multi_key_mode":"random"}',
  });
  const turnpike = (line: string) =>
    runCli(line.split(' '), {
      transport: createLocalTransport(app, undefined, 'en'),
      environment: { LANG: 'en_US.UTF-8' },
    });
  const list = await turnpike('channels keys 1');
  expect(list.exitCode).toBe(0);
  expect(list.stdout).toMatch(/1\s+[0-9a-f]{12}\s+enabled/);
  expect(list.stdout).toMatch(/today\s+30 days\s+spent/);
  expect(list.stdout).not.toContain('sk-');
  expect((await turnpike('channels keys 1 --disable 1,3')).stdout).toContain('disabled by hand');
  expect((await turnpike('channels keys 1 --disable 2')).exitCode).not.toBe(0);
  expect((await turnpike('channels keys 1 --enable 1 --remove 3')).exitCode).toBe(0);
  const { items } = (await turnpike('channels keys 1 --json')).json() as {
    items: { position: number; enabled: boolean }[];
  };
  expect(items).toMatchObject([
    { position: 1, enabled: true },
    { position: 2, enabled: true },
  ]);
  expect((await turnpike('channels keys 1 --remove 9')).exitCode).toBe(2);
  for (const later of ['--remove 9', '--test 9']) {
    expect((await turnpike(`channels keys 1 --disable 1 ${later}`)).exitCode).toBe(2);
    expect((await turnpike('channels keys 1')).stdout).not.toContain('disabled by hand');
  }
  const shown = [await turnpike('channels list'), await turnpike('channels show 1')]
    .map(({ stdout }) => stdout)
    .join('');
  expect(shown).toContain('owned');
  expect(shown).not.toContain('\u001b]0;');
  expect(shown).not.toContain('\u001b[2J');
});

test('adds keys from standard input, and names those that are there already', async () => {
  const { app, operator } = await createTestApp();
  await operator.channel.create({ name: 'one', type: 1, key: 'sk-a', models: 'm' });
  const turnpike = (line: string, input?: string) =>
    runCli(line.split(' '), { transport: createLocalTransport(app, undefined, 'en'), input });
  const added = await turnpike('channels keys 1 --add-stdin', 'sk-b\nsk-a\n');
  expect(added.exitCode).toBe(0);
  expect(added.stderr).toContain('Keys added: 1');
  expect(added.stderr).toContain('Left out: key 2 of the input is key 1 of the channel');
  expect(added.stdout).toMatch(/2\s+[0-9a-f]{12}\s+enabled/);
  expect(added.stdout + added.stderr).not.toContain('sk-');
});

test('tests keys, and disables those that failed by their own fault with their failure as reason', async () => {
  const upstream = await startUpstream();
  onTestFinished(() => upstream.close());
  const refused = errorReply(401, { message: 'Incorrect API key', code: 'invalid_api_key' });
  upstream.answer((response, request) =>
    (String(request.headers.authorization).endsWith('sk-b') ? refused : chatReply())(
      response,
      request,
    ),
  );
  const { app, operator } = await createTestApp();
  await operator.channel.create({
    name: 'many',
    type: 1,
    base_url: upstream.url,
    key: 'sk-a\nsk-b\nsk-c',
    models: 'm',
    setting: '{"multi_key_mode":"random"}',
  });
  const turnpike = (line: string) =>
    runCli(line.split(' '), { transport: createLocalTransport(app, undefined, 'en') });
  const some = await turnpike('channels keys 1 --test 1,3');
  expect(some.exitCode).toBe(0);
  expect(some.stdout.match(/\d\.\d\d s/g)).toHaveLength(2);
  expect(upstream.requests).toHaveLength(2);
  const all = await turnpike('channels keys 1 --test all --disable-failed --json');
  expect(all.exitCode).toBe(1);
  expect(all.json()).toMatchObject({
    items: [
      { position: 1, enabled: true, test: { success: true } },
      { position: 2, enabled: false, reason: 'Incorrect API key', test: { at_fault: true } },
      { position: 3, enabled: true, test: { success: true } },
    ],
  });
  expect((await turnpike('channels keys 1')).stdout).toContain('Incorrect API key');
  expect((await turnpike('channels keys 1 --disable-failed')).exitCode).toBe(2);
  expect((await turnpike('channels keys 1 --test 9')).exitCode).toBe(2);
});
