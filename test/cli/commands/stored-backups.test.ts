// Covers src/core/maintenance, src/core/doctor.
/**
 * Backups that the gateway makes by itself: days and months of its jobs, what fails on the way, and
 * `turnpike backups`, `restore` and the doctor with them (docs/rules/maintenance.md).
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/core/config/load.ts';
import type { ExaminedEntity } from '../../../src/core/contract/doctor.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { createMaintenanceModule } from '../../../src/core/maintenance/module.ts';
import { makeSite, openSite } from '../../support/data-folder-site.ts';
import { type S3Store, s3Keys, startS3Store } from '../../support/s3-store.ts';
import { runCli } from '../run-cli.ts';

const base = mkdtempSync(join(tmpdir(), 'turnpike-stored-'));
const site = join(base, 'site');
const passphrase = 'a passphrase of the owner';
let serial = 0;
let place: string;
let store: S3Store;
const day = 86_400_000;
const start = new Date(2026, 10, 20, 12).getTime();

beforeAll(async () => {
  await makeSite(site);
  mkdirSync(join(site, 'uploads'));
  writeFileSync(join(site, 'uploads/a.png'), 'an image');
  store = await startS3Store();
});
afterAll(async () => {
  await store.close();
  rmSync(base, { recursive: true, force: true });
});
beforeEach(() => {
  place = join(base, `place${++serial}`);
  mkdirSync(place);
});

/** The jobs of a gateway on the site, at a time that the test sets. */
function gateway(environment: Record<string, string> = {}) {
  const told: string[][] = [];
  const time = { now: start };
  const { config } = loadConfig({
    flags: { 'data-dir': site },
    environment: { BACKUP_TO: place, ...environment },
    cwd: base,
  });
  const { jobs = [] } = createMaintenanceModule({
    config,
    version: '1.2.3',
    siteLanguage: () => 'en',
    clock: { ...systemClock, now: () => time.now },
    notify: ({ type, title, values }) => told.push([type, title, ...values]),
  });
  const run = (name: string, signal = new AbortController().signal) =>
    jobs.find((job) => job.name === name)?.run(signal);
  return {
    told,
    time,
    jobs,
    backUp: () => run('backup'),
    check: () => run('backup-check'),
    run,
  };
}
const backupsIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.backup'))
    .sort();
const timesIn = (folder: string) => backupsIn(folder).map((name) => name.slice(18));
const drafts = () => readdirSync(site).filter((name) => name.includes('.part'));
const onBucket = () => ({
  BACKUP_TO: 's3://backups/gate',
  BACKUP_S3_ENDPOINT: store.url,
  BACKUP_S3_REGION: s3Keys.region,
  BACKUP_S3_ACCESS_KEY: s3Keys.accessKey,
  BACKUP_S3_SECRET_KEY: s3Keys.secretKey,
  BACKUP_PASSPHRASE: passphrase,
});
const cli = (argv: readonly string[], environment: Record<string, string> = {}) =>
  runCli([...argv, '--json'], {
    connects: argv[0] === 'doctor',
    environment: { BACKUP_TO: place, PORT: '0', ...environment },
  });
const usernames = (folder: string) =>
  openSite(folder).use(async (client) => {
    expect(await client.ledger.verify({})).toMatchObject({ ok: true });
    return (await client.user.list({})).items.map(({ username }) => username).sort();
  });
const stamp = (ms: number) =>
  `${new Date(ms).toISOString().replace(/\.\d+/, '').replaceAll(':', '')}.backup`;

