/** From one version to the next, and back (docs/rules/maintenance.md#upgrade). */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../config/make-folder.ts';
import { AppError } from '../kernel/errors.ts';
import { checkPostgresIdle } from '../storage/backup/postgres-copy.ts';
import { migrateStorage } from '../storage/open.ts';
import { backupSite, checkSteps } from './backup.ts';
import { openSource } from './extract-backup.ts';
import { pendingMigrations } from './migrate-site.ts';
import { openSite } from './open-site.ts';
import { type RestoreReport, restoreSite } from './restore.ts';
import { databaseUrlOf, isPostgres, requireSite, type SiteConfig } from './site-database.ts';
import { pruneSnapshots, snapshotFolder, timeText } from './snapshots.ts';

export type UpgradePhase = 'backup' | 'migrate' | 'test' | 'back';

export interface UpgradeWork {
  readonly config: SiteConfig;
  /** Of this program. */
  readonly version: string;
  /** Unix seconds. */
  readonly now: number;
  readonly onPhase?: (phase: UpgradePhase) => void;
}

export interface UpgradeReport {
  readonly executed: readonly string[];
  /** The backup for the way back; undefined: nothing was to be done. */
  readonly backup: string | undefined;
  /** Differences that a verification of the ledger finds. */
  readonly drifts: number;
}

const kind = 'before-upgrade.backup';

/**
 * Backs a stopped site up, migrates it, and has `smokeTest` use it and count the differences of its
 * ledger. If a step fails, the database is what it was. Throws what openSite and backupSite throw, AppError
 * database_in_use, and upgrade_failed where the migrated site does not work.
 */
export async function upgradeSite(
  work: UpgradeWork,
  smokeTest: () => Promise<number>,
): Promise<UpgradeReport> {
  const { config, now, onPhase = () => {} } = work;
  requireSite(config);
  const { pending, unknown } = await pendingMigrations(config);
  checkSteps(unknown);
  if (pending.length === 0) {
    onPhase('test');
    return { executed: [], backup: undefined, drifts: await smokeTest() };
  }
  if (isPostgres(config)) await checkPostgresIdle(config.databaseUrl);
  const { folder, lock } = await openSite(config, { migrates: true });
  let executed: readonly string[];
  const backup = join(snapshotFolder(config.dataDir), `${timeText(now)}-${kind}`);
  try {
    onPhase('backup');
    makeFolder(snapshotFolder(config.dataDir));
    await backupSite({
      config,
      version: work.version,
      target: backup,
      now,
      withKeys: false,
      withFiles: false,
      isRecorded: false,
    });
    onPhase('migrate');
    const masterKey = Buffer.from(folder.cryptoSecret.reveal());
    ({ executed } = await migrateStorage({ url: databaseUrlOf(config), masterKey }));
  } finally {
    lock.release();
  }
  let drifts: number;
  try {
    onPhase('test');
    drifts = await smokeTest();
  } catch (cause) {
    onPhase('back');
    await goBack(work, backup);
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('upgrade_failed', { reason }, { cause });
  }
  pruneSnapshots(config.dataDir, kind);
  return { executed, backup, drifts };
}

/** The backup that the newest upgrade made. Throws AppError backup_none. */
export function findWayBack({ dataDir }: Pick<SiteConfig, 'dataDir'>): string {
  const place = snapshotFolder(dataDir);
  const names = existsSync(place) ? readdirSync(place) : [];
  const newest = names
    .filter((name) => name.endsWith(`-${kind}`))
    .sort()
    .at(-1);
  if (newest === undefined) throw new AppError('backup_none', { place });
  return join(place, newest);
}

/**
 * Puts the database back as it was before an upgrade, with the schema of that version; the one that
 * is replaced is kept. Throws what a restore throws.
 */
export async function goBack(
  { config, version, now }: UpgradeWork,
  file: string,
): Promise<RestoreReport> {
  return restoreSite({
    config,
    version,
    now,
    name: file,
    force: true,
    migrates: false,
    source: await openSource(file),
  });
}
