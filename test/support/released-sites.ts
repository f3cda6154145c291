/**
 * The sites that earlier versions wrote (test/fixtures/sites, scripts/release-site.ts), put on an
 * engine as they were, upgraded, and taken back.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lockDataFolder } from '../../src/core/config/data-lock.ts';
import { loadConfig } from '../../src/core/config/load.ts';
import { AppError } from '../../src/core/kernel/errors.ts';
import { openSource } from '../../src/core/maintenance/extract-backup.ts';
import { pendingMigrations } from '../../src/core/maintenance/migrate-site.ts';
import { restoreSite } from '../../src/core/maintenance/restore.ts';
import { upgradeSite } from '../../src/core/maintenance/upgrade.ts';
import { runCli } from '../cli/run-cli.ts';
import { openSite } from './data-folder-site.ts';

const sites = join(import.meta.dirname, '../fixtures/sites');
export const siteFile = (name: string): string => join(sites, `${name}.backup`);
export const releasedSites = readdirSync(sites).map((name) => name.replace(/\.backup$/, ''));

/** What a test needs of an engine. */
export interface SiteEngine {
  /** The variables of a new, empty database. */
  newDatabase(): Promise<Record<string, string>>;
  /** Tables with their columns, as the database has them. */
  schemaOf(dataDir: string, environment: Record<string, string>): Promise<unknown>;
}

async function place(name: string, environment: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-released-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const flags = { 'data-dir': dataDir };
  const { config } = loadConfig({ flags, environment, cwd: dataDir });
  const work = { config, version: '9.9.9', now: Math.floor(Date.now() / 1000) };
  await restoreSite({
    ...work,
    name,
    force: false,
    migrates: false,
    source: await openSource(siteFile(name)),
  });
  const cli = (...words: string[]) =>
    runCli([...words, '--data-dir', dataDir, '--json'], { environment, connects: true });
  return { dataDir, config, work, cli, site: openSite(dataDir, environment) };
}

type Placed = Awaited<ReturnType<typeof place>>;

/** What the script wrote, read through this version's API. */
const factsOf = ({ site }: Placed) =>
  site.use(async (client) => {
    expect(await client.ledger.verify({})).toMatchObject({ ok: true });
    const users = (await client.user.list({})).items.map(({ username, quota }) => [
      username,
      quota,
    ]);
    const channels = (await client.channel.list({})).items.map(({ name, models }) => [
      name,
      models,
    ]);
    const codes = (await client.redemption.list({})).items.map(({ name, quota }) => [name, quota]);
    const options = (await client.option.list({})) as readonly { key: string; value: string }[];
    const retries = options.find(({ key }) => key === 'RetryTimes')?.value;
    return { users: users.sort(), channels, codes, retries };
  });
const written = {
  users: [
    ['root', expect.any(Number)],
    ['user1', 1000],
    ['user2', 2000],
    ['user3', 3000], // deleted, and still in the books
  ],
  channels: [['Main', 'gpt-4o']],
  codes: [
    ['codes', 500],
    ['codes', 500],
  ],
  retries: '4',
};

export function testReleasedSites(engine: () => SiteEngine): void {
  test('the sites are small', () => {
    expect(releasedSites.length).toBeGreaterThan(1);
    for (const name of releasedSites) expect(statSync(siteFile(name)).size).toBeLessThan(60_000);
  });

  describe.each(releasedSites)('the site that %s wrote', (name) => {
    test('is upgraded, used, taken back as it was, and upgraded again', async () => {
      const environment = await engine().newDatabase();
      const placed = await place(name, environment);
      const { cli, dataDir, config } = placed;
      const before = await engine().schemaOf(dataDir, environment);
      const { pending } = await pendingMigrations(config);
      const listed = (await cli('upgrade', '--dry-run')).json<{ pending: string[] }>();
      expect(listed.pending).toEqual(pending);

      const upgraded = await cli('upgrade');
      expect(upgraded.json()).toMatchObject({ executed: pending, drifts: 0 });
      expect(await factsOf(placed)).toEqual(written);
      expect((await cli('upgrade')).json()).toMatchObject({ executed: [], backup: null });
      if (pending.length === 0) return;

      await placed.site.use((client) =>
        client.user.create({ username: 'newcomer', password: 'a long password', quota: 7 }),
      );
      expect((await cli('upgrade', '--back')).failure().code).toBe('usage');
      const back = await cli('upgrade', '--back', '--yes');
      expect(back.json()).toMatchObject({ kept: [expect.stringContaining('before-restore')] });
      expect(await engine().schemaOf(dataDir, environment)).toEqual(before);
      expect((await pendingMigrations(config)).pending).toEqual(pending);

      expect((await cli('upgrade')).json()).toMatchObject({ executed: pending, drifts: 0 });
      expect(await factsOf(placed)).toEqual(written);
    });
  });

  test('a site that does not work with the version is put back as it was', async () => {
    const environment = await engine().newDatabase();
    const [oldest = ''] = releasedSites;
    const { config, work, dataDir } = await place(oldest, environment);
    const before = await engine().schemaOf(dataDir, environment);
    const failing = upgradeSite(work, () => Promise.reject(new Error('no channel can be read')));
    const error = await failing.catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      code: 'upgrade_failed',
      params: { reason: 'no channel can be read' },
    });
    expect(error).toBeInstanceOf(AppError);
    expect(await engine().schemaOf(dataDir, environment)).toEqual(before);
    expect((await pendingMigrations(config)).pending.length).toBeGreaterThan(0);
  });

  test('a site whose gateway runs is not touched, and one without a way back says so', async () => {
    const environment = await engine().newDatabase();
    const { cli, dataDir, config } = await place(releasedSites[0] ?? '', environment);
    const none = await cli('upgrade', '--back', '--yes');
    expect(none.failure().code).toBe('backup_none');
    const lock = lockDataFolder(dataDir);
    const run = await cli('upgrade');
    lock.release();
    expect(run.failure().code).toBe('data_folder_locked');
    expect((await pendingMigrations(config)).pending.length).toBeGreaterThan(0);
  });
}