describe('by its schedule the gateway', () => {
  test('backs up once a day, keeps the newest, and restores one a month to check it', async () => {
    const other = 'turnpike-00000000-2020-01-01T000000Z.backup';
    writeFileSync(join(place, other), 'of another site that uses this folder');
    writeFileSync(join(place, 'letter.txt'), 'not a backup');
    const { told, time, backUp, check } = gateway({ BACKUP_KEEP: '3' });
    for (let hour = 0; hour < 24; hour += 6) {
      time.now = start + (hour * day) / 24;
      await backUp();
    }
    // at noon because none was there, and at three
    expect(timesIn(place).filter((name) => name !== other.slice(18))).toEqual([
      stamp(start),
      stamp(start + 0.75 * day),
    ]);
    await check();
    const note = readdirSync(place).find((name) => name.endsWith('checked.json')) ?? '';
    const checked = () => JSON.parse(readFileSync(join(place, note), 'utf8')) as object;
    expect(checked()).toMatchObject({ checked_at: (start + 0.75 * day) / 1000, drifts: 0 });
    expect(checked()).toMatchObject({ version: '1.2.3', rows: expect.any(Number) });
    for (const days of [1.75, 2.75, 29.75, 30.8]) {
      time.now = start + days * day;
      await backUp();
      await check();
    }
    expect(timesIn(place).slice(-3)).toEqual(
      [2.75, 29.75, 30.8].map((n) => stamp(start + n * day)),
    );
    expect(backupsIn(place).length).toBe(4);
    expect(readdirSync(place)).toEqual(expect.arrayContaining([other, 'letter.txt']));
    expect(checked()).toMatchObject({ checked_at: (start + 30.8 * day) / 1000 });
    expect(told).toEqual([]);
    expect(drafts()).toEqual([]);
  });

  test('goes on after a clock that was a year ahead, and keeps what it makes', async () => {
    const ahead = gateway({ BACKUP_KEEP: '2' });
    for (const days of [365, 366]) {
      ahead.time.now = start + days * day;
      await ahead.backUp();
      await ahead.check();
    }
    const { time, backUp, check } = gateway({ BACKUP_KEEP: '2' });
    for (const days of [1, 1.1, 2]) {
      time.now = start + days * day;
      await backUp();
      await check();
    }
    expect(timesIn(place)).toEqual([2, 366].map((days) => stamp(start + days * day)));
    const note = readdirSync(place).find((name) => name.endsWith('checked.json')) ?? '';
    expect(JSON.parse(readFileSync(join(place, note), 'utf8'))).toMatchObject({
      checked_at: (start + day) / 1000,
    });
  });

  test('does nothing without a place, or where it is off', () => {
    for (const [name, value] of [
      ['BACKUP_TO', ''],
      ['BACKUP_SCHEDULE', 'off'],
    ])
      expect(gateway({ [`${name}`]: `${value}` }).jobs.map((job) => job.interval())).toEqual([
        0, 0,
      ]);
    expect(gateway().jobs.map((job) => job.interval())).toEqual([300, 300]);
  });

  test('takes what another gateway of the site has made for done', async () => {
    await gateway().backUp();
    await gateway().backUp();
    expect(backupsIn(place).length).toBe(1);
  });

  test('tells the owner once that a backup fails, and goes on when the place is back', async () => {
    const { told, time, backUp } = gateway();
    renameSync(place, `${place}.gone`); // a disk that is not mounted
    for (const minutes of [0, 5, 10]) {
      time.now = start + minutes * 60_000;
      await expect(backUp()).rejects.toMatchObject({ code: 'backup_place' });
    }
    expect(told).toEqual([
      [
        'backup_failed',
        'The site could not be backed up',
        `Backups cannot be kept in ${place}: it does not exist; create it, or use another path`,
      ],
    ]);
    expect(existsSync(place)).toBe(false);
    renameSync(`${place}.gone`, place);
    time.now = start + 15 * 60_000;
    await backUp();
    expect(timesIn(place)).toEqual([stamp(time.now)]);
    time.now = start + day;
    rmSync(place, { recursive: true });
    await expect(backUp()).rejects.toMatchObject({ code: 'backup_place' });
    expect(told.length).toBe(2);
  });

  test('says that the newest backup cannot be restored, and that its books are wrong', async () => {
    const { told, time, backUp, check } = gateway();
    await backUp();
    const file = join(place, backupsIn(place)[0] ?? '');
    const whole = readFileSync(file);
    writeFileSync(file, whole.subarray(0, whole.length - 40));
    await expect(check()).rejects.toMatchObject({ code: 'backup_damaged' });
    await check(); // not at once again: it reads the whole site
    time.now += 3_700_000;
    await expect(check()).rejects.toMatchObject({ code: 'backup_damaged' });
    expect(told.map(([type]) => type)).toEqual(['backup_check_failed', 'backup_check_failed']);
    writeFileSync(file, whole);
    time.now += 3_700_000;
    await check();
    expect(drafts()).toEqual([]);
    const found = await cli(['backups', 'check', '--data-dir', site]);
    expect(found.json()).toMatchObject({ drifts: 0 });
  });

  test('ends when it is stopped, and leaves nothing half made', async () => {
    const { run } = gateway();
    const stopping = new AbortController();
    const working = run('backup', stopping.signal);
    stopping.abort();
    await expect(working).rejects.toThrow();
    expect(readdirSync(place)).toEqual([]);
    await gateway().backUp();
    expect(backupsIn(place).length).toBe(1);
  });
});

