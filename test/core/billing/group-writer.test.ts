/** Group commit: who is written together, who waits for how long, and what is left. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AfterFailure, createGroupWriter } from '../../../src/core/billing/group-writer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Attempts wait until the test ends them. */
function open(patience?: { readonly limit: number; readonly grace: number }) {
  let now = 0;
  const attempts: { items: readonly string[]; end: (failure?: AfterFailure | 'throw') => void }[] =
    [];
  const late: [string, boolean][] = [];
  /** What callers got, and what was reported as written before. */
  const ended: string[] = [];
  const writer = createGroupWriter<string, string>({
    commit: (items) =>
      new Promise((resolve, reject) => {
        const end = (failure?: AfterFailure | 'throw') =>
          failure === undefined ? resolve(items.map((item) => `${item} written`)) : reject(failure);
        attempts.push({ items, end });
      }),
    onCommitted: (items, results) => void ended.push(`${items.join()}: ${results.join()}`),
    onFailure: async (failure) => {
      if (failure === 'throw') throw new Error('a fault');
      return failure as AfterFailure;
    },
    ...(patience && {
      patience: {
        ...patience,
        clock: { now: () => now },
        onLate: (item: string, isDropped: boolean) => {
          late.push([item, isDropped]);
          return new Error(isDropped ? 'dropped' : 'unknown');
        },
      },
    }),
  });
  const write = (item: string): void =>
    void writer
      .write(item)
      .catch((error: Error) => error.message ?? error)
      .then((result) => ended.push(result));
  /** Lets what is ready run. */
  const turn = () => vi.advanceTimersByTimeAsync(0);
  const end = async (failure?: AfterFailure | 'throw') => {
    attempts.at(-1)?.end(failure);
    await turn();
  };
  const look = () => vi.advanceTimersByTimeAsync(1000);
  const groups = () => attempts.map(({ items }) => items.join(''));
  const pass = (ms: number) => (now += ms);
  return { writer, write, turn, end, look, groups, late, pass, ended: () => ended.splice(0) };
}

