/** Commands on a folder whose gateway was killed: charges that only the journal has. */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChargeJournal } from '../../../src/core/storage/journal/charge-journal.ts';
import { chargeOf } from '../../core/storage/journal/charges.ts';
import { makeSite, openSite } from '../../support/data-folder-site.ts';
import { runCli } from '../run-cli.ts';

const base = mkdtempSync(join(tmpdir(), 'turnpike-journal-'));
const site = join(base, 'site');
const userId = 2;
const openingQuota = 1000;

beforeAll(async () => {
  await makeSite(site, 1);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** A copy of the site that was killed after three charges of 5. */
function killedSite(name: string): string {
  const folder = join(base, name);
  cpSync(site, folder, { recursive: true });
  const journal = openChargeJournal({
    database: join(folder, 'turnpike.db'),
    isSynced: false,
    last: 0,
  });
  for (const id of ['a', 'b', 'c']) journal.append(chargeOf(userId, id, 5));
  return folder;
}

const quotaIn = (folder: string): Promise<number> =>
  openSite(folder).use(async (client) => (await client.user.get({ id: userId })).quota);

test('the next command finds them charged, once', async () => {
  const folder = killedSite('opened');
  for (let time = 0; time < 2; time += 1) {
    expect(await quotaIn(folder)).toBe(openingQuota - 15);
    expect(await openSite(folder).use((client) => client.ledger.verify({}))).toMatchObject({
      ok: true,
      postings: 5,
    });
  }
});

test('a backup of such a folder contains them, and leaves them where they are', async () => {
  const folder = killedSite('backed-up');
  const file = join(base, 'killed.backup');
  expect(
    (await runCli(['backup', file, '--data-dir', folder, '--with-keys', '--json'])).json(),
  ).toMatchObject({ drifts: 0 });
  const restored = join(base, 'restored');
  expect((await runCli(['restore', file, '--data-dir', restored, '--json'])).json()).toMatchObject({
    drifts: 0,
  });
  expect(await quotaIn(restored)).toBe(openingQuota - 15);
  expect(await quotaIn(folder)).toBe(openingQuota - 15);
});

test('a restore removes them with the database that they belong to, whose copy has them', async () => {
  const file = join(base, 'earlier.backup');
  await runCli(['backup', file, '--data-dir', site, '--with-keys', '--json']);
  const folder = killedSite('replaced');
  const run = await runCli(['restore', file, '--data-dir', folder, '--force', '--yes', '--json']);
  expect(run.stderr).toBe('');
  expect(existsSync(join(folder, 'turnpike.db-charges-0'))).toBe(false);
  expect(await quotaIn(folder)).toBe(openingQuota);
  const { kept } = run.json() as { readonly kept: readonly string[] };
  const copy = new Database(
    kept.find((path) => path.endsWith('.db')),
    { readonly: true },
  );
  expect(copy.prepare('select quota from users where id = ?').pluck().get(userId)).toBe(
    openingQuota - 15,
  );
  copy.close();
});
