/** How the free space of the data folder's disk changes, for the doctor's forecast. */
import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '../config/data-folder.ts';
import { parseJson } from '../kernel/json.ts';
import { z } from '../kernel/zod.ts';

const shape = z.array(z.object({ at: z.number().int(), free: z.number() }));
/** Free bytes at a time in Unix seconds. */
export type DiskNotes = Readonly<z.infer<typeof shape>>;

const day = 86_400;
/** Days that are looked back at, and that a forecast needs at least. */
const remembered = 30;
const needed = 3;

const pathIn = (dataDir: string): string => join(dataDir, 'disk-space.json');

/** Free bytes for this process. Throws errors of the file system. */
export async function freeSpace(dataDir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize;
}

/** Empty where there are none yet. */
export function readDiskNotes(dataDir: string): DiskNotes {
  try {
    return shape.safeParse(parseJson(readFileSync(pathIn(dataDir), 'utf8'))).data ?? [];
  } catch {
    return [];
  }
}

/** Once a day; `now` in Unix seconds. A disk that is full already needs no note. */
export async function noteDiskSpace(dataDir: string, now: number): Promise<void> {
  const notes = readDiskNotes(dataDir).filter(({ at }) => at > now - remembered * day);
  if (notes.some(({ at }) => at > now - day)) return;
  try {
    const note = { at: now, free: await freeSpace(dataDir) };
    writePrivateFile(pathIn(dataDir), `${JSON.stringify([...notes, note])}\n`);
  } catch {}
}

/**
 * Days until nothing is free, if it goes on as since the oldest note, and the bytes of a day.
 * Undefined while it grows, or is known for too short a time.
 */
export function forecastDisk(
  notes: DiskNotes,
  now: number,
  free: number,
): { readonly days: number; readonly bytesPerDay: number } | undefined {
  const first = notes.find(({ at }) => at > now - remembered * day);
  if (first === undefined || now - first.at < needed * day || first.free <= free) return undefined;
  const bytesPerDay = (first.free - free) / ((now - first.at) / day);
  return { days: Math.floor(free / bytesPerDay), bytesPerDay };
}
