/** `--user` on every command that has it (docs/rules/command-line.md#users). */
import { beforeAll, expect, test } from 'vitest';
import { loadAllCommands } from '../../../src/cli/topics.ts';
import type { Transport } from '../../../src/core/contract/client.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { runCli } from '../run-cli.ts';

let local: Transport;
let id = 0;
beforeAll(async () => {
  const { app, operator } = await createTestApp();
  local = createLocalTransport(app, undefined, 'en');
  ({ id } = await operator.user.create({ username: 'Linxi', password: 'a long password' }));
  await operator.user.create({ username: 'linxi2', password: 'a long password' });
  await operator.user.create({ username: String(id), password: 'a long password' });
});

/** Runs a command, and returns what its last call was asked for. */
async function filterOf(name: string, user: string) {
  let last: Record<string, unknown> = {};
  const transport: Transport = async (call, input) => {
    if (!call.path.startsWith('/api/user/') && call.path !== '/api/status') last = input;
    return local(call, input);
  };
  const once = name === 'logs tail' ? ['--once'] : [];
  const run = await runCli([...name.split(' '), '--user', user, '--quiet', ...once], { transport });
  return { run, user: last['user_id'] ?? last['username'] };
}

test('takes an id or a name; a number is an id, also where a user has such a name', async () => {
  const commands = (await loadAllCommands()).flatMap((topic) => topic.commands);
  const names = commands
    .filter(({ flags }) =>
      flags.some(({ name, lookUp }) => name === 'user' && lookUp !== undefined),
    )
    .map(({ name }) => name);
  expect(names.length).toBeGreaterThanOrEqual(12);
  for (const name of names) {
    const [byId, byName] = [await filterOf(name, String(id)), await filterOf(name, 'lINXI')];
    const isByName = typeof byId.user === 'string';
    expect([byId.run.stderr, byName.run.stderr, byId.user, byName.user], name).toEqual(
      isByName ? ['', '', 'Linxi', 'lINXI'] : ['', '', id, id],
    );
    const unknown = await filterOf(name, isByName ? '999' : 'nobody');
    expect([unknown.run.exitCode, unknown.run.stderr], name).toEqual([
      3,
      expect.stringContaining('There is no such user'),
    ]);
  }
  // A change of many tokens has it under another name.
  let match: unknown;
  const watching: Transport = async (call, input) => {
    if (call.path.startsWith('/api/turnpike/bulk/')) match = input['match'];
    return local(call, input);
  };
  for (const user of ['Linxi', String(id)]) {
    const args = ['tokens', 'bulk', '--match-user', user, '--group', 'default', '--dry-run'];
    expect((await runCli(args, { transport: watching })).exitCode).toBe(0);
    expect(match, user).toEqual({ user_id: id });
  }

  const added = await runCli(
    ['tokens', 'add', '--user', String(id), '--name', 'x', '--unlimited', '--json'],
    {
      transport: local,
    },
  );
  const shown = await runCli(
    ['tokens', 'show', String(added.json<{ id: number }>().id), '--json'],
    { transport: local },
  );
  expect(shown.json()).toMatchObject({ user_id: id });
});

test('every --user says the same', async () => {
  const commands = (await loadAllCommands()).flatMap((topic) => topic.commands);
  const flags = commands.flatMap((command) => command.flags.filter(({ name }) => name === 'user'));
  for (const flag of flags) {
    expect(flag.placeholder).toBe('ID|NAME');
    expect(flag.summary.en).toMatch(/; a number is an id$/);
  }
});
