/**
 * A log file that never harms the process that writes it. A disk that refuses (full, unmounted, read-only) costs log lines
 * and nothing else: they are dropped and counted, and the count is written once the disk accepts again. The file is rotated,
 * so that logs cannot fill the disk that the database may share.
 */
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

export interface LogFileSettings {
  readonly path: string;
  /** Bytes of a file before it is rotated to `path.1`. */
  readonly maxBytes?: number;
  /** Rotated files that are kept. */
  readonly kept?: number;
  /** The line that says how many lines were lost, and why. */
  readonly describeLoss: (lines: number, cause: string) => string;
}

/** Bytes of lines that wait for a slow disk; more are dropped. */
const maxWaitingBytes = 8 * 1024 * 1024;
/** Milliseconds between two attempts on a disk that refuses. */
const retryAfter = 1000;

export class LogFile {
  readonly #settings: Required<LogFileSettings>;
  #handle: FileHandle | undefined;
  #size = 0;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;
  #lost = 0;
  #cause = '';
  #retryAt = 0;

  constructor(settings: LogFileSettings) {
    this.#settings = { maxBytes: 64 * 1024 * 1024, kept: 4, ...settings };
    try {
      closeSync(openSync(settings.path, 'a', 0o600)); // people look for the file before there is a line
    } catch {
      // The first line will meet the same problem and count as lost.
    }
  }

  /** One line, its line end included. Never throws and never blocks. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#waitingBytes + bytes > maxWaitingBytes) {
      this.#lost += 1;
      this.#cause ||= 'the disk is too slow';
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += bytes;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Writes what waits and closes the file. Resolves even if the disk refuses. */
  async close(): Promise<void> {
    this.#retryAt = 0;
    while (this.#writing !== undefined) await this.#writing;
    await this.#handle?.close().catch(() => undefined);
    this.#handle = undefined;
  }

  /** Writes what waits at once, for the moment the process ends. One attempt; never throws. */
  closeNow(): void {
    if (this.#waiting.length === 0) return;
    const text = this.#takeWaiting();
    try {
      const descriptor = openSync(this.#settings.path, 'a', 0o600);
      try {
        writeSync(descriptor, text);
      } finally {
        closeSync(descriptor);
      }
    } catch {
      // Nothing is left that could be told about it.
    }
  }

  async #writeAll(): Promise<void> {
    await Promise.resolve(); // lines of the same turn become one write
    while (this.#waiting.length > 0) {
      const lines = this.#waiting.length;
      const loss = this.#lost === 0 ? '' : this.#settings.describeLoss(this.#lost, this.#cause);
      const text = Buffer.from(loss + this.#takeWaiting());
      try {
        await this.#append(text);
        if (loss !== '') {
          this.#lost = 0;
          this.#cause = '';
        }
      } catch (error) {
        this.#lost += lines;
        this.#cause = error instanceof Error ? error.message : String(error);
      }
    }
  }

  #takeWaiting(): string {
    const text = this.#waiting.join('');
    this.#waiting = [];
    this.#waitingBytes = 0;
    return text;
  }

  /** Throws what the file system throws; the next attempts then fail at once for a while, without asking the disk. */
  async #append(text: Buffer): Promise<void> {
    if (Date.now() < this.#retryAt) throw new Error(this.#cause);
    try {
      if (this.#handle !== undefined && this.#size + text.length > this.#settings.maxBytes) await this.#rotate();
      this.#handle ??= await this.#open();
      await this.#handle.appendFile(text);
      this.#size += text.length;
    } catch (error) {
      this.#retryAt = Date.now() + retryAfter;
      // Opened again at the next attempt: the folder may have been replaced meanwhile.
      await this.#handle?.close().catch(() => undefined);
      this.#handle = undefined;
      throw error;
    }
  }

  async #open(): Promise<FileHandle> {
    const handle = await open(this.#settings.path, 'a', 0o600);
    this.#size = (await handle.stat()).size;
    return handle;
  }

  async #rotate(): Promise<void> {
    const { path, kept } = this.#settings;
    await this.#handle?.close();
    this.#handle = undefined;
    rmSync(`${path}.${kept}`, { force: true });
    for (let number = kept - 1; number >= 0; number -= 1) {
      const from = number === 0 ? path : `${path}.${number}`;
      try {
        renameSync(from, `${path}.${number + 1}`);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }
}
