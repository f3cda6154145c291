/**
 * The file of a backup (docs/rules/maintenance.md#backup-file): a line that names the format, a
 * line of JSON that describes the backup, then, compressed with gzip, entries and a line that ends
 * them. An entry is a line of JSON with its name, length and SHA-256, and its bytes. Paths use `/`.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { AppError } from '../kernel/errors.ts';
import { parseJson } from '../kernel/json.ts';
import { z } from '../kernel/zod.ts';

export const magic = 'TURNPIKE BACKUP';
/** Raised when older programs could not read the file. */
export const backupFormat = 1;
export const databaseEntry = 'database.sqlite';
export const keysEntry = 'secret.json';
export const uploadsPrefix = 'uploads/';

const headerShape = z.object({
  format: z.number().int(),
  /** Of the program that wrote it. */
  version: z.string(),
  /** Unix seconds. */
  created_at: z.number().int(),
  engine: z.enum(['sqlite', 'postgres']),
  /** Names of the migrations that the database had. */
  steps: z.array(z.string()),
  /** Rows per table. */
  tables: z.record(z.string(), z.number().int()),
  with_keys: z.boolean(),
  with_files: z.boolean(),
});
export type BackupHeader = z.infer<typeof headerShape>;

const entryShape = z.object({
  name: z.string(),
  bytes: z.number().int().nonnegative(),
  sha256: z.string(),
});
const endShape = z.object({ entries: z.number().int() });
type Entry = z.infer<typeof entryShape>;

/** What an entry's bytes come from. */
export type EntrySource = { readonly name: string } & (
  | { readonly file: string }
  | { readonly content: string }
);

/** Bytes written so far, before compression. */
export type OnBytes = (bytes: number) => void;

/** A first line longer than this is no header. */
const longestLine = 1024 * 1024;

/** Writes a backup. Files that are gone meanwhile are left out; returns the number of entries. */
export async function writeBackup(
  target: Writable,
  header: BackupHeader,
  sources: AsyncIterable<EntrySource> | Iterable<EntrySource>,
  onBytes: OnBytes = () => {},
): Promise<number> {
  target.write(`${magic} ${header.format}\n${JSON.stringify(header)}\n`);
  let entries = 0;
  async function* contents(): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const source of sources) {
      let isThere = false;
      for await (const chunk of entryBytes(source)) {
        isThere = true;
        yield chunk;
        bytes += chunk.length;
        onBytes(bytes);
      }
      if (isThere) entries += 1;
    }
    yield line({ entries });
  }
  await pipeline(contents, createGzip({ level: 3 }), target);
  return entries;
}

