import { describe, expect, test } from 'vitest';
import { codeOf, createTestApp } from '../../support/app.ts';

const openai = { name: 'c', type: 1, key: 'sk-a', models: 'gpt-4o,gpt-4o-mini' };

async function site() {
  const made = await createTestApp();
  const add = async (fields: Partial<typeof openai> & { tag?: string; group?: string }) =>
    (await made.operator.channel.create({ ...openai, ...fields })).ids[0] ?? 0;
  const ids = [
    await add({ name: 'east 1', tag: 'east' }),
    await add({ name: 'east 2', tag: 'east', models: 'gpt-4o' }),
    await add({ name: 'west', key: 'sk-1\nsk-2', models: 'claude-sonnet-5', type: 14 }),
  ];
  const [one = 0, two = 0, three = 0] = ids;
  const channelOf = (id: number) => made.operator.channel.get({ id });
  return { ...made, one, two, three, channelOf };
}

describe('a change of many channels', () => {
  test('is shown before it is made, with what differs and for whom', async () => {
    const { operator, one, two } = await site();
    const shown = await operator.bulk.channels({
      match: { tag: 'east' },
      change: { add_models: ['o3'], remove_models: ['gpt-4o-mini'], priority: 5 },
      preview: true,
    });
    expect(shown).toMatchObject({ matched: 2, changed: 2, undo: [] });
    expect([...shown.ids].sort()).toEqual([one, two]);
    const priority = { field: 'priority', from: 0, to: 5, added: [], removed: [] };
    const models = (removed: string[]) => ({
      field: 'models',
      from: '',
      to: '',
      added: ['o3'],
      removed,
    });
    expect(shown.groups.map(({ changes, names }) => [changes, names])).toEqual(
      expect.arrayContaining([
        [[models(['gpt-4o-mini']), priority], [`east 1 #${one}`]],
        [[models([]), priority], [`east 2 #${two}`]],
      ]),
    );
    expect((await operator.channel.get({ id: one })).priority).toBe(0);
  });

  test('by the state that channels are in now, like the list', async () => {
    const { operator, one, two, three } = await site();
    await operator.channel.update({ id: one, status: 2 });
    const listed = async (state: 'untested' | 'disabled' | 'failing') =>
      (await operator.channel.list({ state })).items.map(({ id }) => id).sort();
    // The third was made for each of its keys.
    expect(await listed('untested')).toEqual([two, three, three + 1]);
    expect(await listed('disabled')).toEqual([one]);
    expect(await listed('failing')).toEqual([]);
    const grouped = await operator.channel.list({ state: 'untested', tag_mode: true });
    expect(grouped.items.map(({ id }) => id)).toEqual([two]);
    const shown = await operator.bulk.channels({
      match: { state: 'untested' },
      change: { priority: 5 },
      preview: true,
    });
    expect([...shown.ids].sort()).toEqual([two, three, three + 1]);
  });

  test('routes at once, is in the audit log, and can be taken back', async () => {
    const { operator, app, one, two, channelOf } = await site();
    const before = await channelOf(one);
    const done = await operator.bulk.channels({
      ids: [one, two],
      change: {
        models: ['o3', 'gpt-5'],
        groups: ['vip'],
        weight: 7,
        tag: 'north',
        auto_ban: 0,
        status: 2,
      },
    });
    expect(done).toMatchObject({ matched: 2, changed: 2, refused: [], ids: [] });
    expect(await channelOf(two)).toMatchObject({
      models: 'o3,gpt-5',
      group: 'vip',
      weight: 7,
      tag: 'north',
      auto_ban: 0,
      status: 2,
    });
    expect((await operator.routes.explain({ model: 'o3', group: 'vip' })).tiers).toEqual([]);
    const { items } = await operator.audit.list({ action: 'channel.update' });
    expect(items.map(({ target }) => target).sort()).toEqual([String(one), String(two)]);
    expect(JSON.parse(items[0]?.detail ?? '')).toMatchObject({
      changes: { weight: { from: 0, to: 7 }, autoBan: { from: true, to: false } },
    });

    const back = await operator.bulk.channels({ undo: done.undo });
    expect(back).toMatchObject({ changed: 2, refused: [] });
    expect({ ...(await channelOf(one)), other_info: '' }).toEqual({ ...before, other_info: '' });
    expect((await operator.routes.explain({ model: 'gpt-4o' })).tiers[0]?.channels).toHaveLength(2);
    expect([...app.channels.routing.all()]).toHaveLength(4);
  });

  test('is not taken back where somebody has changed the channel since', async () => {
    const { operator, one, two, channelOf } = await site();
    const { undo } = await operator.bulk.channels({ ids: [one, two], change: { priority: 5 } });
    await operator.channel.update({ id: two, priority: 9 });
    const back = await operator.bulk.channels({ undo });
    expect(back.changed).toBe(1);
    expect(back.refused).toMatchObject([{ count: 1, names: [`east 2 #${two}`] }]);
    expect((await channelOf(one)).priority).toBe(0);
    expect((await channelOf(two)).priority).toBe(9);
  });

  test('what one channel refuses does not hold up the others', async () => {
    const { operator, one, two, channelOf } = await site();
    const done = await operator.bulk.channels({
      ids: [one, two],
      change: { remove_models: ['gpt-4o'] },
    });
    expect(done.changed).toBe(1);
    expect(done.refused).toMatchObject([{ count: 1, names: [`east 2 #${two}`] }]);
    expect((await channelOf(one)).models).toBe('gpt-4o-mini');
    expect((await channelOf(two)).models).toBe('gpt-4o');
  });

  test('a model is replaced in its place, and only where it is', async () => {
    const { operator, one, two, three, channelOf } = await site();
    const done = await operator.bulk.channels({
      ids: [one, two, three],
      change: { replace_model: ['gpt-4o', 'gpt-5'] },
    });
    expect(done).toMatchObject({ matched: 3, changed: 2 });
    expect((await channelOf(one)).models).toBe('gpt-5,gpt-4o-mini');
    expect((await channelOf(three)).models).toBe('claude-sonnet-5');
  });

  test('enabling enables the keys that the gateway had disabled', async () => {
    const { operator, app } = await site();
    const { ids } = await operator.channel.create({
      ...openai,
      key: 'sk-1\nsk-2',
      setting: '{"multi_key_mode":"random"}',
    });
    const id = ids[0] ?? 0;
    const { fingerprint } = await import('../../../src/core/upstream/channel-keys.ts');
    await app.storage.channels.disableKey(id, fingerprint('sk-1'), { reason: 'x', time: 1 });
    const done = await operator.bulk.channels({ ids: [id], change: { status: 1 } });
    expect(done.changed).toBe(1);
    expect((await operator.channel.get({ id })).multi_key?.disabled).toEqual([]);
    expect(await operator.bulk.channels({ ids: [id], change: { status: 1 } })).toMatchObject({
      changed: 0,
    });
  });

  test('deleting says what is gone for good, by type', async () => {
    const { operator, one, two, three } = await site();
    const shown = await operator.bulk.channels({
      match: {},
      change: { delete: true },
      preview: true,
    });
    expect(shown).toMatchObject({
      matched: 4,
      changed: 4,
      lost: { keys: 4, models: ['claude-sonnet-5', 'gpt-4o', 'gpt-4o-mini'] },
    });
    expect(shown.groups.map(({ changes, count }) => [changes[0]?.from, count]).sort()).toEqual([
      ['Claude', 2],
      ['OpenAI · east', 2],
    ]);
    expect((await operator.channel.list()).total).toBe(4);
    const done = await operator.bulk.channels({
      ids: [one, two, three],
      change: { delete: true },
    });
    expect(done).toMatchObject({ changed: 3, undo: [] });
    expect((await operator.channel.list()).total).toBe(1);
  });

  test.each([
    [{ change: { priority: 1 } }, 'invalid_parameter'],
    [{ ids: [1], match: {}, change: { priority: 1 } }, 'invalid_parameter'],
    [{ match: {}, change: { priority: 1 } }, 'invalid_parameter'],
    [{ ids: [1], change: {} }, 'invalid_parameter'],
    [{ ids: [1], change: { delete: true as const, priority: 1 } }, 'invalid_parameter'],
    [{ ids: [1], change: { models: [' '] } }, 'invalid_parameter'],
  ])('%o is refused: %s', async (input, code) => {
    const { operator } = await site();
    expect(await codeOf(operator.bulk.channels(input))).toBe(code);
  });

  test('an undo reaches no other field than those of bulk changes', async () => {
    const { operator, one, channelOf } = await site();
    const forged = await operator.bulk.channels({
      undo: [{ ids: [one], from: { priority: 0 }, to: { base_url: 'http://evil.example' } }],
    });
    expect(forged).toMatchObject({ changed: 0, refused: [{ count: 1 }] });
    expect((await channelOf(one)).base_url).toBe('');
  });
});
