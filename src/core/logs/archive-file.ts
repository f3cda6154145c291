/** Files of archives: JSON lines, compressed (docs/rules/maintenance.md#archives). */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip, createGzip } from 'node:zlib';
import { syncFolder } from '../config/replacement.ts';
import { AppError } from '../kernel/errors.ts';
import type { StoredRow } from '../storage/storage.ts';

/** Characters of a line; a row of a usage log has some thousand at most. */
const longestLine = 16 * 2 ** 20;

/** The file is on the disk, and whole, before it has its name. Throws errors of the file system. */
export async function writeArchive(
  path: string,
  pieces: AsyncIterable<readonly StoredRow[]>,
): Promise<void> {
  const part = `${path}.part`;
  const lines = async function* () {
    for await (const rows of pieces) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  };
  try {
    const file = createWriteStream(part, { mode: 0o600, flush: true });
    await pipeline(Readable.from(lines()), createGzip(), file);
    await rename(part, path);
    syncFolder(dirname(path));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** The lines of an archive, read as they are needed. Throws AppError archive_damaged. */
export async function* linesOf(source: Readable, name: string): AsyncGenerator<string> {
  const text = createGunzip();
  const decoder = new StringDecoder('utf8');
  // The loop throws what ends the pipeline, and its own end ends the source.
  const read = pipeline(source, text).catch(() => {});
  let rest = '';
  try {
    for await (const chunk of text) {
      const lines = (rest + decoder.write(chunk as Buffer)).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > longestLine) throw new AppError('archive_damaged', { file: name });
      yield* lines;
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('archive_damaged', { file: name }, { cause });
  } finally {
    text.destroy();
    source.destroy();
    await read;
  }
  if (rest !== '') throw new AppError('archive_damaged', { file: name });
}