async function* entryBytes(source: EntrySource): AsyncGenerator<Buffer> {
  if ('content' in source) {
    const content = Buffer.from(source.content);
    yield line({
      name: source.name,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    yield content;
    return;
  }
  const handle = await open(source.file, 'r').catch((error: NodeJS.ErrnoException) => {
    // deleted since it was listed
    if (error.code === 'ENOENT' && source.name.startsWith(uploadsPrefix)) return undefined;
    throw error;
  });
  if (handle === undefined) return;
  try {
    // Both reads use one handle, so that a file that is deleted or replaced between them does no
    // harm.
    const { size: bytes } = await handle.stat();
    const hash = createHash('sha256');
    for await (const chunk of bytesOf(handle, bytes)) hash.update(chunk);
    yield line({ name: source.name, bytes, sha256: hash.digest('hex') });
    yield* bytesOf(handle, bytes);
  } finally {
    await handle.close();
  }
}

async function* bytesOf(handle: FileHandle, bytes: number): AsyncGenerator<Buffer> {
  if (bytes === 0) return;
  for await (const chunk of handle.createReadStream({ autoClose: false, start: 0, end: bytes - 1 }))
    yield chunk as Buffer;
}

const line = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

/** Takes the bytes of one entry; called before its bytes arrive. */
export type OpenEntry = (name: string) => EntrySink | Promise<EntrySink>;
export interface EntrySink {
  write(chunk: Buffer): void | Promise<void>;
  /** All bytes have arrived and are the right ones. */
  end(): void | Promise<void>;
  /** Reading or writing has failed. */
  abort?(): void | Promise<void>;
}

/**
 * Reads a backup to its end and checks every byte. `onHeader` may throw to refuse it. `name` stands
 * in errors. Throws AppError backup_foreign, backup_newer, backup_damaged.
 */
export async function readBackup(
  source: Readable,
  name: string,
  onHeader: (header: BackupHeader) => void | Promise<void>,
  openEntry: OpenEntry,
  onBytes: OnBytes = () => {},
): Promise<BackupHeader> {
  const damaged = (cause?: unknown) => new AppError('backup_damaged', { file: name }, { cause });
  const outer = new ByteReader(source);
  const first = await outer.line(magic.length + 12);
  const format = new RegExp(`^${magic} (\\d+)$`).exec(first ?? '')?.[1];
  if (format === undefined) throw new AppError('backup_foreign', { file: name });
  const header = headerShape.safeParse(parseJson((await outer.line(longestLine)) ?? ''));
  if (Number(format) > backupFormat) {
    throw new AppError('backup_newer', { file: name, version: header.data?.version ?? format });
  }
  if (!header.success) throw damaged(header.error);
  await onHeader(header.data);
  const gunzip = createGunzip();
  const feeding = pipeline(outer.rest(), gunzip).then(
    () => undefined,
    (error: unknown) => error,
  );
  try {
    await readEntries(new ByteReader(gunzip), openEntry, onBytes, damaged);
  } catch (error) {
    if (
      error instanceof Error &&
      /^(Z_|ERR_STREAM)/.test((error as NodeJS.ErrnoException).code ?? '')
    )
      throw damaged(error);
    throw error;
  } finally {
    gunzip.destroy();
    await feeding;
    source.destroy();
  }
  return header.data;
}

async function readEntries(
  reader: ByteReader,
  openEntry: OpenEntry,
  onBytes: OnBytes,
  damaged: (cause?: unknown) => AppError,
) {
  let bytes = 0;
  for (let count = 0; ; count++) {
    const described = parseJson((await reader.line(longestLine)) ?? '');
    const end = endShape.safeParse(described);
    if (end.success) {
      if (end.data.entries !== count || (await reader.chunk()) !== undefined) throw damaged();
      return;
    }
    const entry = entryShape.safeParse(described);
    if (!entry.success || !isSafe(entry.data.name)) throw damaged(entry.error);
    await readEntry(reader, entry.data, await openEntry(entry.data.name), damaged, (more) => {
      bytes += more;
      onBytes(bytes);
    });
  }
}

async function readEntry(
  reader: ByteReader,
  entry: Entry,
  sink: EntrySink,
  damaged: () => AppError,
  onMore: OnBytes,
) {
  try {
    const hash = createHash('sha256');
    for (let left = entry.bytes; left > 0; ) {
      const chunk = await reader.chunk(left);
      if (chunk === undefined) throw damaged();
      hash.update(chunk);
      await sink.write(chunk);
      left -= chunk.length;
      onMore(chunk.length);
    }
    if (hash.digest('hex') !== entry.sha256) throw damaged();
    await sink.end();
  } catch (error) {
    await sink.abort?.();
    throw error;
  }
}

/** No entry may be written outside the data folder. */
function isSafe(name: string): boolean {
  if (name === databaseEntry || name === keysEntry) return true;
  const parts = name.split('/');
  return (
    name.startsWith(uploadsPrefix) &&
    parts.every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part))
  );
}

/** Reads lines and bytes of a stream in turns. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #left: Buffer = Buffer.alloc(0);

  constructor(source: Readable) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** Up to `most` bytes; undefined at the end. */
  async chunk(most = Number.POSITIVE_INFINITY): Promise<Buffer | undefined> {
    while (this.#left.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return undefined;
      this.#left = Buffer.from(next.value);
    }
    const taken = this.#left.subarray(0, Math.min(most, this.#left.length));
    this.#left = this.#left.subarray(taken.length);
    return taken;
  }

  /** A line without its end; undefined if none of this length follows. */
  async line(longest: number): Promise<string | undefined> {
    const pieces: Buffer[] = [];
    for (let length = 0; length <= longest; ) {
      const chunk = await this.chunk();
      if (chunk === undefined) return undefined;
      const end = chunk.indexOf(0x0a);
      if (end >= 0) {
        this.#left = Buffer.concat([chunk.subarray(end + 1), this.#left]);
        return Buffer.concat([...pieces, chunk.subarray(0, end)]).toString('utf8');
      }
      pieces.push(chunk);
      length += chunk.length;
    }
    return undefined;
  }

  /** Everything that was not read. */
  async *rest(): AsyncGenerator<Buffer> {
    for (let chunk = await this.chunk(); chunk !== undefined; chunk = await this.chunk())
      yield chunk;
  }
}
