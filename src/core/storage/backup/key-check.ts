import BetterSqlite3 from 'better-sqlite3';
import { channelKeyContext } from '../repositories/channel-rows.ts';
import { optionContext } from '../repositories/option-repository.ts';
import { tokenKeyContext } from '../repositories/token-repository.ts';
import { createVault } from '../vault.ts';

/** Whether the master key decrypts the secrets of a database file: one of each kind is tried. */
export function keyOpens(file: string, masterKey: Buffer): boolean {
  const vault = createVault(masterKey);
  const database = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
  const first = (sql: string) => database.prepare(sql).get() as { name: string; sealed: string } | undefined;
  try {
    const samples = [
      [first('SELECT key_hash AS name, key_enc AS sealed FROM tokens LIMIT 1'), tokenKeyContext],
      [first('SELECT key_hash AS name, key_enc AS sealed FROM channels LIMIT 1'), channelKeyContext],
      [first('SELECT key AS name, value AS sealed FROM options WHERE sealed = 1 LIMIT 1'), optionContext],
    ] as const;
    for (const [sample, context] of samples) if (sample !== undefined) vault.open(sample.sealed, context(sample.name));
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}
