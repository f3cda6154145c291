// Covers src/cli/commands/log-archive.ts.
/** Usage logs to files and back by hand (docs/rules/maintenance.md#archives). */
import {
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
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { type ArchiveDeps, archiveOldest } from '../../../src/core/logs/archive-logs.ts';
import { createLogArchive } from '../../../src/core/logs/log-archive.ts';
import type { UsageLog } from '../../../src/core/storage/storage.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { runCli } from '../../cli/run-cli.ts';
import { codeOf, createTestApp, type TestApp } from '../../support/app.ts';
import { type S3Store, s3Keys, startS3Store } from '../../support/s3-store.ts';

const base = mkdtempSync(join(tmpdir(), 'turnpike-logs-'));
const place = join(base, 'archive');
const march = Date.UTC(2026, 2, 31, 23, 50) / 1000;
let store: S3Store;
let site: TestApp;
beforeEach(async () => {
  mkdirSync(place, { recursive: true });
  store = await startS3Store();
  site = await createTestApp({
    DATA_DIR: base,
    BACKUP_S3_ENDPOINT: store.url,
    BACKUP_S3_REGION: s3Keys.region,
    BACKUP_S3_ACCESS_KEY: s3Keys.accessKey,
    BACKUP_S3_SECRET_KEY: s3Keys.secretKey,
  });
});
afterEach(async () => {
  await store.close();
  rmSync(base, { recursive: true });
});

const turnpike = (...argv: string[]) =>
  runCli(argv, { transport: createLocalTransport(site.app, undefined, 'en') });
const rows = async (): Promise<readonly UsageLog[]> =>
  [...(await site.app.storage.logs.listBefore({}, undefined, 5000))].reverse();
/** 1,300 rows over the end of a month, two each second, errors among them, and two twins. */
const fill = async () => {
  const log = (index: number) => ({
    userId: 1,
    username: 'root',
    createdAt: march + Math.floor(index / 2),
    quota: toQuota(index),
    type: index % 100 === 7 ? 5 : 2,
    content: `行 ${index}\n"`,
    ledgerId: null,
    isStream: index % 2 === 0,
    tags: 'team:a,x',
    modelName: 'm',
    tokenName: 't',
    other: '{"a":1}',
    requestId: `r${index}`,
    promptTokens: 5,
    channelId: 3,
    group: 'vip',
  });
  const twin = { ...log(40), requestId: '', content: 'twin' };
  await site.app.storage.logs.insertMany([
    ...Array.from({ length: 1300 }, (_, index) => log(index)),
    twin,
    twin,
  ]);
};
const archived = (name: string) =>
  gunzipSync(readFileSync(join(place, name)))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('what is archived is deleted, and comes back as it was, once', async () => {
  await fill();
  const { logs } = site.app.storage;
  const before = await rows();
  const old = before.filter(({ createdAt }) => createdAt < march + 5000);
  await logs.sumDays(site.clock.now() / 1000);
  const verified = await site.app.billing.verify();
  const sums = await logs.stat({}, 1);

  const archive = ['logs', 'archive', '--before', '2026-06-01', '--to', place, '--json'];
  const refused = await turnpike(...archive);
  expect([refused.exitCode, refused.failure().message]).toEqual([
    2,
    expect.stringMatching(/--yes/),
  ]);
  const made = await turnpike(...archive, '--yes');
  const { files } = made.json<{ files: { name: string; rows: number }[] }>();
  expect(files.map(({ rows: count }) => count)).toEqual([1202, 100]);
  expect(files.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^logs-2026-03-31T235000Z-[0-9a-f]{8}\.jsonl\.gz$/),
    expect.stringMatching(/^logs-2026-04-01T000000Z-[0-9a-f]{8}\.jsonl\.gz$/),
  ]);
  expect(readdirSync(place).sort()).toEqual(files.map(({ name }) => name));
  expect(files.flatMap(({ name }) => archived(name))).toHaveLength(old.length);
  expect(await rows()).toEqual(before.filter((row) => !old.includes(row)));
  expect((await site.operator.audit.list()).items[0]).toMatchObject({
    action: 'log.archive',
    target: files[1]?.name,
  });

  const back = await turnpike('logs', 'restore', place, '--json');
  expect(back.json()).toMatchObject({ restored: 1302, present: 0, expired: 0 });
  expect(await rows()).toEqual(before);
  await logs.sumDays(site.clock.now() / 1000);
  expect(await logs.stat({}, 1)).toEqual(sums);
  expect(await site.app.billing.verify()).toEqual(verified);

  const again = await turnpike('logs', 'restore', join(place, files[0]?.name ?? ''));
  expect(again.stderr).toContain('0 rows restored from 1 file\n');
  expect(again.stderr).toContain('1202 were there already');
  expect(await rows()).toEqual(before);
});

