/**
 * One row that cannot be decrypted takes nothing else with it: its list says so, and works
 * (docs/rules/security.md#secrets-at-rest).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/core/config/load.ts';
import { type Client, createClient } from '../../src/core/contract/client.ts';
import { silentLogger } from '../../src/core/kernel/logger.ts';
import { Secret } from '../../src/core/kernel/secret.ts';
import { createLocalTransport } from '../../src/server/local-client.ts';
import { codeOf, type OpenApp, openApp } from '../support/app.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-unreadable-'));
const file = join(folder, 'turnpike.db');
let app: OpenApp;
let operator: Client;

const open = async () => {
  const { config } = loadConfig({ environment: {}, cwd: folder, home: folder });
  app = await openApp({
    config,
    logger: silentLogger,
    version: 'test',
    threads: false,
    databaseUrl: `sqlite:${file}`,
    folder: { cryptoSecret: new Secret('a master key') },
  });
  operator = createClient(createLocalTransport(app, undefined, 'en'));
};

beforeAll(async () => {
  await open();
  const password = 'a long password';
  await operator.system.setup({ username: 'root', password, confirmPassword: password });
  for (const name of ['whole', 'damaged']) {
    await operator.token.create({ name, unlimited_quota: true });
    await operator.redemption.create({ name, count: 1, quota: 500 });
    await operator.channel.create({ name, type: 1, key: `k-${name}`, models: 'gpt-4o' });
    await operator.user.create({ username: name, password });
  }
  await operator.option.set({ key: 'SMTPToken', value: 'hush' });
  await operator.option.set({ key: 'GitHubClientSecret', value: 'hush' });
  for (const row of (await operator.user.list({})).items)
    await app.storage.users.update(row.id, { setting: '{"quota_warning_threshold":1}' });
  await app.close();
  const database = new Database(file);
  const damage = 'v1:AAAAAAAAAAAAAAAA:AAAAAAAAAAAAAAAAAAAAAAAA';
  for (const table of ['tokens', 'redemptions', 'channels'])
    database.prepare(`UPDATE ${table} SET key_enc = ? WHERE name = 'damaged'`).run(damage);
  database.prepare("UPDATE users SET setting = ? WHERE username = 'damaged'").run(damage);
  database.prepare("UPDATE options SET value = ? WHERE key = 'SMTPToken'").run(damage);
  database.close();
  await open();
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const marks = (rows: readonly { name: string; unreadable?: true | undefined }[]) =>
  rows.map(({ name, unreadable = false }) => `${name}: ${unreadable}`).sort();
const expected = ['damaged: true', 'whole: false'];

test('tokens, codes, channels and users are listed, and the damaged row says so', async () => {
  const tokens = (await operator.userTokens.list({})).items;
  expect(marks(tokens.filter(({ name }) => expected.some((row) => row.startsWith(name))))).toEqual(
    expected,
  );
  expect(tokens.find(({ name }) => name === 'damaged')?.key).toBe('');
  expect(marks((await operator.redemption.list({})).items)).toEqual(expected);
  expect(marks((await operator.channel.list({})).items)).toEqual(expected);
  const users = (await operator.user.list({})).items.map(({ username }) => username);
  expect(users).toEqual(expect.arrayContaining(['damaged', 'whole']));
});

test('what needs the key is refused with what to do; the others serve', async () => {
  const channels = (await operator.channel.list({})).items;
  const idOf = (name: string) => channels.find((row) => row.name === name)?.id ?? 0;
  expect(await codeOf(operator.channelKeys.list({ id: idOf('damaged') }))).toBe('key_unreadable');
  expect([...app.channels.routing.all()].map(({ name }) => name)).toEqual(['whole']);
  await operator.channel.update({ id: idOf('damaged'), key: 'anew' });
  expect([...app.channels.routing.all()].map(({ name }) => name).sort()).toEqual([
    'damaged',
    'whole',
  ]);
});

test('an option that cannot be decrypted counts as not set, the others stay', async () => {
  expect(app.site.options.get('SMTPToken')).toBe('');
  expect(app.site.options.get('GitHubClientSecret')).toBe('hush');
});
