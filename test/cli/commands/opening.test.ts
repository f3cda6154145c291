/**
 * What no command and no start opens: a database without its key, of an earlier version, or what is
 * left of one.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSite, openSite } from '../../support/data-folder-site.ts';
import { commonRows, writeFamilyFile } from '../../support/family-database.ts';
import { makeOldSite } from '../../support/old-site.ts';
import { runCli } from '../run-cli.ts';

const base = mkdtempSync(join(tmpdir(), 'turnpike-opening-'));
const site = join(base, 'site');
const source = join(base, 'one-api.db');
let serial = 0;

beforeAll(async () => {
  await makeSite(site, 1);
  await openSite(site).use((client) =>
    client.userTokens.create({ name: 'kept', unlimited_quota: true }),
  );
  writeFamilyFile(source, 'newapi-0.6', commonRows);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function copyOf(folder: string): string {
  serial += 1;
  const copy = join(base, `copy${serial}`);
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/**
 * Every way to a data folder: the start, commands that read or write through the API, and those
 * that work on the database as a whole.
 */
const readers = [
  ['users', 'list'],
  ['logs', 'list'],
  ['ledger', 'verify'],
  ['options', 'list'],
];
const writers = [
  ['setup', '--username', 'second', '--password-stdin'],
  ['users', 'add', '--username', 'bob', '--password-stdin'],
  ['options', 'set', 'SystemName', 'x'],
  ['reset-root-password', '--password-stdin'],
  ['rotate-crypto', '--yes'],
  ['import', 'newapi', source, '--yes'],
];
const serve = ['serve', '--port', '0', '--no-open'];
const migrate = ['migrate'];

async function run(folder: string, words: readonly string[]) {
  // A start that is not refused stops at once.
  return runCli([...words, '--data-dir', folder, '--json'], {
    connects: true,
    input: 'a long password\n',
    stop: words[0] === 'serve' ? AbortSignal.abort() : new AbortController().signal,
  });
}

/** Names and contents of all files, without the process log. */
function contentsOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('logs') && statSync(join(folder, name)).isFile())
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}`,
    )
    .sort();
}

async function expectRefused(
  folder: string,
  words: readonly string[],
  code: string,
  exitCode: number,
): Promise<void> {
  const before = contentsOf(folder);
  const refused = await run(folder, words);
  expect([refused.failure().code, refused.exitCode], words.join(' ')).toEqual([code, exitCode]);
  expect(contentsOf(folder), words.join(' ')).toEqual(before);
}

test('a database whose key file is lost is opened by nobody, and no new key is made', async () => {
  const folder = copyOf(site);
  rmSync(join(folder, 'secret.json'));
  rmSync(join(folder, 'lock.db'));
  for (const words of [serve, ...readers, ...writers, migrate])
    await expectRefused(folder, words, 'site_key_missing', 1);
  expect((await run(folder, ['backup', join(base, 'x.backup')])).failure().code).toBe(
    'site_key_missing',
  );
  const said = await runCli([...serve, '--data-dir', folder], { stop: AbortSignal.abort() });
  expect(said.stderr).toContain(`${folder}/secret.json is missing`);
  expect(existsSync(join(folder, 'lock.db'))).toBe(false);
  // The key is in the environment: nothing is lost.
  const { crypto_secret: secret } = JSON.parse(readFileSync(join(site, 'secret.json'), 'utf8')) as {
    crypto_secret: string;
  };
  const environment = { CRYPTO_SECRET: secret };
  await openSite(folder, environment).use(async (client) =>
    expect((await client.userTokens.list({})).items).toMatchObject([{ name: 'kept' }]),
  );
});

test('nor is one with the key file of another site', async () => {
  const folder = copyOf(site);
  writeFileSync(
    join(folder, 'secret.json'),
    '{"session_secret":"s","crypto_secret":"of another site"}',
  );
  for (const words of [serve, ...readers, ...writers, migrate])
    await expectRefused(folder, words, 'site_key_wrong', 1);
});

test('a key that one damaged secret does not fit opens the site', async () => {
  const folder = copyOf(site);
  const { default: Database } = await import('better-sqlite3');
  const database = new Database(join(folder, 'turnpike.db'));
  database.exec("UPDATE tokens SET key_enc = 'v1:damaged:damaged'");
  database.close();
  await openSite(folder).use(async (client) => expect((await client.user.list({})).total).toBe(2));
});

test('a database of an earlier version is opened by what migrates it alone', async () => {
  const old = join(base, 'old');
  cpSync(site, old, { recursive: true });
  rmSync(join(old, 'turnpike.db'));
  await makeOldSite(old);
  for (const words of [...readers, ...writers])
    await expectRefused(old, words, 'migrations_pending', 5);
  const said = await runCli(['users', 'list', '--data-dir', old], { connects: true });
  expect(said.stderr).toContain('turnpike migrate');
  const started = copyOf(old);
  expect((await run(started, serve)).exitCode).toBe(0);
  expect((await run(old, migrate)).json()).toMatchObject({
    executed: expect.arrayContaining(['0021-user-identities']),
  });
  for (const folder of [old, started])
    expect((await run(folder, ['users', 'list'])).json()).toMatchObject({ total: 1 });
});

test('what belongs to a database that is gone is not taken for a new site', async () => {
  const folder = copyOf(site);
  renameSync(join(folder, 'turnpike.db'), join(base, 'aside.db'));
  writeFileSync(join(folder, 'turnpike.db-wal'), 'what was not in the file yet');
  const opening = [
    serve,
    ['setup', '--username', 'second', '--password-stdin'],
    ['import', 'newapi', source, '--yes'],
  ];
  for (const words of opening) await expectRefused(folder, words, 'database_lost', 1);
  for (const words of [['users', 'list'], migrate])
    await expectRefused(folder, words, 'site_missing', 2);
  writeFileSync(join(folder, 'turnpike.db'), '');
  for (const words of opening) await expectRefused(folder, words, 'database_lost', 1);
  rmSync(join(folder, 'turnpike.db-wal'));
  renameSync(join(base, 'aside.db'), join(folder, 'turnpike.db'));
  expect((await run(folder, ['users', 'list'])).json()).toMatchObject({ total: 2 });
});
