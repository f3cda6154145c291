/** Saves a download of the API under its name, with its progress. */
import type { FileOutput } from '../../core/contract/endpoint.ts';
import { downloadFile } from '../browser/download.ts';

/**
 * Characters that are kept as text before they become a part of the file: the browser may keep
 * those on disk.
 */
const partSize = 4 * 1024 * 1024;

/**
 * Resolves with false if `signal` aborted it; the server stops then, and nothing is saved. `onRows`
 * gets the lines so far.
 */
export async function saveFile(
  file: FileOutput,
  signal?: AbortSignal,
  onRows?: (rows: number) => void,
): Promise<boolean> {
  const parts: Blob[] = [];
  let texts: string[] = [];
  let length = 0;
  let rows = 0;
  const close = () => {
    parts.push(new Blob(texts));
    texts = [];
    length = 0;
  };
  for await (const chunk of file.chunks) {
    if (signal?.aborted) return false;
    texts.push(chunk);
    length += chunk.length;
    if (length >= partSize) close();
    rows += chunk.split('\n').length - 1;
    onRows?.(rows);
  }
  close();
  downloadFile(file.name, new Blob(parts, { type: file.type }));
  return true;
}
