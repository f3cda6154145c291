/**
 * Completion of ids and names: from a stopped folder, a running gateway, a remote one
 * (docs/rules/command-line.md#completion).
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completionsOf } from '../../src/cli/complete.ts';
import { sourceOfArgument } from '../../src/cli/completion/candidates.ts';
import { profilePath, writeProfiles } from '../../src/cli/connection/profiles.ts';
import { loadAllCommands } from '../../src/cli/topics.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

let folder = '';
let gateway: TestGateway;
let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-completion-'));
  gateway = await startTestGateway();
  environment = { TURNPIKE_CONFIG_DIR: folder, TURNPIKE_DATA_DIR: gateway.dataDir };
  const channel = { type: 1, key: 'k', models: 'gpt-5.1,gpt-5.1-mini' };
  await gateway.client.channel.create({ ...channel, name: 'main', tag: 'own' });
  await gateway.client.channel.create({
    ...channel,
    name: 'back\u001b[31mup\there',
    tag: '$(touch /tmp/no)',
  });
  await gateway.client.user.create({
    username: 'linxi',
    password: 'a long password',
    display_name: '林溪',
  });
  writeProfiles(profilePath(environment), {
    home: { server: gateway.url, access_token: await gateway.client.self.systemToken() },
  });
});
afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

const complete = async (line: string, variables: NodeJS.ProcessEnv = environment) =>
  (await completionsOf({ words: line.split(' '), language: 'en', environment: variables })).map(
    (found) => found.replace(/\t$/, '').replace('\t', ' = '),
  );

describe('what is offered', () => {
  test.each([
    ['channels show ', ['2 = back [31mup here', '1 = main', ':4']],
    ['channel edit 1', ['1 = main', ':4']],
    ['users show ', ['2 = linxi', '1 = root', ':4']],
    ['logs list --user li', ['linxi = 林溪', ':4']],
    ['logs list --user=li', ['linxi = 林溪', ':4']],
    ['tokens list --user ', ['linxi = 林溪', '2 = linxi', 'root = Root User', '1 = root', ':4']],
    ['users list --group ', ['default', 'svip', 'vip', ':4']],
    ['tokens add --models gpt-5.1,gpt', ['gpt-5.1,gpt-5.1-mini', ':4']],
    ['route explain --group default --model gpt-5.1-', ['gpt-5.1-mini', ':4']],
    ['options get GroupR', ['GroupRatio', ':4']],
    ['--profile ', [`home = ${'URL'}`, ':4']],
    ['--profile home channels show 1', ['1 = main', ':4']],
    ['--lang en users ed', ['edit = Edit a user', ':4']],
    [
      'doctor c',
      ['client = Settings of a client, and whether the site gives it what it needs', ':4'],
    ],
    ['doctor client cod', ['codex', ':4']],
    ['users list --page-s', ['--page-size = Rows per page, at most 100 (default 10)', ':4']],
    ['restore ', [':0']],
    ['redemptions batch --output ', [':0']],
    ['nonsense ', [':4']],
    ['models add --type ', [':4']],
    ['channels add --type anth', ['anthropic = Claude', ':4']],
    ['channels add --type openai-m', [':4']],
    [
      'users list --watch --page-s',
      ['--page-size = Rows per page, at most 100 (default 10)', ':4'],
    ],
  ])('turnpike %s', async (line, expected) => {
    expect(await complete(line)).toEqual(expected.map((text) => text.replace('URL', gateway.url)));
  });

  test('no name that a shell would not take as one word', async () => {
    expect(await complete('channels list --tag ')).toEqual(['own', ':4']);
  });

  test('of a flag that is given already, no second one', async () => {
    expect(await complete('users list --page 2 --page')).toEqual([
      expect.stringContaining('--page-size'),
      ':4',
    ]);
  });

  test('values of every argument that is an id', async () => {
    const ids = (await loadAllCommands()).flatMap(({ commands }) =>
      commands.flatMap((command) =>
        command.arguments
          .filter(({ kind }) => kind === 'id')
          .map((argument) => ({ command, argument })),
      ),
    );
    expect(
      ids.filter(({ command, argument }) => sourceOfArgument(command, argument) === undefined),
    ).toEqual([]);
  });
});

describe('what cannot be reached offers nothing', () => {
  test('a folder without a site, which stays as it is', async () => {
    const empty = join(folder, 'empty');
    expect(await complete('users show ', { TURNPIKE_DATA_DIR: empty })).toEqual([':4']);
    expect(existsSync(empty)).toBe(false);
  });

  test('a wrong access token, an unknown profile', async () => {
    expect(await complete(`users show --server ${gateway.url} --access-token wrong `)).toEqual([
      ':4',
    ]);
    expect(await complete('users show --profile nowhere ')).toEqual([':4']);
  });

  test('a gateway that does not answer, within seconds', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    expect(
      await complete(`users show --server http://127.0.0.1:${port} --access-token t `),
    ).toEqual([':4']);
    silent.close();
  });
});
