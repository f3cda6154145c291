// Covers src/core/billing/memory-ledger.ts.
/** How the ledger of one process ends, and what it proves of its tables. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { charge, codeOf, holdFor } from './ledger-support.ts';
import { full, journalOf, open, refused } from './memory-ledger-bench.ts';
import { headOf, soundBooks } from './sound-books.ts';

afterEach(() => void vi.useRealTimers());

describe('the end', () => {
  it('removes the journal and notes the newest links once all is written', async () => {
    const { journal, closed } = journalOf();
    const notes: string[] = [];
    const noted = { read: () => undefined, note: async () => void notes.push('noted') };
    const { ledger, written } = open({ journal, noted });
    await ledger.settle(await ledger.hold(holdFor(1, 0, 100)), charge(40));
    expect(ledger.queue()).toEqual({ waiting: 0, stalled: false });
    await ledger.close();
    expect([written.length, closed, notes]).toEqual([1, [true], ['noted']]);
    await ledger.noteHead();
    expect(notes).toHaveLength(2);
    const plain = open().ledger;
    await plain.noteHead();
    await plain.drain();
    await plain.close();
  });

  it('writes what is committed when it is drained', async () => {
    const { journal } = journalOf();
    const { ledger, written } = open({ journal });
    await ledger.settle(await ledger.hold(holdFor(1, 0, 100)), charge(40));
    await ledger.drain();
    expect(written).toHaveLength(1);
  });

  it('keeps the journal, and notes nothing, where the tables cannot be written', async () => {
    const { journal, closed } = journalOf();
    const notes: string[] = [];
    const noted = { read: () => undefined, note: async () => void notes.push('noted') };
    const { ledger, state } = open({ journal, noted });
    await ledger.settle(await ledger.hold(holdFor(1, 0, 100)), charge(40));
    state.failure = full;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const closing = ledger.close();
    await vi.advanceTimersByTimeAsync(10_000);
    await closing;
    expect([closed, notes]).toEqual([[false], []]);
  });

  it('proves the books once all is written, with what was noted', async () => {
    const { journal } = journalOf();
    const noted = {
      read: () => headOf(7),
      note: async () => {},
    };
    const { ledger, written } = open({ journal, noted, storage: soundBooks as never });
    await ledger.settle(await ledger.hold(holdFor(1, 0, 100)), charge(40));
    expect(await ledger.verify()).toMatchObject({ ok: true, chain: { notedAt: 7 } });
    expect(written).toHaveLength(1);
    const { ledger: plain } = open({ storage: soundBooks as never });
    expect(await plain.verify()).toMatchObject({ ok: true, chain: { notedAt: null } });
  });

  it('proves nothing while the tables cannot be written', async () => {
    const { journal } = journalOf();
    const { ledger, state } = open({ journal, storage: soundBooks as never });
    await ledger.settle(await ledger.hold(holdFor(1, 0, 100)), charge(40));
    state.failure = full;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const verified = codeOf(ledger.verify());
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await verified).toBe('ledger_unavailable');
    state.failure = undefined;
    await ledger.drain();
  });

  it('proves nothing of tables that are not written any more', async () => {
    const { ledger } = open({ refusal: () => refused });
    expect(await codeOf(ledger.verify())).toBe('database_replaced');
  });
});
