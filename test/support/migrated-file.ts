/** SQLite files with the newest schema: one is migrated for each process of tests, and copied. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateStorage } from '../../src/core/storage/open.ts';

/** The master key of all test databases. */
export const testMasterKey = Buffer.from('a master key that guards nothing');

let folder: string | undefined;
let made: Promise<string> | undefined;
let serial = 0;

async function makeTemplate(): Promise<string> {
  const parent = mkdtempSync(join(tmpdir(), 'turnpike-migrated-'));
  process.once('exit', () => rmSync(parent, { recursive: true, force: true }));
  const file = join(parent, 'template.db');
  await migrateStorage({ url: `sqlite:${file}`, masterKey: testMasterKey });
  folder = parent;
  return file;
}

/** A new database of the newest schema, without a row. */
export async function copyMigratedFile(to: string): Promise<void> {
  made ??= makeTemplate();
  copyFileSync(await made, to);
}

export interface MigratedFile {
  readonly path: string;
  remove(): void;
}

/** The same, in a place of its own. */
export async function newMigratedFile(): Promise<MigratedFile> {
  made ??= makeTemplate();
  await made;
  serial += 1;
  const path = join(folder ?? '', `${serial}.db`);
  await copyMigratedFile(path);
  return {
    path,
    remove: () => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    },
  };
}
