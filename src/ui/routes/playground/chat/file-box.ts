/** The contents of attached files, in the browser's database. */
import { asPromise, withBox } from '../box.ts';
import type { AttachedFile } from './attachment.ts';

/** Milliseconds in which a file belongs to a message that may not be sent yet. */
const draftAge = 24 * 3_600_000;

interface StoredFile extends AttachedFile {
  readonly userId: number;
  readonly addedAt: number;
}

/** Files of this page that the database did not take: it is full, or forbidden. */
const here = new Map<string, AttachedFile>();

/** Once for each page is enough. */
let isTidy = false;

/** Keeps a file, and drops what belongs to no message any more. `used`: ids of those that do. */
export async function keepFile(
  userId: number,
  file: AttachedFile,
  used: ReadonlySet<string>,
): Promise<void> {
  const now = Date.now();
  const stored: StoredFile = { ...file, userId, addedAt: now };
  try {
    await withBox('files', async (files) => {
      await asPromise(files.put(stored));
      if (isTidy) return;
      isTidy = true;
      for (const other of (await asPromise(files.getAll())) as StoredFile[])
        if (other.userId !== userId || (!used.has(other.id) && other.addedAt < now - draftAge))
          await asPromise(files.delete(other.id));
    });
  } catch {
    here.set(file.id, file);
  }
}

/** Undefined: it is not in this browser any more. */
export async function findFile(userId: number, id: string): Promise<AttachedFile | undefined> {
  const known = here.get(id);
  if (known !== undefined) return known;
  const found = await withBox('files', (files) => asPromise(files.get(id))).catch(() => undefined);
  const file = found as StoredFile | undefined;
  return file?.userId === userId ? file : undefined;
}
