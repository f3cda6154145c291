/** Backups of a site on PostgreSQL, restored on either engine. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSite, openSite } from '../../support/data-folder-site.ts';
import { postgresIsInstalled, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { runCli } from '../run-cli.ts';

describe.skipIf(!postgresIsInstalled())('PostgreSQL', () => {
  const base = mkdtempSync(join(tmpdir(), 'turnpike-backup-postgres-'));
  const folder = (name: string) => join(base, name);
  const file = join(base, 'site.backup');
  let server: TestPostgres;
  let url: string;
  const on = (database: string) => ({ TURNPIKE_DATABASE_URL: database });
  const run = (words: readonly string[], environment: NodeJS.ProcessEnv = {}) => runCli([...words, '--json'], { environment });
  const facts = (name: string, environment: NodeJS.ProcessEnv = {}) =>
    openSite(folder(name), environment).use(async (client) => {
      expect(await client.ledger.verify({})).toMatchObject({ ok: true });
      const users = (await client.user.list({})).items.map(({ id, username, quota }) => ({ id, username, quota }));
      const postings = (await client.ledger.list({})).items.map(({ id, amount, kind }) => ({ id, amount, kind }));
      return { users, postings };
    });

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    await makeSite(folder('site'), 3, on(url));
    const site = openSite(folder('site'), on(url));
    await site.use((client) => client.user.manage({ id: 4, action: 'delete' }));
  }, 60_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(base, { recursive: true, force: true });
  });

  test('to PostgreSQL and to SQLite, and from SQLite to PostgreSQL, everything is the same', async () => {
    const before = await facts('site', on(url));
    const made = await run(['backup', file, '--with-keys', '--data-dir', folder('site')], on(url));
    expect(made.json()).toMatchObject({ engine: 'postgres', drifts: 0 });

    const second = await server.createDatabase();
    expect((await run(['restore', file, '--data-dir', folder('again')], on(second))).json()).toMatchObject({ drifts: 0 });
    expect(await facts('again', on(second))).toEqual(before);

    expect((await run(['restore', file, '--data-dir', folder('sqlite')])).exitCode).toBe(0);
    expect(await facts('sqlite')).toEqual(before);
    const back = join(base, 'back.backup');
    await run(['backup', back, '--data-dir', folder('sqlite'), '--with-keys']);
    const third = await server.createDatabase();
    expect((await run(['restore', back, '--data-dir', folder('third')], on(third))).exitCode).toBe(0);
    expect(await facts('third', on(third))).toEqual(before);
    // New rows get ids of their own on each.
    for (const [name, environment] of [
      ['again', on(second)],
      ['sqlite', {}],
      ['third', on(third)],
    ] as const) {
      await openSite(folder(name), environment).use(async (client) => {
        const created = await client.user.create({ username: 'newcomer', password: 'a long password' });
        expect(created.id).toBe(5);
      });
    }
  }, 60_000);

  test('a site that is there is replaced only with --force, and kept; one that is in use is refused', async () => {
    const target = await server.createDatabase();
    await makeSite(folder('other'), 0, on(target));
    const keys = readFileSync(join(folder('other'), 'secret.json'), 'utf8');
    const restore = (...flags: string[]) => run(['restore', file, '--data-dir', folder('other'), ...flags], on(target));
    expect((await restore()).failure().code).toBe('restore_not_empty');
    const { kept } = (await restore('--force', '--yes')).json<{ kept: string[] }>();
    expect((await facts('other', on(target))).users).toHaveLength(4);
    expect(readFileSync(kept[1] ?? '', 'utf8')).toBe(keys);
    const [earlier = ''] = kept;
    expect((await run(['restore', earlier, '--data-dir', folder('earlier')])).failure().code).toBe('backup_key_missing');

    const { crypto_secret } = JSON.parse(readFileSync(join(folder('other'), 'secret.json'), 'utf8')) as { crypto_secret: string };
    await openSite(folder('elsewhere'), { ...on(target), CRYPTO_SECRET: crypto_secret }).use(async () => {
      expect((await restore('--force', '--yes')).failure().code).toBe('database_in_use');
      const rotated = await run(['rotate-crypto', '--yes', '--data-dir', folder('other')], on(target));
      expect(rotated.failure().code).toBe('database_in_use');
    });
  }, 60_000);

  test('what cannot be reached or has no site says so', async () => {
    const none = await run(['backup', file, '--data-dir', folder('none')], on(await server.createDatabase()));
    expect(none.failure().code).toBe('database_missing');
    const nobody = on('postgres://postgres@127.0.0.1:1/none');
    expect((await run(['backup', file, '--data-dir', folder('none')], nobody)).exitCode).toBe(6);
  });
});