describe('groups', () => {
  it('are what arrived in one moment, then what arrived while they were written', async () => {
    const { writer, write, turn, end, groups, ended } = open();
    expect(writer.unwritten()).toEqual([]);
    write('a');
    write('b');
    await turn();
    write('c');
    writer.add('d');
    write('e');
    expect(groups()).toEqual(['ab']);
    expect(writer.waiting()).toBe(2);
    expect(writer.unwritten()).toEqual(['a', 'b', 'c', 'd', 'e']);
    await end();
    expect(ended()).toEqual(['a,b: a written,b written', 'a written', 'b written']);
    expect(groups()).toEqual(['ab', 'cde']);
    expect(writer.unwritten()).toEqual(['c', 'd', 'e']);
    await end();
    expect(ended().slice(1)).toEqual(['c written', 'e written']);
    expect(writer.unwritten()).toEqual([]);
    expect(writer.flush()).toBeUndefined();
    // The item that nobody waits for went with them.
    await vi.advanceTimersByTimeAsync(2000);
    expect(groups()).toHaveLength(2);
  });

  it('are drained with what is queued meanwhile, flushed without it', async () => {
    const { writer, write, turn, end, groups } = open();
    const done: string[] = [];
    const note = (what: string) => () => void done.push(what);
    writer.add('a');
    void writer.flush()?.then(note('flushed'));
    void writer.drain().then(note('drained'));
    await turn();
    expect([done, groups()]).toEqual([[], ['a']]);
    write('b');
    await end();
    expect([done, groups()]).toEqual([['flushed'], ['a', 'b']]);
    await end();
    expect(done).toEqual(['flushed', 'drained']);
  });

  it('of items that nobody waits for begin after two seconds, or at once with the 64th', async () => {
    const { writer, groups, end } = open();
    writer.add('a');
    await vi.advanceTimersByTimeAsync(1000);
    writer.add('b');
    await vi.advanceTimersByTimeAsync(999);
    expect(groups()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(groups()).toEqual(['ab']);
    await end();
    for (let count = 0; count < 63; count += 1) writer.add('x');
    await vi.advanceTimersByTimeAsync(0);
    expect(groups()).toHaveLength(1);
    writer.add('y');
    await vi.advanceTimersByTimeAsync(0);
    expect(groups().at(-1)).toBe(`${'x'.repeat(63)}y`);
    await end();
    // The timer of the first of them went with the group.
    expect(vi.getTimerCount()).toBe(0);
  });

  it('whose failure cannot be handled are rejected, and the next is written', async () => {
    const { write, turn, end, ended } = open();
    write('a');
    await turn();
    write('b');
    await end('throw');
    expect(ended()).toEqual(['a fault']);
    await end();
    expect(ended()).toContain('b written');
  });

  it('are rejected as a whole where dividing them does not help, also what nobody waits for', async () => {
    const { writer, write, turn, end, groups, ended } = open();
    for (const failure of ['reject', 'throw'] as const) {
      writer.add('a');
      write('b');
      await turn();
      await end(failure);
      expect(ended()).toEqual([failure === 'throw' ? 'a fault' : failure]);
      expect(writer.unwritten()).toEqual([]);
    }
    expect(groups()).toEqual(['ab', 'ab']);
  });

  it('that fail are written again as they are, by halves, or not at all', async () => {
    const { writer, write, turn, end, groups, ended } = open();
    ['a', 'b', 'c'].map(write);
    await turn();
    for (const failure of ['retry', 'repeat', 'divide'] as const) await end(failure);
    await end('divide');
    await end('reject');
    await end();
    expect(writer.unwritten()).toEqual(['c']);
    await end('divide');
    expect(groups()).toEqual(['abc', 'abc', 'abc', 'ab', 'a', 'b', 'c']);
    expect(ended()).toEqual(['reject', 'b: b written', 'b written', 'divide']);
    expect(writer.unwritten()).toEqual([]);
  });
});

describe('patience', () => {
  const patience = { limit: 100, grace: 50 };

  it('ends with the limit: between attempts, and while another group is written', async () => {
    const { writer, write, turn, end, look, groups, late, pass, ended } = open(patience);
    write('a');
    writer.add('b');
    await turn();
    pass(50);
    write('c');
    pass(49);
    await end('retry');
    expect(late).toEqual([]);
    pass(1);
    await end('retry');
    expect(ended()).toEqual(['dropped']);
    expect(writer.unwritten()).toEqual(['b', 'c']);
    await look();
    expect(late).toEqual([['a', true]]);
    pass(50);
    await look();
    expect(ended()).toEqual(['dropped']);
    // Nobody waits for the other one.
    expect(writer.unwritten()).toEqual(['b']);
    await end();
    expect(groups()).toEqual(['ab', 'ab', 'b']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has some grace for an attempt that does not end, and is told once', async () => {
    const { writer, write, turn, end, look, late, pass, ended } = open(patience);
    write('a');
    writer.add('b');
    await turn();
    pass(149);
    await look();
    expect(late).toEqual([]);
    pass(1);
    await look();
    await look();
    expect(ended()).toEqual(['unknown']);
    expect(late).toEqual([['a', false]]);
    await end('retry');
    expect(writer.unwritten()).toEqual(['a', 'b']);
    await end();
    expect(late).toHaveLength(1);
  });

  it('is shorter from the time on when it hurries, and never longer', async () => {
    const { writer, write, turn, end, late, pass, ended } = open(patience);
    pass(10);
    write('a');
    await turn();
    writer.hurry(20);
    writer.hurry(1000);
    pass(19);
    await end('retry');
    expect(late).toEqual([]);
    pass(1);
    await end('retry');
    expect(ended()).toEqual(['dropped']);
  });

  it('is nothing that items without a caller need: they are written however long it takes', async () => {
    const { writer, turn, end, look, late, pass } = open(patience);
    writer.add('a');
    void writer.flush();
    await turn();
    writer.add('b');
    writer.hurry(0);
    pass(1000);
    await look();
    await end('retry');
    expect([late, writer.unwritten()]).toEqual([[], ['a', 'b']]);
    await end();
  });

  it('without it nobody is late', async () => {
    const { writer, write, turn, end, ended } = open();
    write('a');
    await turn();
    writer.hurry(0);
    expect(vi.getTimerCount()).toBe(0);
    await end('retry');
    await end();
    expect(ended()).toContain('a written');
  });
});
