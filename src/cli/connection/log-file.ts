/**
 * A log file whose failures do not affect the process. If the disk refuses writes (full, unmounted,
 * read-only), log lines are dropped and counted, and the count is written once writes succeed
 * again. The file is rotated, so that logs cannot fill the disk, which the database may share.
 */
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

export interface LogFileSettings {
  readonly path: string;
  /** Size in bytes at which the file is rotated to `path.1`. */
  readonly maxBytes?: number;
  /** Age in ms at which it is rotated, too; absent: at any. */
  readonly maxAge?: number;
  /** Number of rotated files to keep. */
  readonly kept?: number;
  /** Formats the line that reports how many lines were lost, and why. */
  readonly describeLoss: (lines: number, cause: string) => string;
  /** Unix milliseconds; absent: those of the system. */
  readonly now?: () => number;
}

/** Maximum of buffered bytes for a slow disk; further lines are dropped. */
const maxWaitingBytes = 8 * 1024 * 1024;
/** Milliseconds between two attempts after a failed write. */
const retryAfter = 1000;

export class LogFile {
  readonly #settings: Required<LogFileSettings>;
  #handle: FileHandle | undefined;
  #size = 0;
  /** When the file was made, in Unix milliseconds. */
  #madeAt = 0;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;
  #lost = 0;
  #cause = '';
  #retryAt = 0;

  constructor(settings: LogFileSettings) {
    this.#settings = {
      maxBytes: 64 * 1024 * 1024,
      maxAge: Number.POSITIVE_INFINITY,
      kept: 4,
      now: Date.now,
      ...settings,
    };
    try {
      // users may look for the file before the first line
      closeSync(openSync(settings.path, 'a', 0o600));
    } catch {
      // The first line will fail for the same reason and count as lost.
    }
  }

  /** Writes one line, which includes its line break. Never throws and never blocks. */
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

  /** Writes the buffered lines and closes the file. Resolves even if the write fails. */
  async close(): Promise<void> {
    this.#retryAt = 0;
    while (this.#writing !== undefined) await this.#writing;
    await this.#handle?.close().catch(() => undefined);
    this.#handle = undefined;
  }

  /**
   * Writes the buffered lines synchronously, for the end of the process. One attempt; never throws.
   */
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
      // The process ends: the failure cannot be reported any more.
    }
  }

  async #writeAll(): Promise<void> {
    await Promise.resolve(); // lines of the same turn of the event loop become one write
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

  /**
   * Throws the error of the file system; after that, further attempts fail immediately for a while,
   * without a write.
   */
  async #append(text: Buffer): Promise<void> {
    if (Date.now() < this.#retryAt) throw new Error(this.#cause);
    try {
      this.#handle ??= await this.#open();
      if (this.#size > 0 && this.#isFull(text.length)) {
        await this.#rotate();
        this.#handle = await this.#open();
      }
      await this.#handle.appendFile(text);
      this.#size += text.length;
    } catch (error) {
      this.#retryAt = Date.now() + retryAfter;
      // Reopened at the next attempt: the folder may have been replaced in the meantime.
      await this.#handle?.close().catch(() => undefined);
      this.#handle = undefined;
      throw error;
    }
  }

  #isFull(more: number): boolean {
    const { maxBytes, maxAge, now } = this.#settings;
    return this.#size + more > maxBytes || now() - this.#madeAt >= maxAge;
  }

  async #open(): Promise<FileHandle> {
    const handle = await open(this.#settings.path, 'a+', 0o600);
    try {
      await this.#endHalfLine(handle);
      return handle;
    } catch (error) {
      await handle.close().catch(() => undefined);
      throw error;
    }
  }

  /** A crash or a full disk may have left half a line, which must not take the next one with it. */
  async #endHalfLine(handle: FileHandle): Promise<void> {
    const { size, birthtimeMs } = await handle.stat();
    this.#size = size;
    this.#madeAt = size === 0 ? this.#settings.now() : birthtimeMs;
    if (size === 0) return;
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    if (buffer[0] !== 0x0a) await handle.appendFile('\n');
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
