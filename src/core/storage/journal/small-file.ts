/** Small files whose content must survive a power cut, written without holding up the thread. */
import { open, rename, rm } from 'node:fs/promises';

/** Replaces a file (mode 0600): after a crash it has the old content or the new one. */
export async function replaceSmallFile(path: string, content: string): Promise<void> {
  const draft = `${path}.draft-${process.pid}`;
  try {
    const handle = await open(draft, 'w', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Appends a line to a file (mode 0600 where it is new) and waits until it is on the disk. */
export async function appendLine(path: string, line: string): Promise<void> {
  const handle = await open(path, 'a', 0o600);
  try {
    await handle.appendFile(`${line}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
