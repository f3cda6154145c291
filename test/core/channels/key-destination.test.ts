/**
 * A key is sent nowhere new by somebody who cannot read it
 * (docs/rules/channels.md#key-destination).
 */
import { describe, expect, test } from 'vitest';
import type { Client } from '../../../src/core/contract/client.ts';
import { codeOf, createTestApp, type TestApp } from '../../support/app.ts';

type Fields = Partial<Parameters<Client['channel']['create']>[0]>;

const needed = 'channel_key_required_again';

async function setUp(fields: Fields = {}) {
  const made = await createTestApp();
  const channel = { name: 'c', type: 1, key: 'sk-upstream', models: 'gpt-4o', ...fields };
  const { ids } = await made.operator.channel.create(channel);
  const admin = await made.as(await made.addUser('admin', { role: 10 }));
  return { ...made, admin, id: ids[0] ?? 0, channel };
}

const storedKey = async ({ app }: TestApp, id: number) => (await app.channels.get(id)).key.reveal();

describe('an edit by an administrator', () => {
  const moves: [string, Fields, Fields][] = [
    ['another host', {}, { base_url: 'https://evil.example' }],
    ['another port', { base_url: 'https://h.example' }, { base_url: 'https://h.example:8443' }],
    ['without TLS', { base_url: 'https://h.example' }, { base_url: 'http://h.example' }],
    ['a host that looks like the old one', {}, { base_url: 'https://api.openai.com@evil.example' }],
    ['a proxy', {}, { setting: '{"proxy":"http://evil.example:3128"}' }],
    [
      'another proxy',
      { setting: '{"proxy":"socks5://a:1"}' },
      { setting: '{"proxy":"socks5://b:1"}' },
    ],
    ['a type with another address', {}, { type: 43 }],
    [
      'a type that reads the base URL itself',
      {},
      { type: 8, base_url: 'https://evil.example/{model}' },
    ],
    ['the vendor’s own address again', { base_url: 'https://h.example' }, { base_url: '' }],
    [
      'another account of a shared gateway',
      { base_url: 'https://gateway.ai.cloudflare.com/v1/a/g/openai' },
      { base_url: 'https://gateway.ai.cloudflare.com/v1/b/g/openai' },
    ],
    [
      'several keys at once',
      { key: 'sk-a\nsk-b', setting: '{"multi_key_mode":"random"}' },
      { base_url: 'https://evil.example' },
    ],
  ];
  test.each(moves)(
    '%s needs the key again, and the key is sent nowhere',
    async (_, before, change) => {
      const made = await setUp(before);
      const stored = await made.app.channels.get(made.id);
      expect(await codeOf(made.admin.channel.update({ id: made.id, ...change }))).toBe(needed);
      expect(await codeOf(made.admin.channel.update({ id: made.id, ...change, key: ' \n' }))).toBe(
        needed,
      );
      expect(await made.app.channels.get(made.id)).toEqual(stored);
      // With a key, all keys that were stored are gone.
      await made.admin.channel.update({ id: made.id, ...change, key: 'sk-mine' });
      expect(await storedKey(made, made.id)).toBe('sk-mine');
    },
  );

  const stays: [string, Fields, Fields][] = [
    ['another path', { base_url: 'https://h.example/a' }, { base_url: 'https://h.example/v1' }],
    ['the same address in full', {}, { base_url: 'https://api.openai.com/v1' }],
    ['no proxy any more', { setting: '{"proxy":"http://p:1"}' }, { setting: '' }],
    [
      'the proxy’s password',
      { setting: '{"proxy":"http://u:a@p:1"}' },
      { setting: '{"proxy":"http://u:b@p:1"}' },
    ],
    ['a plan of the same vendor', { type: 26 }, { base_url: 'glm-coding-plan' }],
    ['a channel without a key', { type: 4, key: '' }, { base_url: 'http://10.0.0.9:11434' }],
    ['other fields', {}, { name: 'x', models: 'a', priority: 3 }],
  ];
  test.each(stays)('%s does not', async (_, before, change) => {
    const { admin, id } = await setUp(before);
    await admin.channel.update({ id, ...change });
  });
});

test('root may, and the audit row keeps old and new address, without passwords', async () => {
  const { operator, id } = await setUp({ base_url: 'https://user:secret1@old.example/v1' });
  await operator.channel.update({
    id,
    base_url: 'https://new.example',
    setting: '{"proxy":"http://u:secret2@p:1"}',
  });
  const { items } = await operator.audit.list({ action: 'channel.update' });
  expect(JSON.parse(items[0]?.detail ?? '')).toMatchObject({
    address: { from: 'https://old.example/v1', to: 'https://new.example (proxy http://p:1)' },
  });
  expect(JSON.stringify((await operator.audit.list()).items)).not.toMatch(/secret\d|sk-upstream/);
});

describe('a copy', () => {
  test('that is made at another address needs the key', async () => {
    const made = await setUp();
    const copy = { ...made.channel, key: '', copy_from: made.id };
    expect(
      await codeOf(made.admin.channel.create({ ...copy, base_url: 'https://evil.example' })),
    ).toBe(needed);
    expect(await codeOf(made.admin.channel.create({ ...copy, type: 43 }))).toBe(needed);
    expect(
      await codeOf(made.admin.channel.create({ ...copy, setting: '{"proxy":"http://evil:1"}' })),
    ).toBe(needed);
    const { ids } = await made.admin.channel.create(copy);
    expect(await storedKey(made, ids[0] ?? 0)).toBe('sk-upstream');
    const own = await made.admin.channel.create({
      ...copy,
      key: 'sk-mine',
      base_url: 'https://mine.example',
    });
    expect(await storedKey(made, own.ids[0] ?? 0)).toBe('sk-mine');
  });

  test('is protected like its original', async () => {
    const { admin, id } = await setUp();
    const copy = await admin.channel.copy({ id });
    expect(
      await codeOf(admin.channel.update({ id: copy.id, base_url: 'https://evil.example' })),
    ).toBe(needed);
  });
});
