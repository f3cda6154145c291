/**
 * What `turnpike doctor` finds on the machine: stopped folders that are broken, a gateway started
 * carelessly, Redis, disk, backups.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRedisVersion } from '../../../src/core/cluster/redis/redis-version.ts';
import { readGatewayFile } from '../../../src/core/config/gateway-file.ts';
import { loadConfig } from '../../../src/core/config/load.ts';
import type { ExaminedEntity } from '../../../src/core/contract/doctor.ts';
import { runChecks } from '../../../src/core/doctor/check.ts';
import { folderChecks } from '../../../src/core/doctor/folder-checks.ts';
import { examineRedis } from '../../../src/core/doctor/process-checks.ts';
import { makeSite } from '../../support/data-folder-site.ts';
import { makeOldSite } from '../../support/old-site.ts';
import { program } from '../../support/program.ts';
import { hasRedis, startRedis } from '../../support/redis-server.ts';
import { runCli } from '../run-cli.ts';

const base = mkdtempSync(join(tmpdir(), 'turnpike-doctor-machine-'));
const site = join(base, 'site');
const accessToken = 'the-access-token-of-root-00000000';
let serial = 0;
const newFolder = () => {
  const folder = join(base, `folder${++serial}`);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
};
/** Port 0: the default one may be in use on this machine. */
const doctor = async (folder: string, environment: NodeJS.ProcessEnv = {}) => {
  const run = await runCli(['doctor', '--data-dir', folder, '--json'], {
    environment: { PORT: '0', ...environment },
  });
  const { items } = run.json<{ items: ExaminedEntity[] }>();
  const found = items
    .filter(({ level }) => level !== 'ok')
    .map(({ id, level, message }) => [id, level, message]);
  return { exitCode: run.exitCode, found };
};
const contents = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      return [
        name,
        /-(shm|wal)$|lock\.db|logs/.test(name) || !name.includes('.')
          ? ''
          : readFileSync(path).toString('base64'),
      ];
    });

