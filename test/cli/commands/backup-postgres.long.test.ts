/** Backups of a site on PostgreSQL, restored on either engine. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/core/config/load.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { createMaintenanceModule } from '../../../src/core/maintenance/module.ts';
import { makeSite, openSite } from '../../support/data-folder-site.ts';
import { makeOldSite } from '../../support/old-site.ts';
import { postgresIsInstalled, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { sourceProgram } from '../../support/program.ts';
import { runCli } from '../run-cli.ts';

const dieAtChange = join(import.meta.dirname, '../../support/die-at-change.ts');

async function query(database: string, text: string): Promise<void> {
  const client = new Client({ connectionString: database });
  await client.connect();
  await client.query(text);
  await client.end();
}

describe.skipIf(!postgresIsInstalled())('PostgreSQL', () => {
  const base = mkdtempSync(join(tmpdir(), 'turnpike-backup-postgres-'));
  const folder = (name: string) => join(base, name);
  const file = join(base, 'site.backup');
  let server: TestPostgres;
  let url: string;
  const on = (database: string) => ({ TURNPIKE_DATABASE_URL: database });
  const run = (words: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
    runCli([...words, '--json'], { environment });
  const facts = (name: string, environment: NodeJS.ProcessEnv = {}) =>
    openSite(folder(name), environment).use(async (client) => {
      expect(await client.ledger.verify({})).toMatchObject({ ok: true });
      const users = (await client.user.list({})).items.map(({ id, username, quota }) => ({
        id,
        username,
        quota,
      }));
      const postings = (await client.ledger.list({})).items.map(({ id, amount, kind }) => ({
        id,
        amount,
        kind,
      }));
      return { users, postings };
    });

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    await makeSite(folder('site'), 3, on(url));
    const site = openSite(folder('site'), on(url));
    await site.use((client) => client.user.manage({ id: 4, action: 'delete' }));
    await run(['backup', file, '--with-keys', '--data-dir', folder('site')], on(url));
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(base, { recursive: true, force: true });
  });

  test('to PostgreSQL and to SQLite, and from SQLite to PostgreSQL, everything is the same', async () => {
    const before = await facts('site', on(url));
    const made = await run(['backup', file, '--with-keys', '--data-dir', folder('site')], on(url));
    expect(made.json()).toMatchObject({ engine: 'postgres', drifts: 0 });

    const second = await server.createDatabase();
    expect(
      (await run(['restore', file, '--data-dir', folder('again')], on(second))).json(),
    ).toMatchObject({ drifts: 0 });
    expect(await facts('again', on(second))).toEqual(before);

    expect((await run(['restore', file, '--data-dir', folder('sqlite')])).exitCode).toBe(0);
    expect(await facts('sqlite')).toEqual(before);
    const back = join(base, 'back.backup');
    await run(['backup', back, '--data-dir', folder('sqlite'), '--with-keys']);
    const third = await server.createDatabase();
    expect((await run(['restore', back, '--data-dir', folder('third')], on(third))).exitCode).toBe(
      0,
    );
    expect(await facts('third', on(third))).toEqual(before);
    // New rows get ids of their own on each.
    for (const [name, environment] of [
      ['again', on(second)],
      ['sqlite', {}],
      ['third', on(third)],
    ] as const) {
      await openSite(folder(name), environment).use(async (client) => {
        const created = await client.user.create({
          username: 'newcomer',
          password: 'a long password',
        });
        expect(created.id).toBe(5);
      });
    }
  });

  test('the gateway backs it up in a thread and restores it to check it', async () => {
    const place = folder('place');
    mkdirSync(place);
    const environment = { ...on(url), BACKUP_TO: place, BACKUP_PASSPHRASE: 'a passphrase' };
    const { config } = loadConfig({
      flags: { 'data-dir': folder('site') },
      environment,
      cwd: base,
    });
    const { jobs = [] } = createMaintenanceModule({
      config,
      version: '1.2.3',
      siteLanguage: () => 'en',
      clock: systemClock,
      notify: ({ values }) => expect(values).toEqual([]),
    });
    for (const job of jobs) await job.run(new AbortController().signal);
    const listed = await run(['backups', 'list', '--data-dir', folder('site')], environment);
    expect(listed.json()).toMatchObject({ total: 1, check: { drifts: 0, version: '1.2.3' } });
  });

  test('a site that is there is replaced only with --force, and kept; one that is in use is refused', async () => {
    const target = await server.createDatabase();
    await makeSite(folder('other'), 0, on(target));
    const keys = readFileSync(join(folder('other'), 'secret.json'), 'utf8');
    const restore = (...flags: string[]) =>
      run(['restore', file, '--data-dir', folder('other'), ...flags], on(target));
    expect((await restore()).failure().code).toBe('restore_not_empty');
    const { kept } = (await restore('--force', '--yes')).json<{ kept: string[] }>();
    expect((await facts('other', on(target))).users).toHaveLength(4);
    expect(readFileSync(kept[1] ?? '', 'utf8')).toBe(keys);
    const [earlier = ''] = kept;
    expect((await run(['restore', earlier, '--data-dir', folder('earlier')])).failure().code).toBe(
      'backup_key_missing',
    );

    const { crypto_secret } = JSON.parse(
      readFileSync(join(folder('other'), 'secret.json'), 'utf8'),
    ) as { crypto_secret: string };
    await openSite(folder('elsewhere'), { ...on(target), CRYPTO_SECRET: crypto_secret }).use(
      async () => {
        expect((await restore('--force', '--yes')).failure().code).toBe('database_in_use');
        const rotated = await run(
          ['rotate-crypto', '--yes', '--data-dir', folder('other')],
          on(target),
        );
        expect(rotated.failure().code).toBe('database_in_use');
      },
    );
  });

  /** In a process of its own, which ends with SIGKILL. */
  const killedRestore = (
    name: string,
    database: string,
    moment: NodeJS.ProcessEnv,
    ...flags: string[]
  ) => {
    const words = [
      'restore',
      file,
      '--data-dir',
      folder(name),
      '--database-url',
      database,
      ...flags,
    ];
    const env = { ...process.env, ...moment };
    const child = spawnSync(process.execPath, ['--import', dieAtChange, sourceProgram, ...words], {
      env,
      encoding: 'utf8',
    });
    expect([child.signal, child.stderr]).toEqual(['SIGKILL', expect.anything()]);
  };
  const tables = async (database: string): Promise<number> => {
    const client = new Client({ connectionString: database });
    await client.connect();
    try {
      for (;;) {
        const { rows } = await client.query(
          'SELECT count(*)::int AS others FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        );
        if (rows[0].others === 0) break; // the killed process's connection is gone
      }
      return (
        await client.query(
          "SELECT count(*)::int AS found FROM pg_tables WHERE schemaname = 'public'",
        )
      ).rows[0].found;
    } finally {
      await client.end();
    }
  };

  test('killed in the middle, an empty database stays empty, and the next try restores', async () => {
    const target = await server.createDatabase();
    killedRestore('new', target, { DIE_AT_QUERY: 'INSERT INTO "users"' });
    expect(await tables(target)).toBe(0);
    expect((await run(['restore', file, '--data-dir', folder('new')], on(target))).exitCode).toBe(
      0,
    );
    expect(await facts('new', on(target))).toEqual(await facts('site', on(url)));
  });

  test('killed before or after the rows were replaced, the old site or the restored one opens with its key', async () => {
    const target = await server.createDatabase();
    await makeSite(folder('killed'), 0, on(target));
    killedRestore('killed', target, { DIE_AT_QUERY: 'INSERT INTO "users"' }, '--force', '--yes');
    await tables(target);
    expect((await facts('killed', on(target))).users).toHaveLength(1);
    // The key's copy in snapshots/ and the waiting key file have their names; the last one is that
    // of the site's key file.
    killedRestore('killed', target, { DIE_AT: '3' }, '--force', '--yes');
    await tables(target);
    expect((await facts('killed', on(target))).users).toHaveLength(4);
    expect(
      readdirSync(folder('killed')).filter((name) => /next|restoring|draft-|part/.test(name)),
    ).toEqual([]);
  });

  test('a database of another program is refused, and one that fails in the middle stays as it was', async () => {
    const restoreTo = (database: string, ...flags: string[]) =>
      run(['restore', file, '--data-dir', folder('foreign'), ...flags], on(database));
    const foreign = await server.createDatabase();
    await query(foreign, 'CREATE TABLE users (id int); INSERT INTO users VALUES (1)');
    expect((await restoreTo(foreign, '--force', '--yes')).failure().code).toBe('database_foreign');
    const clashing = await server.createDatabase();
    await query(clashing, 'CREATE TABLE redemptions (id int)');
    expect((await restoreTo(clashing)).exitCode).not.toBe(0);
    expect(await tables(clashing)).toBe(1);
    expect(existsSync(join(folder('foreign'), 'secret.json'))).toBe(false);
  });

  test('a backup of an earlier version restores and migrates, also over a site of an earlier version with another key', async () => {
    const old = await server.createDatabase();
    mkdirSync(folder('old'));
    await makeOldSite(folder('old'), old);
    const oldFile = join(base, 'old.backup');
    expect(
      (await run(['backup', oldFile, '--data-dir', folder('old'), '--with-keys'], on(old))).json(),
    ).toMatchObject({
      schema: '0020-uploads',
    });
    expect(
      (await run(['restore', oldFile, '--data-dir', folder('migrated')])).json(),
    ).toMatchObject({ drifts: 0 });
    expect((await facts('migrated')).users).toMatchObject([{ username: 'root', quota: 500 }]);
    mkdirSync(join(folder('old'), 'snapshots'));
    for (const day of [1, 2, 3, 4])
      writeFileSync(
        join(folder('old'), `snapshots/2020-01-0${day}T000000Z-before-restore.backup`),
        '',
      );
    const { migrated } = (
      await run(['restore', file, '--data-dir', folder('old'), '--force', '--yes'], on(old))
    ).json<{
      migrated: string[];
    }>();
    expect(migrated).toEqual([]);
    expect((await facts('old', on(old))).users).toHaveLength(4);
    const kept = readdirSync(join(folder('old'), 'snapshots')).filter((name) =>
      name.endsWith('.backup'),
    );
    expect(kept).toEqual(
      ['2020-01-03', '2020-01-04']
        .map((day) => `${day}T000000Z-before-restore.backup`)
        .concat(kept.slice(2)),
    );
    expect(kept).toHaveLength(3);
  });

  test('what cannot be reached or has no site says so', async () => {
    const none = await run(
      ['backup', file, '--data-dir', folder('none')],
      on(await server.createDatabase()),
    );
    expect(none.failure().code).toBe('database_missing');
    const nobody = on('postgres://postgres@127.0.0.1:1/none');
    expect((await run(['backup', file, '--data-dir', folder('none')], nobody)).exitCode).toBe(6);
  });
});
