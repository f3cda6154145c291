/**
 * The chain of the ledger and its seals hold through backups, restores, moves between the engines
 * and rotations of the key.
 */
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSite } from '../../support/data-folder-site.ts';
import { headOf, type LedgerSite, makeLedger, verifySite } from '../../support/ledger-site.ts';
import { postgresIsInstalled, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { runCli } from '../run-cli.ts';

const base = mkdtempSync(join(tmpdir(), 'turnpike-kept-'));
const original: LedgerSite = { folder: join(base, 'original'), environment: {} };
const seals = join(base, 'seals.txt');
const backup = join(base, 'site.backup');

beforeAll(async () => {
  await makeLedger(original);
  writeFileSync(seals, `${await headOf(original)}\n`);
  const made = await runCli([
    'backup',
    backup,
    '--data-dir',
    original.folder,
    '--with-keys',
    '--json',
  ]);
  expect(made.json()).toMatchObject({ drifts: 0 });
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

async function restore(
  file: string,
  { folder, environment }: LedgerSite,
  ...argv: string[]
): Promise<void> {
  const run = await runCli(['restore', file, '--data-dir', folder, ...argv, '--json'], {
    environment,
  });
  expect([run.exitCode, run.stderr]).toEqual([0, '']);
}

/** `postings`: how many there are. */
async function expectWhole(site: LedgerSite, postings = 15): Promise<void> {
  const { en } = await verifySite(site, '--sealed', seals);
  expect(en.stdout).toContain(`Chain: ${postings} postings followed, all of them`);
  expect(en.stdout).toContain('Seals: 1 compared, all fit');
  expect(en.exitCode).toBe(0);
}

const grant = ({ folder, environment }: LedgerSite) =>
  openSite(folder, environment).use((client) => client.user.grant({ user_id: 2, quota: 5 }));

test('a restored site', async () => {
  const site = { folder: join(base, 'restored'), environment: {} };
  await restore(backup, site);
  await expectWhole(site);
  await grant(site);
  await expectWhole(site, 16);
});

test('a restore over a site whose ledger had gone on: the noted end is that of the restored ledger, a seal of what is gone does not fit', async () => {
  const site = { folder: join(base, 'replaced'), environment: {} };
  cpSync(original.folder, site.folder, { recursive: true });
  await grant(site);
  const later = join(base, 'later.txt');
  writeFileSync(later, `${await headOf(site)}\n`);
  await restore(backup, site, '--force', '--yes');
  expect(existsSync(join(site.folder, 'ledger-head.json'))).toBe(false);
  await expectWhole(site);
  expect(existsSync(join(site.folder, 'ledger-head.json'))).toBe(true);
  const { en } = await verifySite(site, '--sealed', later);
  expect(en.stdout).toContain(
    'Seals: 1 of 1 does not fit: postings were changed since, or a backup was restored',
  );
});

test('a site whose key was changed', async () => {
  const site = { folder: join(base, 'rotated'), environment: {} };
  cpSync(original.folder, site.folder, { recursive: true });
  expect((await runCli(['rotate-crypto', '--data-dir', site.folder, '--yes'])).exitCode).toBe(0);
  await expectWhole(site);
});

describe.skipIf(!postgresIsInstalled())('a site that moves', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  test('to PostgreSQL, where the chain goes on, and back', async () => {
    const there = {
      folder: join(base, 'postgres'),
      environment: { SQL_DSN: await server.createDatabase() },
    };
    await restore(backup, there);
    await expectWhole(there);
    await grant(there);
    await expectWhole(there, 16);
    const second = join(base, 'second.backup');
    const argv = ['backup', second, '--data-dir', there.folder, '--with-keys', '--json'];
    expect((await runCli(argv, { environment: there.environment })).json()).toMatchObject({
      drifts: 0,
    });
    const back = { folder: join(base, 'back'), environment: {} };
    await restore(second, back);
    await grant(back);
    await expectWhole(back, 17);
  });
});
