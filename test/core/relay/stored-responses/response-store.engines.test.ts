/** What the store keeps, and when it is written (docs/rules/responses.md#stored). */
import { expect, test, vi } from 'vitest';
import { silentLogger } from '../../../../src/core/kernel/logger.ts';
import {
  createResponseStore,
  type KeptResponse,
  type ResponseStoreDeps,
} from '../../../../src/core/relay/stored-responses/response-store.ts';
import type { StoredResponseRepository } from '../../../../src/core/storage/storage.ts';
import { createMovingClock } from '../../../support/moving-clock.ts';
import { forEachEngineInTurn } from '../../../support/storage.ts';
import { withUsers } from '../../../support/users.ts';

const anySize = () => undefined;

/** Minutes. */
const day = 1440;

function kept(responseId: string, more: Partial<KeptResponse> = {}): KeptResponse {
  return {
    userId: 1,
    responseId,
    previousId: '',
    conversation: '',
    channelId: 7,
    healthKey: '7.a',
    held: false,
    model: 'm',
    status: 'completed',
    tokens: 10,
    itemIds: [`msg_${responseId}`],
    content: { input: `in ${responseId}`, response: { id: responseId } },
    ...more,
  };
}

function setUp(repository: StoredResponseRepository, more: Partial<ResponseStoreDeps> = {}) {
  const clock = createMovingClock(1_700_000_000_000);
  const store = createResponseStore({
    repository,
    clock,
    logger: silentLogger,
    isShared: false,
    days: () => 30,
    mostBytes: () => 0,
    ...more,
  });
  return { clock, store };
}

forEachEngineInTurn('the store of responses', (engine) => {
  test('is read by its owner at once, whole, and in the order of the conversation', async () => {
    const { storedResponses } = await withUsers(await engine.open());
    const { store } = setUp(storedResponses);
    const long = '模型 '.repeat(500);
    store.keep(
      kept('resp_1', {
        content: { input: [{ role: 'user', content: long }], response: { id: 'resp_1', a: [1] } },
      }),
    );
    store.keep(kept('resp_2', { previousId: 'resp_1' }));
    expect(await store.read(1, 'resp_1')).toEqual({
      input: [{ role: 'user', content: long }],
      response: { id: 'resp_1', a: [1] },
    });
    expect(await store.read(2, 'resp_1')).toBeNull();
    const turns = await store.readConversation(1, 'resp_2', anySize);
    expect(turns.map(({ response }) => response['id'])).toEqual(['resp_1', 'resp_2']);
    expect(await store.readHolding(1, ['msg_resp_2', 'msg_resp_1'], anySize)).toHaveLength(2);
    expect(
      (await storedResponses.readContents(1, ['resp_1'], 'input')).get('resp_1')?.length,
    ).toBeLessThan(long.length / 5);
  });

  test('keeps ids without contents where no days are set or a content is too large', async () => {
    const { storedResponses } = await withUsers(await engine.open());
    let days = 0;
    const { store, clock } = setUp(storedResponses, { days: () => days });
    store.keep(kept('resp_1'));
    days = 2;
    store.keep(kept('resp_2', { content: { input: 'x'.repeat(17 * 1024 * 1024), response: {} } }));
    expect(await store.find(1, 'resp_1')).toMatchObject({
      channelId: 7,
      inputSize: 0,
      responseSize: 0,
    });
    expect(await store.find(1, 'resp_2')).toMatchObject({ inputSize: 0 });
    expect(await store.read(1, 'resp_1')).toBeNull();
    await expect(store.readConversation(1, 'resp_1', anySize)).rejects.toMatchObject({
      code: 'previous_response_not_found',
    });
    await clock.moveMinutes(2 * day);
    expect(await store.find(1, 'resp_1')).not.toBeNull();
    expect(await store.find(1, 'resp_2')).toBeNull();
    await store.purge(new AbortController().signal);
    await clock.moveMinutes(28 * day);
    expect(await store.find(1, 'resp_1')).toBeNull();
  });

  test('keeps ids without contents of a user who has as many bytes as the site allows, until some are deleted', async () => {
    const { storedResponses } = await withUsers(await engine.open());
    const { store } = setUp(storedResponses, { mostBytes: () => 10_000 });
    const content = { input: 'x'.repeat(6000), response: {} };
    for (const id of ['resp_1', 'resp_2']) store.keep(kept(id, { content }));
    store.keep(kept('resp_3', { content, userId: 2 }));
    expect(await store.read(1, 'resp_1')).toEqual(content);
    expect(await store.read(1, 'resp_2')).toBeNull();
    expect(await store.find(1, 'resp_2')).toMatchObject({
      channelId: 7,
      inputSize: 0,
      responseSize: 0,
    });
    expect(await store.read(2, 'resp_3')).toEqual(content);
    await store.delete(1, 'resp_1');
    store.keep(kept('resp_4', { content }));
    expect(await store.read(1, 'resp_4')).toEqual(content);
  });

  test('refuses conversations that are too large, broken, or go round', async () => {
    const { storedResponses } = await withUsers(await engine.open());
    const { store } = setUp(storedResponses);
    const half = { input: 'x'.repeat(6000), response: {} };
    store.keep(kept('resp_1', { content: half }));
    store.keep(kept('resp_2', { content: half, previousId: 'resp_1' }));
    store.keep(kept('resp_3', { previousId: 'resp_gone' }));
    store.keep(kept('resp_4', { previousId: 'resp_4' }));
    await store.find(1, '');
    const refuse = (size: number) => {
      throw new Error(`${size} bytes`);
    };
    await expect(store.readConversation(1, 'resp_2', refuse)).rejects.toThrow('12008 bytes');
    await expect(store.readHolding(1, ['msg_resp_1'], refuse)).rejects.toThrow('2 bytes');
    const lost = { code: 'previous_response_not_found' };
    await expect(store.readConversation(1, 'resp_3', anySize)).rejects.toMatchObject(lost);
    await expect(store.readHolding(1, ['msg_none'], anySize)).rejects.toMatchObject({
      code: 'response_item_not_found',
    });
    await expect(store.readConversation(1, 'resp_4', anySize)).rejects.toMatchObject(lost);
  });
});