test('rows whose ids were given to others get new ones; a row that is there keeps the others away', async () => {
  await fill();
  const all = await rows();
  await turnpike('logs', 'archive', '--before', '2026-06-01', '--to', place, '--yes');
  // SQLite begins again behind the highest id that is left.
  await site.app.storage.logs.insertMany([{ ...fields(all[0]), content: 'newer' }]);
  await turnpike('logs', 'restore', place);
  await turnpike('logs', 'restore', place);
  const contents = (list: readonly UsageLog[]) => list.map((row) => JSON.stringify(fields(row)));
  const restored = (await rows()).filter(({ content }) => content !== 'newer');
  expect(contents(restored).sort()).toEqual(contents(all).sort());
});
const fields = (row: UsageLog | undefined) => {
  if (row === undefined) throw new Error('no row');
  const { id: _, ...others } = row;
  return others;
};

test('--keep writes files and deletes nothing, and asks nothing', async () => {
  await fill();
  const before = await rows();
  const made = await turnpike(
    'logs',
    'archive',
    '--before',
    '2026-04-01',
    '--to',
    place,
    '--keep',
    '--json',
  );
  expect(made.json()).toMatchObject({ rows: expect.any(Number), deleted: 0 });
  expect(await rows()).toEqual(before);
  const none = await turnpike('logs', 'archive', '--before', '2020-01-01', '--to', place, '--keep');
  expect([none.exitCode, none.stderr]).toEqual([0, 'There are no usage logs before this time\n']);
});

test('a bucket takes archives and gives them back', async () => {
  await fill();
  const before = await rows();
  await turnpike('logs', 'archive', '--before', '2026-06-01', '--to', 's3://backups/a b', '--yes');
  expect(store.objects.size).toBe(2);
  expect((await rows()).length).toBe(
    before.filter(({ createdAt }) => createdAt > march + 5000).length,
  );
  const [name = ''] = [...store.objects.keys()];
  const one = await turnpike('logs', 'restore', `s3://backups/${name}`, '--json');
  expect(one.json()).toMatchObject({ restored: 1202 });
  expect((await turnpike('logs', 'restore', 's3://backups/a b', '--json')).json()).toMatchObject({
    restored: 100,
    present: 1202,
  });
  expect(await rows()).toEqual(before);
  const wrong = await turnpike('logs', 'restore', 's3://', '--json');
  expect(wrong.failure().message).toContain('A bucket is written');
  expect(readdirSync(base).filter((file) => file.includes('part'))).toEqual([]);
});

const openPlace: ArchiveDeps['openPlace'] = (given) => ({
  list: async () => [],
  open: () => Promise.reject(new Error('not opened')),
  receive: (name, write) => write(join(given, name)),
});

test('a full file ends with a whole second, and one second is not divided', async () => {
  await fill();
  const { storage } = site.app;
  const counts: number[] = [];
  let from = 0;
  for (;;) {
    const span = { from, before: march + 5000 };
    const file = await archiveOldest({ storage, openPlace }, 'logs', span, place, 101);
    if (file === undefined) break;
    expect(archived(file.name).map(({ id }) => id)).toEqual(file.ids);
    counts.push(file.ids.length);
    from = file.next;
  }
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1302);
  expect(counts.slice(0, 3)).toEqual([100, 100, 100]);
  expect(Math.max(...counts)).toBe(100);
  const span = { from: march + 20, before: march + 5000 };
  const second = await archiveOldest({ storage, openPlace }, 'logs', span, place, 1);
  expect([second?.ids.length, second?.next]).toEqual([4, march + 21]);
});

