/** Stored responses: who finds them, what they continue, and when they are deleted. */
import { expect, test } from 'vitest';
import type { NewStoredResponse } from '../../../src/core/storage/storage.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';
import { withUsers } from '../../support/users.ts';

function response(responseId: string, more: Partial<NewStoredResponse> = {}): NewStoredResponse {
  return {
    userId: 1,
    responseId,
    previousId: '',
    conversation: '',
    channelId: 7,
    healthKey: '7.abc',
    held: true,
    model: 'gpt-4o',
    status: 'completed',
    tokens: 1500,
    inputSize: 3,
    responseSize: 12,
    createdAt: 100,
    expiresAt: 200,
    input: 'in',
    response: `content of ${responseId}`,
    itemIds: [],
    ...more,
  };
}

forEachEngineInTurn('stored responses', (engine) => {
  test('are found by their owner until they expire', async () => {
    const { storedResponses } = await withUsers(await engine.open());
    const { input, response: content, itemIds, ...row } = response('resp_1');
    await storedResponses.insertMany([
      { input, response: content, itemIds, ...row },
      response('resp_1', { userId: 2, model: 'other' }),
    ]);
    expect(await storedResponses.find(1, 'resp_1', 199)).toEqual(row);
    expect(await storedResponses.find(1, 'resp_1', 200)).toBeNull();
    expect(await storedResponses.find(3, 'resp_1', 100)).toBeNull();
    expect(await storedResponses.readContents(1, ['resp_1', 'resp_2'], 'response')).toEqual(
      new Map([['resp_1', content]]),
    );
    expect(await storedResponses.readContents(1, ['resp_1'], 'input')).toEqual(
      new Map([['resp_1', 'in']]),
    );
    expect(await storedResponses.readContents(3, ['resp_1'], 'response')).toEqual(new Map());
  });

  test('are replaced by a newer one with their id, also within one write', async () => {
    const { storedResponses } = await withUsers(await engine.open());
    await storedResponses.insertMany([response('resp_1', { itemIds: ['msg_1'] })]);
    await storedResponses.insertMany([
      response('resp_1', { input: '', response: '', responseSize: 0 }),
      response('resp_1', { response: 'third', itemIds: ['msg_1', 'msg_1'], held: false }),
    ]);
    expect(await storedResponses.find(1, 'resp_1', 100)).toMatchObject({ held: false });
    expect(await storedResponses.readContents(1, ['resp_1'], 'response')).toEqual(
      new Map([['resp_1', 'third']]),
    );
  });

  test('are listed with what they continue, up to one that was deleted', async () => {
    const { storedResponses } = await withUsers(await engine.open());
    await storedResponses.insertMany([
      response('resp_1', { expiresAt: 1 }),
      response('resp_2', { previousId: 'resp_1' }),
      response('resp_3', { previousId: 'resp_2' }),
      response('resp_3b', { previousId: 'resp_2' }),
      response('resp_1', { userId: 2, previousId: 'resp_3' }),
      // Continues itself: an upstream with ids that are not unique.
      response('resp_x', { previousId: 'resp_x' }),
    ]);
    const chain = async (id: string, limit = 100) =>
      (await storedResponses.listChain(1, id, limit)).map(({ responseId }) => responseId);
    expect(await chain('resp_3')).toEqual(['resp_3', 'resp_2', 'resp_1']);
    expect(await chain('resp_3', 2)).toEqual(['resp_3', 'resp_2']);
    expect(await chain('resp_x', 3)).toEqual(['resp_x', 'resp_x', 'resp_x']);
    expect(await storedResponses.delete(1, 'resp_2')).toBe(true);
    expect(await storedResponses.delete(1, 'resp_2')).toBe(false);
    expect(await chain('resp_3')).toEqual(['resp_3']);
  });

  test('are found by their items', async () => {
    const { storedResponses } = await withUsers(await engine.open());
    await storedResponses.insertMany([
      response('resp_1', { itemIds: ['rs_1', 'msg_1'] }),
      response('resp_2', { itemIds: ['msg_2'], expiresAt: 150 }),
      response('resp_2', { userId: 2, itemIds: ['msg_3'] }),
    ]);
    const find = async (now: number) => {
      const found = await storedResponses.findByItems(
        1,
        ['msg_1', 'rs_1', 'msg_2', 'msg_3', 'none'],
        now,
      );
      return Object.fromEntries([...found].map(([itemId, { responseId }]) => [itemId, responseId]));
    };
    expect(await find(100)).toEqual({ rs_1: 'resp_1', msg_1: 'resp_1', msg_2: 'resp_2' });
    expect(await find(160)).toEqual({ rs_1: 'resp_1', msg_1: 'resp_1' });
    await storedResponses.delete(1, 'resp_1');
    expect(await find(160)).toEqual({});
  });

  test('are deleted after they expired, in bounded steps, and not before those that continue them', async () => {
    const { storedResponses } = await withUsers(await engine.open());
    await storedResponses.insertMany([
      response('resp_1', { expiresAt: 10 }),
      response('resp_2', { expiresAt: 20, previousId: 'resp_1' }),
      response('resp_3', { expiresAt: 500, previousId: 'resp_2' }),
      response('resp_4', { expiresAt: 30 }),
      response('resp_5', { expiresAt: 31, previousId: 'resp_5' }),
    ]);
    expect(await storedResponses.purge(100, 1)).toBe(1);
    expect(await storedResponses.purge(100, 10)).toBe(1);
    expect(await storedResponses.purge(100, 10)).toBe(0);
    expect(await storedResponses.listChain(1, 'resp_3', 10)).toHaveLength(3);
    for (const left of [2, 1, 0]) {
      expect(await storedResponses.purge(500, 10)).toBe(1);
      expect(
        await storedResponses.listChain(1, ['', 'resp_1', 'resp_2'][left] ?? '', 10),
      ).toHaveLength(left);
    }
  });

  test.each(['softDelete', 'delete'] as const)(
    'expire with their account, as conversations do: %s',
    async (deletion) => {
      const { users, storedResponses, conversations } = await withUsers(await engine.open());
      const [userId, other] = [1, 2];
      const key = { userId, conversationId: 'conv_1' };
      await storedResponses.insertMany([
        response('resp_1', { userId }),
        response('resp_2', { userId: other }),
      ]);
      await conversations.insert({ ...key, metadata: '{}', createdAt: 1, expiresAt: 200 });
      await users[deletion](userId, 5);
      expect(await storedResponses.find(userId, 'resp_1', 100)).toBeNull();
      expect(await storedResponses.find(other, 'resp_2', 100)).not.toBeNull();
      expect(await conversations.find(key, 100)).toBeNull();
      expect([await storedResponses.purge(100, 9), await conversations.purge(100, 9)]).toEqual([
        1, 1,
      ]);
    },
  );
});
