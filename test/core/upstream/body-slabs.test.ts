import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type BodySlab, SlabPool } from '../../../src/core/upstream/body-slabs.ts';
import { createUpstream } from '../../../src/core/upstream/send.ts';
import { startUpstream } from '../../support/upstream.ts';

const kilobyte = 1024;
const megabyte = 1024 * 1024;

function taken(pool: SlabPool, bytes: number): BodySlab {
  return pool.take(bytes) ?? expect.fail('no slab');
}

/** A connection with this many bytes that the kernel has not taken yet. */
function socketWith(writableLength: number, alpnProtocol: string | false = false) {
  return { writableLength, alpnProtocol } as Socket & { alpnProtocol: string | false };
}

describe('slabs', () => {
  afterEach(() => vi.useRealTimers());

  it('hold a body of their size or up to a fifth less', () => {
    const pool = new SlabPool();
    for (const bytes of [16 * kilobyte, 16 * kilobyte + 1, 100_000, megabyte, 8 * megabyte]) {
      const { size } = taken(pool, bytes);
      expect(size).toBeGreaterThanOrEqual(bytes);
      expect(size).toBeLessThanOrEqual(bytes * 1.25);
    }
  });

  it('are not made for small bodies and for very large ones', () => {
    const pool = new SlabPool();
    expect([pool.take(16 * kilobyte - 1), pool.take(8 * megabyte + 1)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('are used again when nothing was sent, and when every socket has passed the bytes on', () => {
    const pool = new SlabPool();
    const slab = taken(pool, 100_000);
    pool.give(slab);
    expect(pool.take(100_000)).toBe(slab);
    for (const socket of [socketWith(0), socketWith(0)]) {
      slab.sending();
      slab.written(socket);
    }
    pool.give(slab);
    expect(pool.take(99_000)).toBe(slab);
  });

  it.each([
    ['a socket still holds bytes', [socketWith(0), socketWith(1)]],
    ['a request was never written', [undefined, socketWith(0)]],
    ['a session of HTTP/2 took them', [socketWith(0, 'h2')]],
  ])('are dropped when %s', (_, sockets) => {
    const pool = new SlabPool();
    const slab = taken(pool, 100_000);
    for (const socket of sockets) {
      slab.sending();
      if (socket !== undefined) slab.written(socket);
    }
    pool.give(slab);
    expect(pool.freeBytes).toBe(0);
    expect(pool.take(100_000)).not.toBe(slab);
  });

  it('are kept up to 64 MB, and dropped when they were not needed for a while', () => {
    vi.useFakeTimers();
    const pool = new SlabPool();
    const slabs = Array.from({ length: 20 }, () => taken(pool, 4 * megabyte));
    for (const slab of slabs) pool.give(slab);
    expect(pool.freeBytes).toBe(64 * megabyte);
    vi.advanceTimersByTime(5000);
    // Four are needed at once from now on.
    for (let second = 0; second < 20; second++) {
      const used = Array.from({ length: 4 }, () => taken(pool, 4 * megabyte));
      vi.advanceTimersByTime(1000);
      for (const slab of used) pool.give(slab);
    }
    expect(pool.freeBytes).toBe(16 * megabyte);
    vi.advanceTimersByTime(15_000);
    expect(pool.freeBytes).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are used again after a request through a connection pool', async () => {
    const server = await startUpstream();
    const upstream = createUpstream();
    const pool = new SlabPool();
    try {
      for (let turn = 0; turn < 2; turn++) {
        const slab = taken(pool, 100_000);
        const body = slab.first(100_000).fill(turn === 0 ? 'a' : 'b');
        const request = {
          method: 'POST',
          url: server.url,
          headers: {},
          body,
          firstByteTimeout: 0,
          idleTimeout: 0,
        } as const;
        expect((await upstream.collect(request, megabyte)).status).toBe(200);
        pool.give(slab);
        expect(pool.freeBytes).toBe(slab.size);
      }
      expect(server.requests.map(({ text }) => [...new Set(text)])).toEqual([['a'], ['b']]);
    } finally {
      await upstream.close();
      await server.close();
    }
  });
});
