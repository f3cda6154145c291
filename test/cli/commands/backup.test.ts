// Covers src/cli/commands/maintenance, src/core/storage/backup.
/**
 * `turnpike backup` and `turnpike restore` on SQLite: a live site, refusals, and what a crash
 * leaves.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockDataFolder } from '../../../src/core/config/data-lock.ts';
import { writeGatewayFile } from '../../../src/core/config/gateway-file.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { makeSite, openSite } from '../../support/data-folder-site.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { makeOldSite } from '../../support/old-site.ts';
import { program } from '../../support/program.ts';
import { startUpstream } from '../../support/upstream.ts';
import { runCli } from '../run-cli.ts';

const base = mkdtempSync(join(tmpdir(), 'turnpike-backup-'));
const site = join(base, 'site');
const file = join(base, 'site.backup');
let serial = 0;
const newFolder = () => join(base, `folder${++serial}`);

const backup = (target: string, folder = site, ...flags: string[]) =>
  runCli(['backup', target, '--data-dir', folder, '--json', ...flags]);
const restore = (source: string, folder: string, ...flags: string[]) =>
  runCli(['restore', source, '--data-dir', folder, '--json', ...flags]);
const usernames = (folder: string) =>
  openSite(folder).use(async (client) => {
    expect(await client.ledger.verify({})).toMatchObject({ ok: true });
    return (await client.user.list({})).items.map(({ username }) => username).sort();
  });

beforeAll(async () => {
  await makeSite(site);
  mkdirSync(join(site, 'uploads/2026/11'), { recursive: true });
  writeFileSync(join(site, 'uploads/2026/11/a.png'), 'an image');
  mkdirSync(join(site, 'uploads/drafts'));
  writeFileSync(join(site, 'uploads/drafts/b'), 'half an image');
  await backup(file, site, '--with-keys', '--with-files');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('a backup', () => {
  test('restores everything into an empty folder: accounts, secrets, keys, files', async () => {
    const folder = newFolder();
    const run = await restore(file, folder);
    expect(run.stderr).toBe('');
    expect(run.json()).toMatchObject({
      drifts: 0,
      files: 1,
      kept: [],
      migrated: [],
      with_keys: true,
      with_files: true,
    });
    expect(await usernames(folder)).toEqual(['root', 'user1', 'user2', 'user3']);
    expect(readFileSync(join(folder, 'secret.json'), 'utf8')).toBe(
      readFileSync(join(site, 'secret.json'), 'utf8'),
    );
    expect(readFileSync(join(folder, 'uploads/2026/11/a.png'), 'utf8')).toBe('an image');
    expect(readdirSync(join(folder, 'uploads/drafts'))).toEqual([]);
    expect(readdirSync(folder).filter((name) => /restoring|part|replace/.test(name))).toEqual([]);
    for (const name of ['turnpike.db', 'secret.json'])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  test('is one file that only its owner can read, without the key file unless asked', async () => {
    const target = join(base, 'no-keys.backup');
    const run = await backup(target);
    expect(run.json()).toMatchObject({
      file: target,
      drifts: 0,
      engine: 'sqlite',
      with_keys: false,
      tables: { users: 4 },
    });
    expect(statSync(target).mode & 0o777).toBe(0o600);
    const content = readFileSync(target);
    const packed = content.subarray(content.indexOf('\n', content.indexOf('\n') + 1) + 1);
    expect(gunzipSync(packed).includes('crypto_secret')).toBe(false);
    expect(readdirSync(base).filter((name) => name.includes('.part'))).toEqual([]);

    const plain = await runCli(['backup', target, '--data-dir', site]);
    expect(plain.stderr).toContain(`Keep a copy of ${site}/secret.json`);
  });

  test('of a site under load has its state at one moment', async () => {
    const gateway = await startTestGateway();
    try {
      const upstream = await startUpstream();
      await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'gpt-4o' });
      const customers = await Promise.all(
        ['a', 'b', 'c'].map(() => gateway.addCustomer(1_000_000)),
      );
      let isOver = false;
      let charges = 0;
      const body = JSON.stringify({
        model: 'gpt-4o',
        messages: [{ role: 'user', content: 'Hello' }],
      });
      const load = customers.map(async ({ key }) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        while (!isOver) {
          const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
            method: 'POST',
            headers,
            body,
          });
          expect([reply.status, await reply.json()]).toMatchObject([200, {}]);
          charges += 1;
        }
      });
      const target = join(base, 'live.backup');
      const run = await backup(target, gateway.dataDir, '--with-keys');
      isOver = true;
      await Promise.all(load);
      expect(charges).toBeGreaterThan(10);
      await upstream.close();
      expect(run.json()).toMatchObject({ drifts: 0 });
      const folder = newFolder();
      expect((await restore(target, folder)).exitCode).toBe(0);
      expect(await usernames(folder)).toHaveLength(4);
    } finally {
      await gateway.close();
    }
  });

  test('goes through a pipe', () => {
    const folder = newFolder();
    const packed = execFileSync(
      process.execPath,
      [program, 'backup', '-', '--with-keys', '--data-dir', site],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    execFileSync(process.execPath, [program, 'restore', '-', '--data-dir', folder], {
      input: packed,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    expect(existsSync(join(folder, 'turnpike.db'))).toBe(true);
  });

  test('goes to the same file as others at the same time, and each is whole', async () => {
    const target = join(base, 'common.backup');
    const exits = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const words = [program, 'backup', target, '--data-dir', site, '--with-keys', '--quiet'];
        const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
        return (await once(child, 'exit'))[0];
      }),
    );
    expect(exits).toEqual([0, 0, 0]);
    expect((await restore(target, newFolder())).exitCode).toBe(0);
    expect(readdirSync(base).filter((name) => name.includes('.part'))).toEqual([]);
  });

  test('of a folder without a database is refused', async () => {
    const run = await backup(join(base, 'none.backup'), newFolder());
    expect(run.exitCode).toBe(2);
    expect(run.failure().code).toBe('site_missing');
    expect(existsSync(join(base, 'none.backup'))).toBe(false);
  });

  test('beside a gateway whose data is elsewhere is refused, and names the setting', async () => {
    const folder = newFolder();
    await makeSite(folder);
    const own = { database: join(folder, 'turnpike.db'), uploads: join(folder, 'uploads') };
    const place = join(base, 'place');
    mkdirSync(place);
    const run = async (data: typeof own, ...line: string[]) => {
      const lock = lockDataFolder(folder);
      const key = new Secret('k'.repeat(43));
      writeGatewayFile(folder, { url: 'http://127.0.0.1:1', pid: process.pid, key, data });
      const environment = { BACKUP_TO: place, BACKUP_KEEP: 'many' };
      const result = await runCli([...line, '--data-dir', folder], { environment });
      lock.release();
      return [result.exitCode, /settings of the gateway: (\w+)/.exec(result.stderr)?.[1]];
    };
    const target = join(base, 'beside.backup');
    const uploads = newFolder();
    mkdirSync(uploads);
    const refusals = [
      [{ ...own, database: 'PostgreSQL' }, 'TURNPIKE_DATABASE_URL', []],
      [{ ...own, database: join(site, 'turnpike.db') }, 'TURNPIKE_SQLITE_PATH', []],
      [{ ...own, uploads }, 'TURNPIKE_UPLOAD_DIR', ['--with-files']],
    ] as const;
    for (const [data, setting, flags] of refusals) {
      expect(await run(data, 'backup', target, ...flags)).toEqual([5, setting]);
      expect(await run(data, 'backups', 'run')).toEqual([5, setting]);
      expect([existsSync(target), readdirSync(place)]).toEqual([false, []]);
    }
    expect(await run({ ...own, uploads }, 'backup', target)).toEqual([0, undefined]);
    // another name of the same place, and places that are not on this machine
    const link = newFolder();
    symlinkSync(folder, link);
    const named = (at: string) => ({
      database: join(at, 'turnpike.db'),
      uploads: join(at, 'uploads'),
    });
    for (const data of [named(link), named('/in a container')])
      expect(await run(data, 'backup', target, '--with-files')).toEqual([0, undefined]);
    expect(await run(own, 'backups', 'run')).toEqual([0, undefined]);
    const ran = await runCli(['backups', 'list', '--data-dir', folder], {
      environment: { BACKUP_TO: place, BACKUP_KEEP: 'many' },
    });
    expect(ran.stderr).toContain('BACKUP_KEEP is not usable (many); using 14');
  });
});

describe('restore', () => {
  const refused = async (source: string, folder: string, ...flags: string[]) => {
    const run = await restore(source, folder, ...flags);
    return {
      code: run.failure().code,
      exitCode: run.exitCode,
      left: existsSync(folder) ? readdirSync(folder) : undefined,
    };
  };
  const altered = (name: string, change: (content: Buffer) => Buffer): string => {
    const path = join(base, name);
    writeFileSync(path, change(readFileSync(file)));
    return path;
  };

  test('refuses what is no backup, is damaged, cut or of a newer version, and leaves nothing', async () => {
    const size = statSync(file).size;
    const flip = (at: number) => (content: Buffer) => {
      content[at] = (content[at] ?? 0) ^ 0xff;
      return content;
    };
    const headed = (change: (header: string) => string) => (content: Buffer) => {
      const from = content.indexOf('\n') + 1;
      const to = content.indexOf('\n', from);
      return Buffer.concat([
        content.subarray(0, from),
        Buffer.from(change(content.subarray(from, to).toString())),
        content.subarray(to),
      ]);
    };
    const empty = { exitCode: 1, left: undefined };
    const cases: readonly [string, (content: Buffer) => Buffer, string][] = [
      ['empty', () => Buffer.alloc(0), 'backup_foreign'],
      ['a database', () => readFileSync(join(site, 'turnpike.db')), 'backup_foreign'],
      ['cut', (content) => content.subarray(0, size >> 1), 'backup_damaged'],
      ['cut at the end', (content) => content.subarray(0, size - 9), 'backup_damaged'],
      ['changed early', flip(size >> 1), 'backup_damaged'],
      ['changed late', flip(size - 100), 'backup_damaged'],
      [
        'fewer rows',
        headed((header) => header.replace('"users":4', '"users":5')),
        'backup_damaged',
      ],
      [
        'a later migration',
        headed((header) => header.replace('"steps":["', '"steps":["9999-later","')),
        'backup_newer',
      ],
      [
        'a later format',
        (content) =>
          Buffer.from(content.toString('latin1').replace('BACKUP 1', 'BACKUP 2'), 'latin1'),
        'backup_newer',
      ],
    ];
    for (const [name, change, code] of cases) {
      expect(await refused(altered(name, change), newFolder()), name).toEqual({ ...empty, code });
    }
    expect((await restore(base, newFolder())).failure().message).toContain(
      `${base}: it is a folder`,
    );
    const outside = altered('outside', () => {
      const header = readFileSync(file).subarray(0, readFileSync(file).indexOf('\n', 20) + 1);
      return Buffer.concat([
        header,
        gzipSync('{"name":"uploads/../../x","bytes":0,"sha256":""}\n{"entries":1}\n'),
      ]);
    });
    expect(await refused(outside, newFolder())).toEqual({ ...empty, code: 'backup_damaged' });
  });

  test('refuses secrets that no key at hand decrypts, and takes the key of the folder', async () => {
    const target = join(base, 'keyless.backup');
    await backup(target);
    const folder = newFolder();
    expect(await refused(target, folder)).toMatchObject({
      code: 'backup_key_missing',
      exitCode: 5,
      left: undefined,
    });
    const other = newFolder();
    await makeSite(other, 0);
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(other, 'secret.json'), join(folder, 'secret.json'));
    expect(await refused(target, folder)).toMatchObject({
      code: 'backup_key_missing',
      left: ['secret.json'],
    });
    copyFileSync(join(site, 'secret.json'), join(folder, 'secret.json'));
    expect((await restore(target, folder)).exitCode).toBe(0);
  });

  test('migrates the backup of an earlier version, which it names', async () => {
    const old = newFolder();
    mkdirSync(old);
    await makeOldSite(old);
    const target = join(base, 'old.backup');
    const made = await backup(target, old, '--with-keys');
    // balances are counted in the newest schema
    expect(made.json()).toMatchObject({ schema: '0020-uploads', drifts: null });
    const folder = newFolder();
    const run = (await restore(target, folder)).json<{ migrated: string[] }>();
    expect(run).toMatchObject({
      drifts: 0,
      migrated: expect.arrayContaining(['0021-user-identities']),
    });
    await openSite(folder).use(async (client) => {
      expect((await client.user.list({})).items).toMatchObject([
        { username: 'root', quota: 500, github_id: 'g1' },
      ]);
      expect((await client.redemption.list({})).items).toMatchObject([
        { name: 'Old', key: 'code-of-old' },
      ]);
    });
  });

  test('of a site whose key is only in CRYPTO_SECRET writes a key file that opens it', async () => {
    const own = newFolder();
    await makeSite(own, 0, { CRYPTO_SECRET: 'of the environment' });
    rmSync(join(own, 'secret.json')); // as on another machine that only has the variable
    const target = join(base, 'variable.backup');
    const run = await runCli(['backup', target, '--data-dir', own, '--with-keys'], {
      environment: { CRYPTO_SECRET: 'of the environment' },
    });
    expect(run.exitCode).toBe(0);
    const folder = newFolder();
    expect((await restore(target, folder)).exitCode).toBe(0);
    expect(await usernames(folder)).toEqual(['root']);
  });

  test('replaces a site only with --force, and keeps it', async () => {
    const folder = newFolder();
    const other = await makeSite(folder, 1);
    const keys = readFileSync(join(folder, 'secret.json'), 'utf8');
    expect((await restore(file, folder)).failure().code).toBe('restore_not_empty');
    // without a terminal it needs --yes
    expect((await restore(file, folder, '--force')).exitCode).toBe(2);
    const lock = lockDataFolder(folder);
    expect((await restore(file, folder, '--force', '--yes')).failure().code).toBe(
      'data_folder_locked',
    );
    lock.release();
    const { kept } = (await restore(file, folder, '--force', '--yes')).json<{ kept: string[] }>();
    expect(await usernames(folder)).toEqual(['root', 'user1', 'user2', 'user3']);
    // What was kept can be put back by hand.
    copyFileSync(kept.find((path) => path.endsWith('.db')) ?? '', join(folder, 'turnpike.db'));
    expect(readFileSync(kept.find((path) => path.endsWith('.json')) ?? '', 'utf8')).toBe(keys);
    writeFileSync(join(folder, 'secret.json'), keys);
    expect(await other.use(async (client) => (await client.user.list({})).total)).toBe(2);
  });

  test.each([
    ['overwritten', 0],
    ['damaged in the middle', 200_000],
  ])('replaces a database that is %s, and keeps its files', async (_, place) => {
    const folder = newFolder();
    await restore(file, folder);
    const database = join(folder, 'turnpike.db');
    const content = readFileSync(database);
    content.fill('damage', place, place + 100_000);
    writeFileSync(database, content);
    writeFileSync(`${database}-charges-0`, 'a journal');
    const saved = await runCli(['backup', join(base, 'of damage'), '--data-dir', folder]);
    expect([saved.exitCode, saved.stderr]).toEqual([
      6,
      expect.stringContaining(`The database ${database} is not available`),
    ]);
    const run = await restore(file, folder, '--force', '--yes');
    const { kept } = run.json<{ kept: string[] }>();
    const inSnapshots = kept.filter((path) => path.includes('-before-restore.db'));
    expect(inSnapshots.map((path) => path.replace(/.*\.db/, ''))).toEqual(['', '-charges-0']);
    expect(readFileSync(inSnapshots[0] ?? '').equals(content)).toBe(true);
    expect(statSync(inSnapshots[0] ?? '').mode & 0o777).toBe(0o600);
    expect(await usernames(folder)).toEqual(['root', 'user1', 'user2', 'user3']);
  });

  test('reads either the backup or its passphrase from standard input', async () => {
    const run = await restore('-', newFolder(), '--backup-passphrase-stdin');
    expect([run.exitCode, run.failure().message]).toEqual([
      2,
      'Standard input is the backup: give its passphrase in BACKUP_PASSPHRASE, or name a file',
    ]);
  });

  test('asks on a terminal before it replaces a site', async () => {
    const run = await runCli(['restore', file, '--data-dir', site, '--force'], {
      person: { agrees: false },
    });
    expect(run.exitCode).toBe(1);
    expect(run.questions).toHaveLength(1);
    expect(existsSync(join(site, 'snapshots'))).toBe(false);
  });
});

describe('kill -9', () => {
  const killedAfter = (ms: number, words: readonly string[]) =>
    new Promise<void>((resolve) => {
      const child = spawn(process.execPath, [program, ...words], {
        stdio: ['ignore', 'ignore', 'ignore'],
      });
      const timer = setTimeout(() => child.kill('SIGKILL'), ms);
      child.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
    });

  test('leaves no backup, or a complete one', async () => {
    const target = join(base, 'killed.backup');
    for (const ms of [350, 500, 650]) {
      await killedAfter(ms, ['backup', target, '--with-keys', '--data-dir', site]);
      if (existsSync(target)) expect((await restore(target, newFolder())).exitCode).toBe(0);
    }
    expect((await backup(target)).exitCode).toBe(0);
    expect(readdirSync(base).filter((name) => name.includes('.part'))).toEqual([]);
  });
});
