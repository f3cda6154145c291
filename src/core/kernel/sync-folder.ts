import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Waits until names that were added or changed in a folder are on the disk. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
