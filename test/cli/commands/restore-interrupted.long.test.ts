/**
 * `turnpike restore` and `turnpike backup` that are killed at chosen moments, interrupted, or find
 * the disk full.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSite, openSite } from '../../support/data-folder-site.ts';
import { program } from '../../support/program.ts';
import { runCli } from '../run-cli.ts';

const dieAtChange = join(import.meta.dirname, '../../support/die-at-change.ts');
const base = mkdtempSync(join(tmpdir(), 'turnpike-interrupted-'));
const site = join(base, 'site');
const other = join(base, 'other');
const file = join(base, 'site.backup');
let serial = 0;
/** A copy of the other site, which a restore replaces. */
const copyOfOther = () => {
  const folder = join(base, `folder${++serial}`);
  cpSync(other, folder, { recursive: true });
  return folder;
};
const usernames = (folder: string) =>
  openSite(folder).use(async (client) => {
    expect(await client.ledger.verify({})).toMatchObject({ ok: true });
    return (await client.user.list({})).items.map(({ username }) => username).sort();
  });
const oldSite = ['root', 'user1'];
const newSite = ['root', 'user1', 'user2', 'user3'];
const remains = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /restoring|part|draft-|replace|next/.test(name),
  );

beforeAll(async () => {
  await makeSite(site);
  await makeSite(other, 1);
  await runCli(['backup', file, '--data-dir', site, '--with-keys', '--json']);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('kill -9', () => {
  const restoreThatDiesAt = (change: number, folder: string) =>
    spawnSync(
      process.execPath,
      ['--import', dieAtChange, program, 'restore', file, '--data-dir', folder, '--force', '--yes'],
      {
        env: { ...process.env, DIE_AT: String(change) },
        stdio: 'ignore',
      },
    );

  test('before each file gets its name: the old site or the restored one opens, and nothing half-done remains', async () => {
    const found: string[] = [];
    for (let change = 1; ; change++) {
      const folder = copyOfOther();
      const { signal, status } = restoreThatDiesAt(change, folder);
      const names = await usernames(folder);
      expect(remains(folder)).toEqual([]);
      found.push(names.length === newSite.length ? 'new' : 'old');
      expect([oldSite, newSite]).toContainEqual(names);
      if (signal !== 'SIGKILL') {
        expect(status).toBe(0);
        break;
      }
    }
    // Two copies in snapshots/, the staged key file and the journal; then database, key file, and a
    // whole run.
    expect(found.join(' ')).toMatch(/^(old ){4}(new ?){3}$/);
  });
});

describe('Ctrl-C', () => {
  test.each(['Reading the backup', 'Verifying balances'])(
    'at "%s" ends a restore, and the old site is as it was',
    async (moment) => {
      const folder = copyOfOther();
      const stop = new AbortController();
      const run = await runCli(['restore', file, '--data-dir', folder, '--force', '--yes'], {
        stop: stop.signal,
        columns: 80,
        onError: (text) => text.includes(moment) && stop.abort(),
      });
      expect([run.exitCode, run.stderr]).toEqual([130, expect.stringContaining('Interrupted')]);
      expect(remains(folder)).toEqual([]);
      expect(await usernames(folder)).toEqual(oldSite);
    },
  );

  test('ends a backup without a file of that name, and an earlier one stays', async () => {
    const target = join(base, 'interrupted.backup');
    const earlier = readFileSync(file);
    writeFileSync(target, earlier);
    const stop = new AbortController();
    stop.abort();
    const run = await runCli(['backup', target, '--data-dir', site, '--json'], {
      stop: stop.signal,
    });
    expect([run.exitCode, run.failure().code]).toEqual([130, 'interrupted']);
    expect(readFileSync(target).equals(earlier)).toBe(true);
    expect(readdirSync(base).filter((name) => name.includes('part'))).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a full disk', () => {
  /**
   * No file of the process becomes longer than these bytes (a multiple of 512): writing fails in
   * the middle, as on a full disk.
   */
  const limited = (bytes: number, words: readonly string[]) => {
    const script = `ulimit -f ${bytes / 512}; exec "$@"`;
    const run = spawnSync('sh', ['-c', script, 'sh', process.execPath, program, ...words], {
      encoding: 'utf8',
    });
    return { exitCode: run.status, stderr: run.stderr };
  };

  test.each([65_536, 307_200])('at %i bytes while restoring leaves the old site', async (bytes) => {
    const folder = copyOfOther();
    const run = limited(bytes, ['restore', file, '--data-dir', folder, '--force', '--yes']);
    expect(run.exitCode).not.toBe(0);
    expect(run.stderr).toMatch(/restoring|snapshots/);
    expect(run.stderr).not.toContain('    at ');
    expect(remains(folder)).toEqual([]);
    expect(await usernames(folder)).toEqual(oldSite);
  });

  test('while backing up leaves no file and an earlier backup, and says what is full', () => {
    const target = join(base, 'full.backup');
    writeFileSync(target, readFileSync(file));
    const words = ['--data-dir', site, '--with-keys'];
    expect(limited(102_400, ['backup', target, ...words])).toMatchObject({
      exitCode: 6,
      stderr: expect.stringContaining('full.backup.db.part'),
    });
    // The copy of the database fits, what is written of it does not.
    const shell = `${process.execPath} ${program} backup - ${words.join(' ')} > /dev/full`;
    const run = spawnSync('sh', ['-c', shell], { encoding: 'utf8' });
    expect([run.status, run.stderr]).toEqual([
      1,
      expect.stringContaining('standard output: the disk is full'),
    ]);
    expect(readFileSync(target).equals(readFileSync(file))).toBe(true);
    expect(readdirSync(base).filter((name) => name.includes('part'))).toEqual([]);
    expect(readdirSync(site).filter((name) => name.includes('part'))).toEqual([]);
  });
});

describe('a backup is not written over', () => {
  test('the database, other files of the data folder, files that are no backups, folders and devices', async () => {
    const folder = copyOfOther();
    const note = join(base, 'note.txt');
    writeFileSync(note, 'not a backup');
    const targets = ['turnpike.db', 'turnpike.db-wal', 'secret.json', 'lock.db', 'logs'].map(
      (name) => join(folder, name),
    );
    for (const target of [...targets, note, '/dev/null']) {
      const run = await runCli(['backup', target, '--data-dir', folder, '--json']);
      expect([run.exitCode, run.failure().code], target).toEqual([5, 'backup_target']);
    }
    expect(readFileSync(note, 'utf8')).toBe('not a backup');
    expect(await usernames(folder)).toEqual(oldSite);
    const nowhere = await runCli(['backup', join(base, 'nowhere/x'), '--data-dir', folder]);
    expect(nowhere.stderr).toContain(`${join(base, 'nowhere')}: it does not exist`);
  });
});

test('a start removes what killed backups and restores left, and nothing that an operator put there', async () => {
  const folder = copyOfOther();
  mkdirSync(join(folder, 'snapshots'));
  const left = [
    'backup-99999999.part',
    'turnpike.db.restoring',
    'secret.json.restoring',
    'secret.json.draft-99999999',
  ];
  const unfinished = [
    '2026-01-01T000000Z-before-restore.db.part',
    '2026-01-01T000000Z-before-restore.backup.db.part',
  ];
  const own = ['secret.json.2024', 'site.part', 'backup-of-mine.part'];
  for (const name of [...left, ...own, ...unfinished.map((one) => `snapshots/${one}`)])
    writeFileSync(join(folder, name), 'x');
  expect(await usernames(folder)).toEqual(oldSite);
  const names = readdirSync(folder);
  expect(names).toEqual(expect.arrayContaining(own));
  expect(names.filter((name) => left.includes(name))).toEqual([]);
  expect(readdirSync(join(folder, 'snapshots'))).toEqual([]);
});
