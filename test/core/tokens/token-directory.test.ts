import { describe, expect, test, vi } from 'vitest';
import type { Change } from '../../../src/core/cluster/changes.ts';
import { codeOf, createTestApp } from '../../support/app.ts';

/** A site with a token, and its directory, whose readings of the token each come with a change. */
async function changingSite(changeOf: (id: number) => Change, times = Number.POSITIVE_INFINITY) {
  const site = await createTestApp();
  const { app, clock } = site;
  const { id, key } = await (await site.as(1)).token.create({ name: 't' });
  const { directory } = app.tokens;
  const pauses: number[] = [];
  vi.spyOn(clock, 'sleep').mockImplementation(async (ms) => void pauses.push(ms));
  const find = app.storage.tokens.findByKeyHash;
  let left = times;
  const readings = vi
    .spyOn(app.storage.tokens, 'findByKeyHash')
    .mockImplementation(async (hash) => {
      const token = await find(hash);
      if (left-- > 0) directory.forget(changeOf(id));
      return token;
    });
  return { ...site, directory, key, id, pauses, readings };
}

describe('a caller whose token changes while it is read', () => {
  test.each([
    ['the token', (id: number): Change => ({ kind: 'token', ids: [id, 99] })],
    ['its user', (): Change => ({ kind: 'user', ids: [1] })],
    ['any token', (): Change => ({ kind: 'token', ids: [] })],
  ])(
    'is read again a few times, longer and longer after, and then refused: %s',
    async (_, changeOf) => {
      const { directory, key, pauses, readings, operator } = await changingSite(changeOf);
      expect(await codeOf(Promise.resolve(directory.find(key)))).toBe('token_changing');
      expect(readings).toHaveBeenCalledTimes(6);
      expect(pauses).toEqual([10, 20, 40, 80, 160]);
      expect(await codeOf(operator.log.ofToken({ key }))).toBe('token_changing');
    },
  );

  test('is served once it was read without a change', async () => {
    const { directory, key, id } = await changingSite(
      (changed) => ({ kind: 'token', ids: [changed] }),
      3,
    );
    expect(await directory.find(key)).toMatchObject({ tokenId: id });
    expect(directory.find(key)).toMatchObject({ tokenId: id });
  });

  test.each([
    ['another token', (id: number): Change => ({ kind: 'token', ids: [id + 1] })],
    ['another user', (): Change => ({ kind: 'user', ids: [2] })],
    ['a channel', (): Change => ({ kind: 'channels', ids: [] })],
  ])('is not read again for a change of %s', async (_, changeOf) => {
    const { directory, key, id, readings } = await changingSite(changeOf);
    expect(await directory.find(key)).toMatchObject({ tokenId: id });
    expect(readings).toHaveBeenCalledTimes(1);
  });
});

test('a key that becomes a token while it is looked up is not remembered as unknown', async () => {
  const { directory, readings } = await changingSite(() => ({ kind: 'token', ids: [5] }), 1);
  expect(await directory.find('nobody')).toBeUndefined();
  expect(readings).toHaveBeenCalledTimes(2);
});
