/** Several keys in one channel (docs/rules/routing.md#key-modes). */
import { describe, expect, test } from 'vitest';
import type { ReceivedRequest, TestUpstream } from '../../../support/upstream.ts';
import { errorReply } from '../../../support/upstream.ts';
import { fine, startRelay, upstream } from './relay-support.ts';

const keyOf = (request: ReceivedRequest | undefined) =>
  request?.headers.authorization?.replace('Bearer ', '');
const keysAt = (at: TestUpstream) => at.requests.map((request) => keyOf(request));
const wrongKey = errorReply(401, {
  message: 'Incorrect API key provided',
  type: 'invalid_request_error',
  code: 'invalid_api_key',
});

/** An upstream at which some keys are refused. */
async function pickyUpstream(...refused: string[]) {
  const at = await upstream();
  at.answer((response, request) =>
    (refused.includes(keyOf(request) ?? '') ? wrongKey : fine)(response, request),
  );
  return at;
}

async function oneChannel(
  at: TestUpstream,
  mode: 'random' | 'polling',
  keys = 'key-1\nkey-2\nkey-3',
  retries = 0,
) {
  const relay = await startRelay({ AutomaticDisableChannelEnabled: true, RetryTimes: retries });
  const id = await relay.addChannel(at, {
    key: keys,
    setting: JSON.stringify({ multi_key_mode: mode }),
  });
  return { relay, id, channel: () => relay.operator.channel.get({ id }) };
}

describe('key rotation', () => {
  test('in order', async () => {
    const at = await pickyUpstream();
    const { relay } = await oneChannel(at, 'polling');
    for (let index = 0; index < 4; index++) expect((await relay.chat()).status).toBe(200);
    expect(keysAt(at)).toEqual(['key-1', 'key-2', 'key-3', 'key-1']);
    expect((await relay.route())[0]).toMatchObject({ key: 1, status: 200 });
  });

  test('by chance', async () => {
    const at = await pickyUpstream();
    const { relay } = await oneChannel(at, 'random');
    for (let index = 0; index < 40; index++) await relay.chat();
    expect(new Set(keysAt(at))).toEqual(new Set(['key-1', 'key-2', 'key-3']));
  });

  test('a conversation keeps its key', async () => {
    const at = await pickyUpstream();
    const { relay } = await oneChannel(at, 'polling');
    for (let index = 0; index < 4; index++) await relay.chat({ prompt_cache_key: 'a' });
    expect(new Set(keysAt(at)).size).toBe(1);
  });
});

describe('what was charged through each key', () => {
  test('follows the key when positions change, for today, 30 days and all', async () => {
    const at = await pickyUpstream('key-2');
    const { relay, id } = await oneChannel(at, 'polling', 'key-1\nkey-2\nkey-3', 1);
    const list = async () => (await relay.operator.channelKeys.list({ id })).keys;
    expect(await list()).toMatchObject([1, 2, 3].map(() => ({ spent: 0, spent_today: 0 })));
    // The second request meets the refused key first, and is charged to the one that served it.
    for (let index = 0; index < 4; index++) expect((await relay.chat()).status).toBe(200);
    const { items } = await relay.app.storage.logs.page({}, { offset: 0, limit: 1 });
    const each = items[0]?.quota ?? 0;
    expect(each).toBeGreaterThan(0);
    const [first, refused, third] = await list();
    expect([first?.spent, refused?.spent, third?.spent]).toEqual([2 * each, 0, 2 * each]);
    expect([first?.spent_today, first?.spent_30_days]).toEqual([2 * each, 2 * each]);
    await relay.operator.channelKeys.change({ id, action: 'remove', names: [first?.name ?? ''] });
    const after = await list();
    expect(after.map(({ position, spent }) => [position, spent])).toEqual([
      [1, 0],
      [2, 2 * each],
    ]);
  });

  test('older charges leave today first, then the 30 days', async () => {
    const at = await pickyUpstream();
    const { relay, id } = await oneChannel(at, 'polling');
    const list = async () => (await relay.operator.channelKeys.list({ id })).keys;
    const [key] = await list();
    const now = Math.floor(relay.app.clock.now() / 1000);
    const charge = (days: number, quota: number) => ({
      userId: 1,
      username: 'root',
      channelId: id,
      modelName: 'm',
      tokens: 0,
      quota,
      hour: now - (now % 3600) - days * 86_400,
      keyName: key?.name ?? '',
    });
    await relay.app.storage.quotaData.add([
      charge(0, 1),
      charge(2, 10),
      charge(29, 100),
      charge(31, 1000),
    ]);
    expect((await list())[0]).toMatchObject({
      spent_today: 1,
      spent_30_days: 111,
      spent: 1111,
    });
  });
});

