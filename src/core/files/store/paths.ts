/**
 * The paths of stored files. Only paths of these forms ever reach the disk, so none leads out of
 * the folder.
 */
import type { Ids } from '../../kernel/ids.ts';

const month = String.raw`\d{4}/(?:0[1-9]|1[0-2])`;
const name = '[0-9a-f]{32}';
const uploadForm = new RegExp(`^${month}/${name}\\.(jpg|png)$`);
const resultForm = new RegExp(`^results/${month}/${name}\\.[a-z0-9]{2,4}$`);

export const uploadPrefix = '/uploads/';

export const isUploadPath = (path: string): boolean => uploadForm.test(path);
export const isStoredPath = (path: string): boolean =>
  uploadForm.test(path) || resultForm.test(path);

/** `2026/11/<32 hex>.png`; `now` in Unix milliseconds. The name cannot be guessed. */
export function newUploadPath(now: number, ids: Pick<Ids, 'hex'>, type: 'jpg' | 'png'): string {
  return `${monthOf(now)}/${ids.hex(16)}.${type}`;
}

export function newResultPath(now: number, ids: Pick<Ids, 'hex'>, extension: string): string {
  return `results/${monthOf(now)}/${ids.hex(16)}.${extension}`;
}

function monthOf(now: number): string {
  const date = new Date(now);
  return `${String(date.getUTCFullYear()).padStart(4, '0')}/${String(date.getUTCMonth() + 1).padStart(2, '0')}`;
}

/**
 * The path of an upload that an address names, whatever its host: the site's address may have
 * changed since, and a name cannot be guessed. Undefined if it is no such address.
 */
export function uploadPathOf(address: string): string | undefined {
  const base = 'http://relative.invalid';
  if (!URL.canParse(address, base)) return undefined;
  const { protocol, pathname } = new URL(address, base);
  if ((protocol !== 'http:' && protocol !== 'https:') || !pathname.startsWith(uploadPrefix))
    return undefined;
  const path = pathname.slice(uploadPrefix.length);
  return isUploadPath(path) ? path : undefined;
}