test('responses that wait are written together; one that the database refuses is lost alone', async () => {
  const batches: string[][] = [];
  const repository = {
    insertMany: async (rows: readonly { responseId: string }[]) => {
      batches.push(rows.map(({ responseId }) => responseId));
      await new Promise((resolve) => setImmediate(resolve));
      if (rows.some(({ responseId }) => responseId === 'resp_bad')) throw new Error('refused');
    },
  } as unknown as StoredResponseRepository;
  const { store } = setUp(repository);
  store.keep(kept('resp_0'));
  await new Promise((resolve) => setImmediate(resolve));
  for (const id of ['resp_1', 'resp_bad', 'resp_2']) store.keep(kept(id));
  await store.close();
  expect(batches).toEqual([
    ['resp_0'],
    ['resp_1', 'resp_bad', 'resp_2'],
    ['resp_1'],
    ['resp_bad'],
    ['resp_2'],
  ]);
});

test('one that the database refuses takes no room', async () => {
  const sizes: number[] = [];
  let isDown = true;
  const repository = {
    sizeOf: () => Promise.resolve(0),
    insertMany: async (rows: readonly { inputSize: number }[]) => {
      if (isDown) throw new Error('gone');
      for (const { inputSize } of rows) sizes.push(inputSize);
    },
  } as unknown as StoredResponseRepository;
  const { store } = setUp(repository, { mostBytes: () => 10_000 });
  const content = { input: 'x'.repeat(6000), response: {} };
  await store.keep(kept('resp_lost', { content }));
  isDown = false;
  await store.keep(kept('resp_1', { content }));
  await store.keep(kept('resp_2', { content }));
  // The second of those that are kept is beyond the room.
  expect(sizes).toEqual([6002, 0]);
  await store.close();
});

test('a reader waits for the responses that the user has read, not for those that are added later', async () => {
  const own = Promise.withResolvers<void>();
  const others = Promise.withResolvers<void>();
  const repository = {
    insertMany: ([first]: readonly { userId: number }[]) =>
      (first?.userId === 1 ? own : others).promise,
    find: () => Promise.resolve(null),
  } as unknown as StoredResponseRepository;
  const { store } = setUp(repository);
  store.keep(kept('resp_1'));
  const read = store.find(1, 'resp_1');
  await new Promise((resolve) => setImmediate(resolve));
  store.keep(kept('resp_2', { userId: 2 }));
  own.resolve();
  expect(await read).toBeNull();
  others.resolve();
  await store.close();
});

test('whoever keeps a response waits until it is committed or refused, at most five seconds', async () => {
  const commits = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  let calls = 0;
  const repository = {
    insertMany: () => commits[calls++]?.promise,
  } as unknown as StoredResponseRepository;
  const { store } = setUp(repository);
  const states: string[] = [];
  const keep = (id: string) => store.keep(kept(id)).then(() => void states.push(id));
  const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

  const committed = keep('committed');
  await settled();
  expect(states).toEqual([]);
  commits[0]?.resolve();
  await committed;

  const refused = keep('refused');
  await settled();
  commits[1]?.reject(new Error('the disk is full'));
  commits[2]?.reject(new Error('the disk is full'));
  await refused;

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const stalled = keep('stalled');
    await vi.advanceTimersByTimeAsync(4999);
    expect(states).toEqual(['committed', 'refused']);
    await vi.advanceTimersByTimeAsync(1);
    await stalled;
  } finally {
    vi.useRealTimers();
  }
});