beforeAll(async () => {
  await makeSite(site, 2, { INITIAL_ROOT_ACCESS_TOKEN: accessToken });
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('a stopped folder', () => {
  test('that does not exist is not made', async () => {
    const folder = join(base, 'a-typo');
    expect(await doctor(folder)).toEqual({
      exitCode: 1,
      found: [['data-folder', 'problem', `There is no folder ${folder}`]],
    });
    expect(existsSync(folder)).toBe(false);
  });

  test('without its database or its key file is left as it is', async () => {
    const folder = newFolder();
    expect((await doctor(folder)).found).toEqual([
      ['database', 'problem', expect.stringContaining('There is no site')],
    ]);
    copyFileSync(join(site, 'turnpike.db'), join(folder, 'turnpike.db'));
    expect((await doctor(folder)).found).toEqual([
      ['key-file', 'problem', expect.stringContaining('secret.json is missing')],
    ]);
    expect(existsSync(join(folder, 'secret.json'))).toBe(false);
    writeFileSync(join(folder, 'secret.json'), '{"session_secret":"s","crypto_secret":"another"}', {
      mode: 0o600,
    });
    expect((await doctor(folder)).found).toEqual([
      ['key-file', 'problem', expect.stringContaining('that of another site')],
    ]);
  });

  test('that waits for migrations is neither migrated nor copied', async () => {
    const folder = newFolder();
    await makeOldSite(folder);
    const before = contents(folder);
    const { exitCode, found } = await doctor(folder);
    expect([exitCode, found]).toEqual([
      0,
      [['migrations', 'warning', expect.stringMatching(/^\d+ migrations are pending: 0021-/)]],
    ]);
    expect(contents(folder).filter(([name = '']) => !/-(shm|wal)$/.test(name))).toEqual(before);
    const database = new Database(join(folder, 'turnpike.db'));
    database.exec("INSERT INTO schema_migrations VALUES ('9999-later', '2030-01-01')");
    database.close();
    expect((await doctor(folder)).found).toEqual([
      ['migrations', 'problem', expect.stringContaining('9999-later')],
    ]);
  });

  test('whose database is damaged or foreign, or whose restore was interrupted, is named', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'turnpike.db'), 'x'.repeat(4096), { mode: 0o600 });
    expect((await doctor(folder)).found).toEqual([
      ['database', 'problem', expect.stringContaining('damaged')],
    ]);
    rmSync(join(folder, 'turnpike.db'));
    const database = new Database(join(folder, 'turnpike.db'));
    database.exec('CREATE TABLE users (id int)');
    database.close();
    chmodSync(join(folder, 'turnpike.db'), 0o600);
    expect((await doctor(folder)).found).toEqual([
      ['database', 'problem', expect.stringContaining('another program')],
    ]);
    writeFileSync(join(folder, 'replace.json'), '{"moves":[]}');
    expect((await doctor(folder)).found).toEqual([
      ['interrupted', 'warning', expect.stringContaining('replace.json')],
    ]);
    expect(existsSync(join(folder, 'replace.json'))).toBe(true);
  });

  test('a database that cannot be used is not said to be lost', async () => {
    const folder = newFolder();
    const database = join(folder, 'turnpike.db');
    const mend = async () => {
      const run = await runCli(['doctor', '--data-dir', folder, '--json'], {
        environment: { PORT: '0' },
      });
      const { items } = run.json<{ items: ExaminedEntity[] }>();
      return items.find(({ id }) => id === 'database')?.mend;
    };
    expect(await mend()).toContain('turnpike setup');
    writeFileSync(database, 'what was a database once'.repeat(1000));
    expect(await mend()).toMatch(/turnpike restore FILE --force$/);
    rmSync(database);
    mkdirSync(database);
    writeFileSync(join(database, 'x'), '');
    expect(await mend()).toMatch(/^Correct that, and run turnpike doctor again/);
  });

  test('tells when the port is in use, a setting is not usable, and PostgreSQL or Redis cannot be reached', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const folder = newFolder();
    const { port } = server.address() as AddressInfo;
    const environment = {
      PORT: String(port),
      BACKUP_AGE_DAYS: 'weekly',
      SQL_DSN: 'postgres://nobody@127.0.0.1:1/none',
    };
    expect((await doctor(folder, environment)).found).toEqual([
      ['settings', 'warning', expect.stringContaining('BACKUP_AGE_DAYS')],
      ['port', 'warning', expect.stringContaining(`Port ${port} is already in use`)],
      ['database', 'problem', expect.stringContaining('ECONNREFUSED')],
    ]);
    server.close();
    const redis = await doctor(site, { REDIS_CONN_STRING: 'redis://127.0.0.1:1' });
    expect(redis.found).toEqual([['redis', 'problem', expect.stringContaining('ECONNREFUSED')]]);
  });
});

