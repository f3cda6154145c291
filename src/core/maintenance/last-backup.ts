/** When the site was backed up last, for the doctor (docs/rules/maintenance.md#backup). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '../config/data-folder.ts';
import { parseJson } from '../kernel/json.ts';
import { z } from '../kernel/zod.ts';

const shape = z.object({
  /** Unix seconds. */
  created_at: z.number().int(),
  /** `-`: standard output. */
  file: z.string(),
  with_keys: z.boolean(),
});
export type LastBackup = z.infer<typeof shape>;

const pathIn = (dataDir: string): string => join(dataDir, 'last-backup.json');

/** A folder that cannot be written to does not make a complete backup fail. */
export function recordBackup(dataDir: string, backup: LastBackup): void {
  try {
    writePrivateFile(pathIn(dataDir), `${JSON.stringify(backup)}\n`);
  } catch {}
}

/** Undefined if none was made from this data folder. */
export function readLastBackup(dataDir: string): LastBackup | undefined {
  try {
    return shape.safeParse(parseJson(readFileSync(pathIn(dataDir), 'utf8'))).data;
  } catch {
    return undefined;
  }
}
