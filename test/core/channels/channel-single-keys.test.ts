import { expect, test } from 'vitest';
import { codeOf, createTestApp } from '../../support/app.ts';

const openai = { name: 'main', type: 1, base_url: 'http://127.0.0.1:1', models: 'gpt-4o' };

async function withKeys(key: string, more: object = {}) {
  const made = await createTestApp();
  const { ids } = await made.operator.channel.create({
    ...openai,
    key,
    setting: '{"multi_key_mode":"polling"}',
    ...more,
  });
  return { ...made, id: ids[0] ?? 0, keys: made.operator.channelKeys };
}
const usable = (app: Awaited<ReturnType<typeof withKeys>>['app'], id: number) =>
  app.channels.routing.find(id)?.keys?.enabled.map(({ key }) => key.reveal());

test('lists each key by position and fingerprint, never the key', async () => {
  const { keys, id } = await withKeys('sk-one\nsk-two\nsk-three');
  const list = await keys.list({ id });
  expect(list.mode).toBe('polling');
  expect(list.keys.map(({ position, enabled, reason }) => ({ position, enabled, reason }))).toEqual(
    [1, 2, 3].map((position) => ({ position, enabled: true, reason: '' })),
  );
  expect(JSON.stringify(list)).not.toContain('sk-');
});

test('a key is disabled and enabled by hand, others stay; requests follow at once', async () => {
  const { keys, id, app, operator } = await withKeys('sk-one\nsk-two');
  const [first, second] = (await keys.list({ id })).keys;
  const after = await keys.change({ id, action: 'disable', names: [first?.name ?? ''] });
  expect(after.keys.map(({ enabled }) => enabled)).toEqual([false, true]);
  expect(after.keys[0]?.time).toBeGreaterThan(0);
  expect(usable(app, id)).toEqual(['sk-two']);
  expect((await operator.channel.get({ id })).multi_key?.disabled).toMatchObject([
    { position: 1, reason: '' },
  ]);
  expect(await codeOf(keys.change({ id, action: 'disable', names: [second?.name ?? ''] }))).toBe(
    'channel_last_key',
  );
  await keys.change({ id, action: 'enable', names: [first?.name ?? ''] });
  expect(usable(app, id)).toEqual(['sk-one', 'sk-two']);
  const { items } = await app.storage.auditLogs.page(
    { action: 'channel.disable_keys' },
    { offset: 0, limit: 9 },
  );
  expect(items).toHaveLength(1);
  expect(JSON.stringify(items)).not.toContain('sk-');
});

test('keys are removed, but not the last enabled one; an unknown name changes nothing', async () => {
  const { keys, id, app } = await withKeys('sk-one\nsk-two\nsk-three');
  const names = (await keys.list({ id })).keys.map(({ name }) => name);
  const after = await keys.change({ id, action: 'remove', names: [names[1] ?? ''] });
  expect(after.keys.map(({ name }) => name)).toEqual([names[0], names[2]]);
  expect(usable(app, id)).toEqual(['sk-one', 'sk-three']);
  expect(await codeOf(keys.change({ id, action: 'remove', names }))).toBe('channel_last_key');
  expect((await keys.change({ id, action: 'remove', names: ['000000000000'] })).keys).toHaveLength(
    2,
  );
  expect(await codeOf(keys.list({ id: 99 }))).toBe('not_found');
  expect(await codeOf(keys.change({ id: 99, action: 'enable', names }))).toBe('not_found');
});

test('keys are added behind the others; those that are there already are named and left out', async () => {
  const { keys, id, app } = await withKeys('sk-one\nsk-two');
  const names = (await keys.list({ id })).keys.map(({ name }) => name);
  await keys.change({ id, action: 'disable', names: [names[0] ?? ''] });
  const added = await keys.add({ id, keys: ' sk-three\n\nsk-two\nsk-four\r\nsk-three' });
  expect(added).toMatchObject({
    added: 2,
    repeated: [
      { place: 2, position: 2 },
      { place: 4, position: 3 },
    ],
  });
  // What was disabled stays so, and requests use the new keys at once.
  expect(added.keys.map(({ enabled }) => enabled)).toEqual([false, true, true, true]);
  expect(added.keys.slice(0, 2).map(({ name }) => name)).toEqual(names);
  expect(usable(app, id)).toEqual(['sk-two', 'sk-three', 'sk-four']);
  expect(await keys.add({ id, keys: 'sk-four' })).toMatchObject({ added: 0 });
  const { items } = await app.storage.auditLogs.page(
    { action: 'channel.add_keys' },
    { offset: 0, limit: 9 },
  );
  expect(items).toHaveLength(1);
  expect(JSON.stringify([added, items])).not.toContain('sk-');
  expect(await codeOf(keys.add({ id: 99, keys: 'sk-x' }))).toBe('not_found');
  expect(await codeOf(keys.add({ id, keys: 'sk-\u0001' }))).toBe(
    await codeOf(withKeys('sk-\u0001')),
  );
});

test('a channel with one key gets a second one', async () => {
  const { operator } = await createTestApp();
  const { ids } = await operator.channel.create({ ...openai, key: 'sk-one' });
  const id = ids[0] ?? 0;
  expect(await operator.channelKeys.add({ id, keys: 'sk-two' })).toMatchObject({ added: 1 });
  expect((await operator.channel.get({ id })).multi_key).toMatchObject({ size: 2 });
});

test('keys that are JSON documents stay documents', async () => {
  const account = (name: string) => ({
    type: 'service_account',
    project_id: name,
    private_key: 'x',
    client_email: 'a@b',
  });
  const { keys, id, app } = await withKeys(
    JSON.stringify([account('a'), account('b'), account('c')]),
    {
      type: 41,
      other: 'us-central1',
      base_url: '',
    },
  );
  const names = (await keys.list({ id })).keys.map(({ name }) => name);
  expect(names).toHaveLength(3);
  await keys.change({ id, action: 'remove', names: [names[0] ?? ''] });
  const again = JSON.stringify([account('d'), account('b')], null, 2);
  expect(await keys.add({ id, keys: again })).toMatchObject({
    added: 1,
    repeated: [{ place: 2, position: 1 }],
  });
  expect(await codeOf(keys.add({ id, keys: 'no document' }))).toBe('json_object_required');
  const last = (await keys.list({ id })).keys.at(-1)?.name ?? '';
  await keys.change({ id, action: 'remove', names: [last] });
  const stored = (await app.storage.channels.find(id))?.key.reveal() ?? '';
  expect(JSON.parse(stored)).toEqual([account('b'), account('c')]);
  await keys.change({ id, action: 'remove', names: [names[1] ?? ''] });
  expect(JSON.parse((await app.storage.channels.find(id))?.key.reveal() ?? '')).toEqual(
    account('c'),
  );
});