test('a gateway that was started carelessly: limits, exposure, owners, modes, drift; here and from elsewhere', async () => {
  const database = new Database(join(site, 'turnpike.db'));
  database.exec('UPDATE users SET quota = quota + 5 WHERE id = 2');
  database.close();
  chmodSync(join(site, 'turnpike.db'), 0o644);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(join(site, 'secret.json'), 12_345, 12_345);
  const serve = ['serve', '--host', '0.0.0.0', '--port', '0', '--no-open', '--data-dir', site];
  const env = { ...process.env, NO_COLOR: '1' };
  const gateway = spawn(
    'sh',
    ['-c', 'ulimit -n 1000; exec "$@"', 'sh', process.execPath, program, ...serve],
    {
      env,
      stdio: 'ignore',
    },
  );
  try {
    let url: string | undefined;
    for (let tries = 0; url === undefined && tries < 300; tries++) {
      url = readGatewayFile(site)?.url.replace('0.0.0.0', '127.0.0.1');
      if (url === undefined) await sleep(50);
    }
    const examine = async (...flags: string[]) => {
      const child = spawn(process.execPath, [program, 'doctor', '--json', ...flags], { env });
      let printed = '';
      child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
      const [exitCode] = (await once(child, 'close')) as [number];
      const { items } = JSON.parse(printed) as { items: ExaminedEntity[] };
      return {
        exitCode,
        found: Object.fromEntries(items.map(({ id, level, mend }) => [id, `${level}: ${mend}`])),
      };
    };
    const { exitCode, found } = await examine('--data-dir', site);
    expect(exitCode).toBe(1);
    expect(found).toMatchObject({
      exposure: expect.stringMatching(/^warning: .*--host 127\.0\.0\.1/),
      ledger: expect.stringMatching(/^problem: .*turnpike users quota/),
      permissions: expect.stringContaining(`problem: Run: chmod 600 ${join(site, 'turnpike.db')}`),
      ...(isRoot && { ownership: expect.stringContaining(`problem: Run: chown -R 0:0 ${site}`) }),
      ...(process.platform === 'linux' && {
        'open-files': expect.stringContaining('warning: Set LimitNOFILE=65536'),
      }),
    });
    expect((await examine('--server', url ?? '', '--access-token', accessToken)).found).toEqual(
      found,
    );
  } finally {
    gateway.kill('SIGTERM');
    await once(gateway, 'exit');
  }
});

const configOf = (folder: string) =>
  loadConfig({ flags: { 'data-dir': folder }, environment: {}, cwd: folder }).config;
const folderReport = async (folder: string, now = Date.now()) => {
  const clock = { now: () => now, sleep: async () => {} };
  const report = await runChecks(folderChecks, { config: configOf(folder), clock });
  return Object.fromEntries(
    report.map(({ id, level, message }) => [id, `${level}: ${message.en}`]),
  );
};

test('a backup that is too old, and none at all; a new site has a week', async () => {
  const folder = newFolder();
  await makeSite(folder, 0);
  const day = 86_400_000;
  expect((await folderReport(folder)).backup).toBe('ok: ');
  expect((await folderReport(folder, Date.now() + 8 * day)).backup).toBe(
    'warning: No backup was made from this data folder',
  );
  const target = join(base, 'weekly.backup');
  expect((await runCli(['backup', target, '--data-dir', folder, '--json'])).exitCode).toBe(0);
  expect((await folderReport(folder, Date.now() + 6 * day)).backup).toBe('ok: ');
  expect((await folderReport(folder, Date.now() + 8 * day)).backup).toBe(
    `warning: The newest backup is 8 days old (${target})`,
  );
});

test.skipIf(process.platform !== 'linux')('a disk without room', async () => {
  // Like every pseudo file system, /proc has no free bytes.
  expect((await folderReport('/proc')).disk).toBe('problem: 0 MB are free on the disk of /proc');
});

test.skipIf(!hasRedis())('Redis: reachable, gone, and too old', async () => {
  const redis = await startRedis();
  expect(await examineRedis(redis.url, readRedisVersion)).toEqual([]);
  await redis.stop();
  expect(await examineRedis(redis.url, readRedisVersion)).toMatchObject([
    { level: 'problem', message: { en: expect.stringContaining('cannot be reached') } },
  ]);
  const old = createServer((socket) => {
    const info = 'redis_version:5.0.7\r\n';
    socket.on('data', (chunk) => {
      for (const command of chunk.toString('latin1').split(/(?=\*\d+\r\n\$)/))
        socket.write(
          /\binfo\b/i.test(command) && !/setinfo/i.test(command)
            ? `$${info.length}\r\n${info}\r\n`
            : '+OK\r\n',
        );
    });
  }).listen(0, '127.0.0.1');
  await once(old, 'listening');
  const url = `redis://127.0.0.1:${(old.address() as AddressInfo).port}`;
  expect(await examineRedis(url, readRedisVersion)).toMatchObject([
    { message: { en: 'Redis has version 5.0.7' } },
  ]);
  old.close();
});
