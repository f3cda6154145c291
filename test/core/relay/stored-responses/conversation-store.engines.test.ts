/** Conversations of processes that share a database (docs/rules/responses.md#conversations). */
import { expect, test } from 'vitest';
import { createMemoryCluster } from '../../../../src/core/cluster/memory-cluster.ts';
import { systemIds } from '../../../../src/core/config/system-ids.ts';
import { AppError } from '../../../../src/core/kernel/errors.ts';
import { ConversationStore } from '../../../../src/core/relay/stored-responses/conversation-store.ts';
import type { Storage } from '../../../../src/core/storage/storage.ts';
import { createMovingClock } from '../../../support/moving-clock.ts';
import { forEachEngineInTurn } from '../../../support/storage.ts';

const item = (id: string) => ({ id, type: 'message', role: 'user', content: id });
const anySize = () => undefined;

function setUp({ conversations, storedResponses }: Storage) {
  const clock = createMovingClock(1_700_000_000_000);
  const { leases } = createMemoryCluster(clock);
  const room = { left: 10_000 };
  const responses = {
    takeRoom: async (_userId: number, bytes: number) => {
      room.left -= bytes;
      return room.left >= 0;
    },
    forgetRoom: () => {
      room.left = 10_000;
    },
  };
  const store = new ConversationStore({
    repository: conversations,
    responses,
    leases,
    ids: systemIds,
    clock,
    days: () => 30,
  });
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => (error instanceof AppError ? error.code : error),
    );
  return { clock, store, room, codeOf, sizeOf: (id: number) => storedResponses.sizeOf(id) };
}

forEachEngineInTurn('conversations', (engine) => {
  test('keep their order over pages, and items of one id once', async () => {
    const { store, sizeOf } = setUp(await engine.open());
    const key = await store.create(1, {}, [item('a'), item('b')]);
    await store.add(key, [item('c'), item('a')]);
    expect((await store.read(key, anySize)).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    const page = { limit: 2, order: 'desc' as const };
    const first = await store.list(key, { ...page, after: undefined });
    expect([first.items.map(({ id }) => id), first.hasMore]).toEqual([['c', 'b'], true]);
    const second = await store.list(key, { ...page, after: 'b' });
    expect([second.items.map(({ id }) => id), second.hasMore]).toEqual([['a'], false]);
    const { items, size } = await store.find(key);
    expect([items, size]).toEqual([3, await sizeOf(1)]);
    await store.delete(key);
    expect(await sizeOf(1)).toBe(0);
  });

  test('one whose items have no room is not created', async () => {
    const { store, codeOf, sizeOf } = setUp(await engine.open());
    const items = [{ ...item('a'), content: 'x'.repeat(20_000) }];
    expect(await codeOf(store.create(7, {}, items))).toBe('conversation_not_stored');
    expect(await sizeOf(7)).toBe(0);
  });

  test('take no room for what the database did not take', async () => {
    const storage = await engine.open();
    const { insert, append } = storage.conversations;
    let isDown = true;
    const down = <T>(call: () => Promise<T>): Promise<T> =>
      isDown ? Promise.reject(new Error('gone')) : call();
    const { store, room } = setUp({
      ...storage,
      conversations: {
        ...storage.conversations,
        insert: (...given: Parameters<typeof insert>) => down(() => insert(...given)),
        append: (...given: Parameters<typeof append>) => down(() => append(...given)),
      },
    });
    await expect(store.create(1, { a: 'b' }, [])).rejects.toThrow('gone');
    expect(room.left).toBe(10_000);
    isDown = false;
    const key = await store.create(1, { a: 'b' }, []);
    isDown = true;
    await expect(store.add(key, [item('a')])).rejects.toThrow('gone');
    expect(room.left).toBe(10_000);
  });

  test('a process that lost its lock adds nothing, and those that wait get it in time', async () => {
    const { store, clock, codeOf } = setUp(await engine.open());
    const key = await store.create(1, {}, []);
    const slow = await store.open(key, anySize);
    expect(await codeOf(store.open(key, anySize))).toBe('conversation_locked');
    await clock.moveMinutes(1);
    const other = await store.open(key, anySize);
    await other.append([item('other')]);
    await other.close();
    expect(await codeOf(slow.append([item('slow')]))).toBe('conversation_locked');
    await slow.close();
    expect(await store.read(key, anySize)).toEqual([item('other')]);
  });

  test('are refused without room, and gone when they expire', async () => {
    const { store, clock, codeOf, sizeOf } = setUp(await engine.open());
    const key = await store.create(1, {}, []);
    expect(await codeOf(store.add(key, [item('x'.repeat(10_000))]))).toBe(
      'conversation_not_stored',
    );
    expect(await store.read(key, anySize)).toEqual([]);
    await clock.moveMinutes(31 * 1440);
    expect(await codeOf(store.find(key))).toBe('conversation_not_found');
    await store.purge(new AbortController().signal);
    expect(await sizeOf(1)).toBe(0);
  });
});
