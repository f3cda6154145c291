import type { Readable } from 'node:stream';
import type { ByteRange } from './byte-range.ts';

/**
 * Where uploads and results are kept. The local folder is the only one built in; another, such as a
 * bucket, implements this.
 */
export interface FileStore {
  /**
   * Receives a file of at most `maxBytes` without a name yet. Nothing of it is left if this throws:
   * AppError file_too_large, storage_full, or what the source throws.
   */
  receive(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Draft>;
  /** Null if there is no such file. The caller closes it. */
  open(path: string): Promise<OpenFile | null>;
  /** Null if there is no such file. */
  read(path: string): Promise<Buffer | null>;
  /** Does nothing if there is no such file. */
  delete(path: string): Promise<void>;
  /**
   * Deletes what a process that died was receiving: drafts that nobody has written to since
   * `before` (Unix milliseconds).
   */
  deleteDrafts(before: number): Promise<number>;
}

/** A file that was received and has no name yet. It is either committed or discarded. */
export interface Draft {
  readonly bytes: number;
  /** The first bytes, at most `length`. */
  head(length: number): Promise<Buffer>;
  read(): Promise<Buffer>;
  /**
   * Gives the file its path, durably and in one step: readers see all of it or nothing. Throws
   * AppError storage_full.
   */
  commit(path: string): Promise<void>;
  /** Does nothing after a commit. */
  discard(): Promise<void>;
}

export interface OpenFile {
  readonly size: number;
  /** The file's bytes, or a part. Reading to the end or destroying the stream closes the file. */
  stream(range?: ByteRange): Readable;
  close(): Promise<void>;
}