describe('creation and display', () => {
  test('one channel with a mode, one channel per key without; keys are never shown', async () => {
    const at = await pickyUpstream();
    const { relay, channel } = await oneChannel(at, 'polling', ' key-1 \n\n key-2');
    expect(await channel()).toMatchObject({
      key: '',
      multi_key: { mode: 'polling', size: 2, disabled: [] },
    });
    const { ids } = await relay.operator.channel.create({
      name: 'batch',
      type: 1,
      key: 'a\nb',
      models: 'm',
    });
    expect(ids).toHaveLength(2);
    expect((await relay.operator.channel.get({ id: ids[0] ?? 0 })).multi_key).toBeUndefined();
    await expect(
      relay.operator.channel.create({
        name: 'x',
        type: 1,
        key: 'a',
        models: 'm',
        setting: '{"multi_key_mode":"some"}',
      }),
    ).rejects.toMatchObject({ code: 'invalid_parameter' });
  });

  test('keys added later are used; a test uses the first key', async () => {
    const at = await pickyUpstream();
    const { relay, id, channel } = await oneChannel(at, 'polling', 'key-1');
    expect((await channel()).multi_key).toBeUndefined();
    await relay.operator.channel.update({ id, key: 'key-7\nkey-8' });
    expect((await channel()).multi_key?.size).toBe(2);
    expect((await relay.operator.channel.test({ id })).success).toBe(true);
    expect(keysAt(at)).toEqual(['key-7']);
  });
});

describe('a key that is refused', () => {
  test('twice within a minute is disabled alone; the last one disables the channel; enabling restores all', async () => {
    const at = await pickyUpstream('key-1', 'key-2');
    const { relay, id, channel } = await oneChannel(at, 'polling', 'key-1\nkey-2');
    const statuses = async (times: number) => {
      for (let index = 0; index < times; index++) await relay.chat();
    };
    await statuses(3);
    await expect
      .poll(async () => (await channel()).multi_key?.disabled)
      .toMatchObject([
        { position: 1, reason: 'Incorrect API key provided', time: relay.clock.now() / 1000 },
      ]);
    expect((await channel()).status).toBe(1);
    expect((await channel()).other_info).not.toContain('key-1');
    expect(await relay.operator.routes.explain({ model: 'gpt-4o' })).toMatchObject({
      tiers: [{ channels: [{ id, keys: 2, keys_off: 1 }] }],
    });
    await statuses(1);
    await expect.poll(async () => (await channel()).status).toBe(3);
    expect((await channel()).multi_key?.disabled).toHaveLength(2);
    expect(keysAt(at)).toEqual(['key-1', 'key-2', 'key-1', 'key-2']);
    expect((await relay.chat()).status).toBe(503);

    at.answer(fine);
    await relay.operator.channel.update({ id, status: 1 });
    expect((await channel()).multi_key?.disabled).toEqual([]);
    expect((await relay.chat()).status).toBe(200);
  });

  test('is restored when the channel is enabled, even if it was not disabled', async () => {
    const at = await pickyUpstream('key-1');
    const { relay, id, channel } = await oneChannel(at, 'polling', 'key-1\nkey-2');
    for (let index = 0; index < 3; index++) await relay.chat();
    await expect.poll(async () => (await channel()).multi_key?.disabled.length).toBe(1);
    await relay.operator.channel.update({ id, status: 1 });
    expect((await channel()).multi_key?.disabled).toEqual([]);
  });

  test('is followed by the next key of its channel, where retries are allowed', async () => {
    const at = await pickyUpstream('key-1', 'key-2');
    const { relay, id } = await oneChannel(at, 'polling', 'key-1\nkey-2\nkey-3', 2);
    const elsewhere = await upstream();
    await relay.addChannel(elsewhere, { priority: -1 });
    expect((await relay.chat()).status).toBe(200);
    expect((await relay.route()).map(({ channel, key, reason }) => [channel, key, reason])).toEqual(
      [
        [id, 1, 'priority'],
        [id, 2, 'next_key'],
        [id, 3, 'next_key'],
      ],
    );
    expect(elsewhere.requests).toHaveLength(0);
  });
});

