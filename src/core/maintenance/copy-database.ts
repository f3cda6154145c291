/**
 * Copies of the site's SQLite database, with the charges that only its journal has
 * (docs/rules/ledger.md#charge-journal).
 */
import { planBatch, recoverCharges } from '../billing/index.ts';
import { systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/logger.ts';
import { copySqlite, finishSqlite, type Progress } from '../storage/backup/sqlite-file.ts';
import { type NumberedCharge, readJournal } from '../storage/journal/charge-journal.ts';
import { openStorage, readMigrations } from '../storage/open.ts';

/**
 * Copies a database that a gateway may be writing to. A copy of an older schema, as an upgrade
 * after a crash finds it, gets no charges of the journal. Throws AppError database_unavailable.
 */
export async function copyDatabaseFile(
  source: string,
  target: string,
  onProgress?: Progress,
): Promise<void> {
  // Read before the copy begins: what reaches the tables later is in the copy then.
  const charges = readJournal(source);
  await copySqlite(source, target, onProgress);
  if (charges.length === 0) return;
  const url = `sqlite:${target}`;
  const { pending, unknown } = await readMigrations({ url });
  if (pending.length === 0 && unknown.length === 0) await addCharges(url, charges);
  finishSqlite(target);
}

async function addCharges(url: string, charges: readonly NumberedCharge[]): Promise<void> {
  const noSecret = Buffer.alloc(32);
  const storage = await openStorage({ url, masterKey: noSecret, planBatch, migrate: false });
  try {
    const { settle: commit } = storage;
    const next = (await storage.ledger.appliedCharge()) + 1;
    const left = charges.filter(({ sequence }) => sequence >= next);
    // While the files were being read a gateway may have gone on writing, so there may be a gap.
    const whole = left.filter(({ sequence }, index) => sequence === next + index);
    if (commit !== undefined)
      await recoverCharges({
        storage,
        commit,
        charges: whole,
        clock: systemClock,
        logger: silentLogger,
      });
  } finally {
    await storage.close();
  }
}