describe('to a bucket, encrypted', () => {
  test('a backup is restored on an empty machine with the passphrase alone', async () => {
    const { backUp, check, time } = gateway(onBucket());
    await backUp();
    await check();
    const names = [...store.objects.keys()];
    expect(names).toEqual([
      expect.stringMatching(/^gate\/turnpike-[0-9a-f]{8}-2026-11-20T.*Z\.backup$/),
      expect.stringMatching(/^gate\/turnpike-[0-9a-f]{8}-checked\.json$/),
    ]);
    const content = store.objects.get(names[0] ?? '') ?? Buffer.alloc(0);
    expect(content.subarray(0, 15).toString()).toBe('TURNPIKE SEALED');
    expect(content.includes('turnpike.db')).toBe(false);
    expect(drafts()).toEqual([]);

    const address = `s3://backups/${names[0]}`;
    const folder = join(base, 'empty machine');
    const restore = (...flags: string[]) =>
      cli(['restore', address, '--data-dir', folder, ...flags], onBucket());
    expect((await restore()).json()).toMatchObject({ drifts: 0, files: 1, with_keys: true });
    expect(await usernames(folder)).toEqual(['root', 'user1', 'user2', 'user3']);
    expect(readFileSync(join(folder, 'secret.json'), 'utf8')).toBe(
      readFileSync(join(site, 'secret.json'), 'utf8'),
    );

    const elsewhere = join(base, 'another machine');
    const wrong = await cli(['restore', address, '--data-dir', elsewhere], {
      ...onBucket(),
      BACKUP_PASSPHRASE: 'forgotten',
    });
    expect(wrong.failure().code).toBe('backup_passphrase');
    const none = await cli(['restore', address, '--data-dir', elsewhere], {
      ...onBucket(),
      BACKUP_PASSPHRASE: '',
    });
    expect(none.failure().message).toContain('BACKUP_PASSPHRASE');
    expect(existsSync(elsewhere)).toBe(false);
    const given = await runCli(
      ['restore', address, '--data-dir', elsewhere, '--backup-passphrase-stdin'],
      { environment: { ...onBucket(), BACKUP_PASSPHRASE: '' }, input: `${passphrase}\n` },
    );
    expect(given.exitCode).toBe(0);

    time.now = start + 31 * day; // the key of the bucket was changed
    store.faults.push((_, response) => {
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
      return true;
    });
    await expect(backUp()).rejects.toMatchObject({ params: { detail: 'AccessDenied' } });
    await backUp();
    expect([...store.objects.keys()].filter((name) => name.endsWith('.backup')).length).toBe(2);
  });
});