test('a key at its limit has a cool-down of its own', async () => {
  const at = await upstream();
  const limited = errorReply(429, { message: 'slow down' }, { 'retry-after': '30' });
  at.answer((response, request) =>
    (keyOf(request) === 'key-1' ? limited : fine)(response, request),
  );
  const { relay } = await oneChannel(at, 'polling', 'key-1\nkey-2', 1);
  for (let index = 0; index < 4; index++) expect((await relay.chat()).status).toBe(200);
  expect(keysAt(at)).toEqual(['key-1', 'key-2', 'key-2', 'key-2', 'key-2']);
});

test('what is broken behind every key is not tried with each of them', async () => {
  const at = await upstream();
  at.answer(errorReply(500, { message: 'boom' }));
  const { relay } = await oneChannel(at, 'polling', 'key-1\nkey-2\nkey-3', 5);
  expect((await relay.chat()).status).toBe(500);
  expect(at.requests).toHaveLength(1);
});

describe('the test of one key', () => {
  const tested = async (refused: string[], keys?: string) => {
    const at = await pickyUpstream(...refused);
    const made = await oneChannel(at, 'polling', keys);
    const api = made.relay.operator.channelKeys;
    const list = async () => (await api.list({ id: made.id })).keys;
    const names = (await list()).map(({ name }) => name);
    const testKey = (position: number) =>
      api.test({ id: made.id, name: names[position - 1] ?? 'none' });
    return { ...made, at, api, list, names, testKey };
  };

  test('uses that key, enabled or not, and changes nothing of the channel', async () => {
    const { at, api, id, channel, names, list, testKey } = await tested(['key-2']);
    expect(await testKey(3)).toMatchObject({ success: true, message: '', at_fault: false });
    const before = await channel();
    const failed = await testKey(2);
    expect(failed).toMatchObject({ success: false, at_fault: true });
    expect(failed.message).toContain('Incorrect API key provided');
    expect(failed.message).not.toContain('key-2');
    expect(keysAt(at)).toEqual(['key-3', 'key-2']);
    expect(await channel()).toEqual(before);
    expect((await list()).every(({ enabled }) => enabled)).toBe(true);
    const [second = ''] = names.slice(1);
    await api.change({ id, action: 'disable', names: [second], reason: failed.message });
    expect((await list())[1]).toMatchObject({ enabled: false, reason: failed.message });
    await testKey(2);
    expect(keysAt(at).at(-1)).toBe('key-2');
    await expect(api.test({ id, name: 'none' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(api.test({ id: 99, name: second })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('says so where not the key is at fault, and tests an only key', async () => {
    const { at, testKey } = await tested([], 'key-1');
    expect((await testKey(1)).success).toBe(true);
    at.answer(errorReply(400, { message: 'no such parameter', type: 'invalid_request_error' }));
    expect(await testKey(1)).toMatchObject({
      success: false,
      message: 'no such parameter',
      at_fault: false,
    });
  });
});