test('what fails on the way loses nothing and leaves nothing half', async () => {
  await fill();
  const before = await rows();
  const { app, clock, root } = site;
  const { retention } = app.storage;
  const order = { place, before: march + 86_400, from: 0, keep: false };
  const archiveWith = (change: Partial<typeof retention>) =>
    createLogArchive({
      options: app.site.options,
      audit: app.audit,
      clock,
      openPlace,
      storage: { retention: { ...retention, ...change } },
    }).archive(root, order);

  let reads = 0;
  const reading = archiveWith({
    list: async (...what) => {
      reads += 1;
      if (reads === 2) throw new Error('the database is gone');
      return retention.list(...what);
    },
  });
  await expect(reading).rejects.toThrow('the database is gone');
  expect([readdirSync(place), await rows()]).toEqual([[], before]);

  let deletions = 0;
  const deleting = archiveWith({
    delete: async (...what) => {
      deletions += 1;
      if (deletions === 2) throw new Error('the disk is full');
      await retention.delete(...what);
    },
  });
  await expect(deleting).rejects.toThrow('the disk is full');
  expect([readdirSync(place).length, (await rows()).length]).toEqual([1, before.length - 500]);
  await turnpike('logs', 'archive', '--before', '2026-06-01', '--to', place, '--yes');
  expect(readdirSync(place)).toHaveLength(3);
  expect((await turnpike('logs', 'restore', place, '--json')).json()).toMatchObject({
    restored: 1302,
  });
  expect(await rows()).toEqual(before);
});

test('places and files that cannot be used are named', async () => {
  await fill();
  const before = await rows();
  const run = async (...argv: string[]) => {
    const { exitCode, stderr } = await turnpike(...argv, '--yes');
    return `${exitCode} ${stderr.trim()}`;
  };
  const nowhere = join(base, 'nowhere');
  expect(await run('logs', 'archive', '--before', '2026-06-01', '--to', nowhere)).toMatch(
    /^1 .*Archives cannot be kept or read in .*nowhere: /,
  );
  expect(await run('logs', 'archive', '--before', '2026-12-30', '--to', place)).toMatch(
    /^2 .*must not be in the future/,
  );
  expect(await run('logs', 'restore', place)).toMatch(/^1 .* has no archives of usage logs$/);
  expect(await run('logs', 'restore', join(place, 'logs-2026-03.jsonl.gz'))).toMatch(
    /^1 .*Archives cannot be kept or read/,
  );
  expect(await rows()).toEqual(before);

  await run('logs', 'archive', '--before', '2026-06-01', '--to', place);
  const [first = '', second = ''] = readdirSync(place).sort();
  const whole = readFileSync(join(place, first));
  const file = join(place, first);
  for (const broken of [
    whole.subarray(0, -40),
    Buffer.from('not compressed'),
    gzipSync('{"id":1'),
  ]) {
    writeFileSync(file, broken);
    expect(await run('logs', 'restore', file)).toBe(
      `1 The archive ${first} is damaged or incomplete`,
    );
  }
  const line = JSON.stringify({ ...archived(second)[0], a_newer_column: 1 });
  for (const foreign of [
    line,
    '{"id":1,"actor_id":1}',
    '[]',
    'x',
    line.replace(/"quota":\d+/, '"quota":"1"'),
  ]) {
    writeFileSync(file, gzipSync(`${foreign}\n`));
    expect(await run('logs', 'restore', file)).toMatch(
      /^1 .*This is no archive of usage logs.*line 1\)$/,
    );
  }
  // What was read before the damage is there; the whole file brings the rest.
  writeFileSync(file, whole);
  renameSync(file, join(place, 'usage-2026-03.jsonl.gz'));
  await run('logs', 'restore', place);
  expect(await rows()).toEqual(before);
});

test('rows that the retention would delete again are announced; columns of before tags are filled', async () => {
  const row = { id: 77, user_id: 1, created_at: march, type: 2, content: 'old', quota: 3 };
  writeFileSync(join(place, 'usage-2026-03.jsonl.gz'), gzipSync(`${JSON.stringify(row)}\n`));
  await site.operator.option.set({ key: 'UsageLogDays', value: '30' });
  const back = await turnpike('logs', 'restore', place);
  expect(back.stderr).toContain('1 row restored');
  expect(back.stderr).toContain('1 row is older than UsageLogDays');
  expect(await site.app.storage.logs.find(77)).toMatchObject({
    content: 'old',
    tags: '',
    quota: 3,
  });
});

test('only the operator on the machine names files', async () => {
  const root = await site.as(1);
  const input = { place, before: march };
  expect(await codeOf(root.log.archive(input))).toBe('operator_only');
  expect(await codeOf(root.log.archives({ place }))).toBe('operator_only');
  expect(await codeOf(root.log.restore({ place, name: 'usage-2026-03.jsonl.gz' }))).toBe(
    'operator_only',
  );
  for (const wrong of ['archive', '', '../x', 's3://'])
    expect(await codeOf(site.operator.log.archives({ place: wrong }))).toBe('invalid_parameter');
  expect(await codeOf(site.operator.log.restore({ place, name: '../turnpike.db' }))).toBe(
    'invalid_parameter',
  );
});