describe('turnpike backups', () => {
  test('makes, lists and checks them; a name that is not there is refused', async () => {
    const listed = async () => (await cli(['backups', 'list', '--data-dir', site])).json();
    expect(await listed()).toEqual({ place, items: [], total: 0, check: null });
    const made = await cli(['backups', 'run', '--data-dir', site], { BACKUP_KEEP: '1' });
    const { name } = made.json<{ name: string }>();
    expect(made.json()).toMatchObject({ place, encrypted: false, drifts: 0, removed: [] });
    const content = readFileSync(join(place, name));
    const packed = content.subarray(content.indexOf('\n', content.indexOf('\n') + 1) + 1);
    expect(gunzipSync(packed).includes('crypto_secret')).toBe(false);
    const checked = await cli(['backups', 'check', name, '--data-dir', site]);
    expect(checked.json()).toMatchObject({ name, drifts: 0 });
    expect(await listed()).toMatchObject({ items: [{ name }], check: { name } });
    const people = await runCli(['backups', 'list', '--data-dir', site], {
      environment: { BACKUP_TO: place },
    });
    expect(people.stdout).toContain(name);
    expect(people.stderr).toContain('was restored and verified at');

    const gone = await cli(['backups', 'check', 'turnpike-x.backup', '--data-dir', site]);
    expect(gone.failure()).toMatchObject({ code: 'backup_none' });
    const nowhere = await cli(['backups', 'list', '--data-dir', site], { BACKUP_TO: '' });
    expect(nowhere.failure().message).toBe('Backups cannot be kept: set BACKUP_TO');
  });

  test.each(['list', 'run', 'check'])('%s in a folder without a site', async (verb) => {
    const folder = join(base, 'mistyped');
    const run = await cli(['backups', verb, '--data-dir', folder]);
    expect([run.exitCode, run.failure().code]).toEqual([2, 'site_missing']);
    expect(existsSync(folder)).toBe(false);
  });

  test('checks a backup from before there was a passphrase', async () => {
    await cli(['backups', 'run', '--data-dir', site]);
    const environment = { BACKUP_PASSPHRASE: passphrase };
    const checked = await cli(['backups', 'check', '--data-dir', site], environment);
    expect(checked.json()).toMatchObject({ drifts: 0 });
  });

  test('with books that do not add up: exit code 1, and the doctor names the backup', async () => {
    const folder = join(base, 'wrong');
    await makeSite(folder, 1);
    const database = new Database(join(folder, 'turnpike.db'));
    database.exec("UPDATE users SET quota = quota + 5 WHERE username = 'user1'");
    database.close();
    const made = await cli(['backups', 'run', '--data-dir', folder]);
    expect([made.exitCode, made.json()]).toEqual([1, expect.objectContaining({ drifts: 1 })]);
    const checked = await cli(['backups', 'check', '--data-dir', folder]);
    expect(checked.exitCode).toBe(1);
    const { items } = (await cli(['doctor', '--data-dir', folder])).json<{
      items: ExaminedEntity[];
    }>();
    expect(items.find(({ id }) => id === 'backup-check')).toMatchObject({
      level: 'problem',
      message: expect.stringMatching(/^The ledger of turnpike-.* has 1 differences$/),
    });
  });

  test('a backup to a file is encrypted where that is asked for', async () => {
    const file = join(place, 'by hand.backup');
    const secret = { BACKUP_PASSPHRASE: passphrase };
    const backup = (flags: readonly string[], environment = {}) =>
      cli(['backup', file, '--data-dir', site, ...flags], environment);
    expect((await backup(['--encrypt'])).failure().message).toContain('Set BACKUP_PASSPHRASE');
    await backup(['--encrypt', '--with-keys'], secret);
    expect(readFileSync(file).subarray(0, 15).toString()).toBe('TURNPIKE SEALED');
    await backup(['--encrypt', '--with-keys'], secret); // replaces an encrypted backup, too
    const folder = join(base, 'by hand');
    const restored = await cli(['restore', file, '--data-dir', folder], secret);
    expect(restored.json()).toMatchObject({ drifts: 0, with_keys: true });
  });
});

test('the doctor says what is wrong with scheduled backups', async () => {
  const findings = async (environment: Record<string, string> = {}) => {
    const run = await cli(['doctor', '--data-dir', site], environment);
    return run
      .json<{ items: ExaminedEntity[] }>()
      .items.filter(({ id, level }) => id.startsWith('backup') && level !== 'ok')
      .map(({ id, level, message }) => [id, level, message]);
  };
  expect(await findings()).toEqual([]); // the site is a minute old
  const { time, backUp } = gateway();
  time.now = Date.now() - 50 * 3_600_000;
  await backUp();
  const note = `The newest backup in ${place} is 50 hours old`;
  expect(await findings()).toEqual([['backup', 'warning', note]]);
  expect(await findings({ BACKUP_SCHEDULE: 'weekly' })).toEqual([]);
  expect(await findings({ BACKUP_SCHEDULE: 'off' })).toEqual([]);
  rmSync(join(place, backupsIn(place)[0] ?? ''));
  const old = gateway();
  old.time.now = Date.now() - 9 * day;
  await old.backUp();
  const late = `The newest backup in ${place} is 216 hours old`;
  const never = ['backup-check', 'warning', 'No backup was ever restored to check it'];
  expect(await findings()).toEqual([['backup', 'warning', late], never]);
  old.time.now = Date.now() - 36 * day;
  await old.check();
  expect((await findings())[1]?.[2]).toBe('A backup was last restored to check it 36 days ago');
  rmSync(place, { recursive: true });
  expect(await findings()).toEqual([
    [
      'backup',
      'problem',
      `Backups cannot be kept in ${place}: it does not exist; create it, or use another path`,
    ],
  ]);
});
