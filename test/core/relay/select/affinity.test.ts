import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createMemoryCluster } from '../../../../src/core/cluster/memory-cluster.ts';
import { readBody } from '../../../../src/core/relay/body/body-fields.ts';
import { Affinity } from '../../../../src/core/relay/select/affinity.ts';
import { affinityKey, modelFamily } from '../../../../src/core/relay/select/affinity-key.ts';
import type { Caller } from '../../../../src/core/tokens/token-directory.ts';
import type { UpstreamChannel } from '../../../../src/core/upstream/channel.ts';
import { createTestClock } from '../../../support/app.ts';

function bodyOf(text: string) {
  const body = readBody(Buffer.from(text));
  if (body === null) throw new Error('no body');
  return body;
}
const keyOf = (fields: object, headers: Record<string, string> = {}) =>
  affinityKey(headers, bodyOf(JSON.stringify(fields)));

describe('the key of a conversation', () => {
  const userId = (session: string) =>
    JSON.stringify({ device_id: 'd', account_uuid: '', session_id: session });
  test.each([
    ['Claude Code', { metadata: { user_id: userId('s-1') } }, 's-1'],
    ['older Claude Code', { metadata: { user_id: 'user_ab12_account_cd_session_ef-34' } }, 'ef-34'],
    ['a plain user id', { metadata: { user_id: 'someone' } }, 'someone'],
    ['JSON without a session', { metadata: { user_id: '{"device_id":"d"}' } }, '{"device_id":"d"}'],
    ['a prompt cache key', { prompt_cache_key: 'pck', metadata: { user_id: 'someone' } }, 'pck'],
    ['nothing', { metadata: { user_id: '' }, prompt_cache_key: '' }, undefined],
    ['other kinds of values', { metadata: 'text', prompt_cache_key: 7 }, undefined],
  ])('of %s', (_, fields, expected) => {
    expect(keyOf(fields)).toBe(expected);
  });

  test.each(['x-claude-code-session-id', 'session-id', 'x-session-affinity'])(
    'from the header %s, before the body',
    (name) => {
      expect(keyOf({ prompt_cache_key: 'body' }, { [name]: 'head' })).toBe('head');
    },
  );

  test('a long one is stored as a hash', () => {
    const long = keyOf({ prompt_cache_key: 'x'.repeat(100_000) });
    expect(long).toHaveLength(43);
    expect(keyOf({ prompt_cache_key: 'y'.repeat(100_000) })).not.toBe(long);
  });

  test('of a large body, found without parsing all of it', () => {
    const messages = `[{"role":"user","content":"${'long text '.repeat(20_000)}"}]`;
    const metadata = JSON.stringify({ user_id: userId('s-2') });
    expect(affinityKey({}, bodyOf(`{"messages":${messages},"metadata":${metadata}}`))).toBe('s-2');
    // A malformed body yields no key and does not throw.
    expect(
      affinityKey({}, bodyOf(`{"messages":${messages},"metadata":{"user_id":tru}}`)),
    ).toBeUndefined();
  });
});

test.each([
  ['claude-opus-4-6', 'claude'],
  ['anthropic/claude-3-5-haiku', 'claude'],
  ['GPT-5.1-codex', 'gpt'],
  ['o3-mini', 'o'],
  ['01-ai', '01-ai'],
])('%s is of the family %s', (model, family) => {
  expect(modelFamily(model)).toBe(family);
});

test('a conversation belongs to a user and a group', async () => {
  const affinity = new Affinity(
    createMemoryCluster(createTestClock()).values('affinity', () => 100),
  );
  const policy = { switchOnSuccess: true, most: 100, ttl: 1000 };
  const namesOf = (userId: number, group: string, model = 'gpt-4o') => {
    const names = affinity.namesOf({
      caller: { userId } as Caller,
      request: { headers: { 'session-id': 's' } } as unknown as IncomingMessage,
      body: bodyOf('{}'),
      group,
      model,
    });
    if (names === undefined) throw new Error('no names');
    return names;
  };
  affinity.served(
    namesOf(1, 'default'),
    { id: 7, healthKeys: ['7'] } as unknown as UpstreamChannel,
    policy,
  );
  const found = async (...of: Parameters<typeof namesOf>) =>
    (await affinity.find(namesOf(...of)))?.channelId;
  expect([await found(1, 'default'), await found(2, 'default'), await found(1, 'vip')]).toEqual([
    7,
    undefined,
    undefined,
  ]);
  expect([
    await found(1, 'default', 'gpt-5'),
    await found(1, 'default', 'claude-opus-4-6'),
  ]).toEqual([7, undefined]);
});

test('a lookup that fails finds nothing, and a write that fails is left out', async () => {
  const fails = () => Promise.reject(new Error('the store is away'));
  const affinity = new Affinity({ get: fails, set: fails });
  const channel = { id: 7, healthKeys: ['7'] } as unknown as UpstreamChannel;
  for (const switchOnSuccess of [true, false])
    affinity.served(['a', 'b'], channel, { switchOnSuccess, most: 1, ttl: 1000 });
  expect(await affinity.find(['a', 'b'])).toBeUndefined();
});
