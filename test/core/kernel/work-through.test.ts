import { expect, it } from 'vitest';
import { workThrough } from '../../../src/core/kernel/work-through.ts';

const bad = new Set([1, 2, 3, 6]);

function table() {
  const rows = new Set([1, 2, 3, 4, 5, 6, 7, 8]);
  const failed: unknown[] = [];
  const seen: number[] = [];
  return {
    ...{ rows, failed, seen, batch: 2 },
    read: async (limit: number, passed: number) => [...rows].slice(passed, passed + limit),
    work: async (row: number) => {
      seen.push(row);
      if (bad.has(row)) throw new Error(`row ${row}`);
      // One that somebody else works on stays.
      return row === 5 ? false : rows.delete(row);
    },
    note: (_: unknown, row: number) => void failed.push(row),
  };
}

it('works on each row once, however many fail or stay before it', async () => {
  const { note, ...of } = table();
  await workThrough({ ...of, failed: note });
  expect(of.seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(of.failed).toEqual([...bad]);
  expect([...of.rows]).toEqual([1, 2, 3, 5, 6]);
});

it('ends with its signal', async () => {
  const { note, ...of } = table();
  const stop = new AbortController();
  const work = async (row: number) => {
    if (row === 4) stop.abort(new Error('stopped'));
    return of.work(row);
  };
  await expect(workThrough({ ...of, work, failed: note, signal: stop.signal })).rejects.toThrow(
    'stopped',
  );
  expect(of.seen).toEqual([1, 2, 3, 4]);
});
