/**
 * The journal of charges (docs/rules/ledger.md#charge-journal): on SQLite a charge is committed by
 * a line in a file, and reaches the tables later, together with many others.
 *
 * There are two files, written in turn from their beginning. While one is written, the charges of
 * the other reach the tables. Lines of an earlier turn stay behind the new ones; their numbers say
 * that they are in the tables. So a file seldom grows, and the disk has to sync nothing but its
 * content.
 */
import { closeSync, fdatasync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { parseJson } from '../../kernel/json.ts';
import type { ChargeSettlement, JournaledCharge } from '../ledger/settlement.ts';

/** A charge with its number in the journal. */
export type NumberedCharge = ChargeSettlement & { readonly sequence: number };

export interface ChargeJournal {
  /**
   * Writes a charge under the next number. Throws where that failed: the journal does not have it
   * then. `committed` rejects where the disk failed: the journal may have it.
   */
  append(charge: ChargeSettlement): {
    readonly charge: JournaledCharge;
    readonly committed: Promise<void>;
  };
  /** The tables have all charges up to this number. */
  release(sequence: number): void;
  /**
   * `isApplied`: the tables have all charges, so the files are removed; else the next start needs
   * them.
   */
  close(isApplied: boolean): void;
}

export interface ChargeJournalOptions {
  /** The database's file. */
  readonly database: string;
  /** Whether charges are on the disk when they are committed (docs/rules/ledger.md#durability). */
  readonly isSynced: boolean;
  /** The last number that was used; the tables have all charges up to it. */
  readonly last: number;
}

interface JournalFile {
  readonly handle: number;
  readonly sync: () => Promise<void>;
  /** Bytes written in this turn. */
  size: number;
  /** The number of the last charge in it. */
  last: number;
}

/** Where nothing has to be synced. */
const done = Promise.resolve();

const filesOf = (database: string): readonly [string, string] => [
  `${database}-charges-0`,
  `${database}-charges-1`,
];

/** Begins an empty journal, in place of one that an earlier process left. */
export function openChargeJournal({
  database,
  isSynced,
  last,
}: ChargeJournalOptions): ChargeJournal {
  const open = (path: string): JournalFile => {
    const handle = openSync(path, 'w', 0o600);
    return { handle, sync: isSynced ? createSharedSync(handle) : () => done, size: 0, last };
  };
  const [first, second] = filesOf(database);
  let current = open(first);
  let other = openNext(current, () => open(second));
  let sequence = last;
  let isOpen = true;

  return {
    append: (settlement) => {
      const { userId, tokenId, amount, windows } = settlement;
      const next = sequence + 1;
      const json = JSON.stringify({ ...settlement, sequence: next });
      current.size += writeAll(current.handle, lineOf(json), current.size);
      sequence = next;
      current.last = next;
      return {
        charge: { kind: 'journaled', sequence, userId, tokenId, amount, windows, json },
        committed: current.sync(),
      };
    },
    release: (upTo) => {
      if (upTo < other.last || current.size === 0) return;
      [current, other] = [other, current];
      current.size = 0;
    },
    close: (isApplied) => {
      if (!isOpen) return; // the handles may belong to other files by now
      isOpen = false;
      for (const { handle } of [current, other]) closeSync(handle);
      if (isApplied) removeJournal(database);
    },
  };
}

/** Leaves no file open where the second cannot be made, as on a full disk. */
function openNext(first: JournalFile, open: () => JournalFile): JournalFile {
  try {
    return open();
  } catch (error) {
    closeSync(first.handle);
    throw error;
  }
}

/**
 * The charges that a journal holds, by their numbers. Those that an earlier turn left are among
 * them. What is no complete line is left out: it was being written when the process or the machine
 * stopped.
 */
export function readJournal(database: string): readonly NumberedCharge[] {
  return filesOf(database)
    .flatMap((path) => readText(path).split('\n'))
    .flatMap((line) => chargeOf(line) ?? [])
    .sort((a, b) => a.sequence - b.sequence);
}

export function removeJournal(database: string): void {
  for (const path of filesOf(database)) rmSync(path, { force: true });
}

/** A checksum, a space and the charge as JSON. */
const lineOf = (json: string): Buffer => Buffer.from(`${checksum(json)} ${json}\n`);

function chargeOf(line: string): NumberedCharge | undefined {
  const json = line.slice(checksumLength + 1);
  return line.slice(0, checksumLength) === checksum(json)
    ? (parseJson(json) as NumberedCharge | undefined)
    : undefined;
}

const checksumLength = 8;
const checksum = (text: string): string => crc32(text).toString(16).padStart(checksumLength, '0');

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Returns how many bytes that were. */
function writeAll(handle: number, bytes: Buffer, position: number): number {
  for (let done = 0; done < bytes.length; )
    done += writeSync(handle, bytes, done, bytes.length - done, position + done);
  return bytes.length;
}

/**
 * Each call waits for a sync that begins after it; calls that come during a sync share the next.
 */
function createSharedSync(handle: number): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const toDisk = () =>
    new Promise<void>((resolve, reject) =>
      fdatasync(handle, (error) => (error === null ? resolve() : reject(error))),
    );
  return () => {
    if (next !== undefined) return next;
    const own = running
      .catch(() => {}) // its callers know
      .then(() => {
        running = own;
        next = undefined;
        return toDisk();
      });
    next = own;
    return own;
  };
}
