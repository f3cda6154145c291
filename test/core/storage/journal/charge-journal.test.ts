import fs, {
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  openChargeJournal,
  readJournal,
} from '../../../../src/core/storage/journal/charge-journal.ts';
import { chargeOf } from './charges.ts';

const { writeSync, fdatasync } = fs;
let folder = '';
let database = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-journal-'));
  database = join(folder, 'test.db');
});
afterEach(() => {
  standIn({ writeSync, fdatasync });
  rmSync(folder, { recursive: true, force: true });
});

function standIn(functions: object): void {
  Object.assign(fs, functions);
  syncBuiltinESMExports();
}

const open = (isSynced = false, last = 0) => openChargeJournal({ database, isSynced, last });
const file = (number: 0 | 1): string => `${database}-charges-${number}`;
const stored = () =>
  readJournal(database).map(({ sequence, requestId }) => `${sequence} ${requestId}`);

test('holds what was appended, in private files that go when it is closed', async () => {
  const journal = open();
  const hostile = chargeOf(1, 'a\nb', 5, '"}\n00000000 {"kind":"charge"}\n\u2028 \ud800 金额');
  const { charge, committed } = journal.append(hostile);
  await committed;
  const numbered = JSON.parse(JSON.stringify({ ...hostile, sequence: 1 }));
  expect({ ...charge, json: JSON.parse(charge.json) }).toEqual({
    kind: 'journaled',
    sequence: 1,
    userId: 1,
    tokenId: 0,
    amount: 5,
    json: numbered,
  });
  expect(readJournal(database)).toEqual([numbered]);
  expect(statSync(file(0)).mode & 0o777).toBe(0o600);
  expect(statSync(file(1)).mode & 0o777).toBe(0o600);
  journal.close(true);
  expect(readJournal(database)).toEqual([]);
  expect(fs.readdirSync(folder)).toEqual([]);
});

test('goes on with the numbers, in place of what an earlier process left', () => {
  open().append(chargeOf(1, 'a'));
  open(false, 7).append(chargeOf(1, 'b'));
  expect(stored()).toEqual(['8 b']);
});

test('writes a file anew once its charges are in the tables, and has every charge that is not', () => {
  const journal = open();
  let applied = 0;
  for (let number = 1; number <= 2000; number += 1) {
    journal.append(chargeOf(1, `r${number}`));
    // The tables lag by up to 60 charges.
    if (number % 30 === 0) {
      const upTo = number - 30;
      for (applied += 1; applied <= upTo; applied += 1) journal.release(applied);
      applied = upTo;
    }
    const left = readJournal(database).filter(({ sequence }) => sequence > applied);
    if (number % 7 === 0)
      expect(left.map(({ sequence }) => sequence)).toEqual(numbers(applied + 1, number));
  }
  expect(statSync(file(0)).size + statSync(file(1)).size).toBeLessThan(150_000);
});

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('loses nothing but the line that is cut off or damaged', () => {
  const journal = open();
  const ends = ['a', 'b', 'c'].map((id) => {
    journal.append(chargeOf(1, id));
    return statSync(file(0)).size;
  });
  const bytes = readFileSync(file(0));
  const [first = 0, second = 0, third = 0] = ends;
  for (let size = second; size < third - 1; size += 7) {
    truncateSync(file(0), size);
    expect(stored()).toEqual(['1 a', '2 b']);
    writeFileSync(file(0), bytes);
  }
  for (let place = first; place < second - 1; place += 11) {
    const damaged = Buffer.from(bytes);
    damaged[place] = (damaged[place] ?? 0) ^ 1;
    writeFileSync(file(0), damaged);
    expect(stored()).toEqual(['1 a', '3 c']);
  }
});

test('a write that fails half-way commits nothing, and the next one takes its place', async () => {
  const journal = open();
  let isFull = true;
  standIn({
    writeSync: (
      handle: number,
      bytes: Buffer,
      offset: number,
      length: number,
      position: number,
    ) => {
      if (isFull && offset > 0) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      return writeSync(handle, bytes, offset, Math.ceil(length / 2), position);
    },
  });
  expect(() => journal.append(chargeOf(1, 'a'))).toThrow('no space left');
  expect(stored()).toEqual([]);
  isFull = false;
  await journal.append(chargeOf(1, 'b')).committed;
  expect(stored()).toEqual(['1 b']);
});

test('with durability full, charges wait for a sync that began after they were written, and share it', async () => {
  const journal = open(true);
  const ends: ((error: Error | null) => void)[] = [];
  standIn({ fdatasync: (_handle: number, done: (error: Error | null) => void) => ends.push(done) });
  const committed: string[] = [];
  const append = (id: string) =>
    journal.append(chargeOf(1, id)).committed.then(
      () => committed.push(id),
      (error: Error) => committed.push(`${id}: ${error.message}`),
    );
  const first = append('a');
  await expect.poll(() => ends.length).toBe(1);
  const others = [append('b'), append('c')];
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(ends).toHaveLength(1);
  ends[0]?.(null);
  await first;
  expect(committed).toEqual(['a']);
  await expect.poll(() => ends.length).toBe(2);
  ends[1]?.(new Error('input/output error'));
  await Promise.all(others);
  expect(committed).toEqual(['a', 'b: input/output error', 'c: input/output error']);
  const last = append('d');
  await expect.poll(() => ends.length).toBe(3);
  ends[2]?.(null);
  await last;
  expect(committed.at(-1)).toBe('d');
});
