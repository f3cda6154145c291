// Covers src/core/storage/repositories.
import { describe, expect, test } from 'vitest';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import type { ArchivedLog, NewRedemption, Session } from '../../../src/core/storage/storage.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';

const all = { offset: 0, limit: 100 };

forEachEngineInTurn('options', (engine) => {
  test('are inserted, replaced, listed by key and removed', async () => {
    const { options } = await engine.open();
    await options.set({ key: 'b', value: '1', hidden: false });
    await options.set({ key: 'B', value: 'secret', hidden: true });
    await options.set({ key: 'a', value: '{"模型":1}', hidden: false });
    await options.set({ key: 'b', value: '', hidden: false });
    expect(await options.list()).toEqual([
      { key: 'B', value: 'secret', hidden: true },
      { key: 'a', value: '{"模型":1}', hidden: false },
      { key: 'b', value: '', hidden: false },
    ]);
    await options.set({ key: 'b', value: 'now hidden', hidden: true });
    expect(await options.find('b')).toEqual({ key: 'b', value: 'now hidden', hidden: true });
    expect(await options.find('c')).toBeNull();
    expect(await options.delete('b')).toBe(true);
    expect(await options.delete('b')).toBe(false);
  });
});

forEachEngineInTurn('ways in that brought gifts', (engine) => {
  test('are new once, all of them', async () => {
    const { giftedWays } = await engine.open();
    const note = (...ways: readonly string[]) =>
      giftedWays.note(
        ways.map((value) => ({ kind: 'github', value })),
        1,
      );
    expect(await note('a', 'b')).toBe(true);
    expect(await note('c')).toBe(true);
    expect(await note('d', 'b')).toBe(false);
    // Noted with the one that was there.
    expect(await note('d')).toBe(false);
    expect(await note()).toBe(true);
    expect(await giftedWays.note([{ kind: 'phone', value: 'a' }], 1)).toBe(true);
  });

  test('are those of imported accounts, too', async () => {
    const { giftedWays, imports } = await engine.open();
    const user = { id: 7, username: 'ann', username_normalized: 'ann', password: '', quota: 0 };
    const email = { email: 'a@example.org', email_verified: 1 };
    await imports.insert('users', [{ ...user, ...email, phone: '+4915100000000' }]);
    const identity = { user_id: 7, provider: 'github', subject: '583231' };
    await imports.insert('user_identities', [{ ...identity, created_at: 1 }]);
    for (const [kind, value] of [
      ['email', 'a@example.org'],
      ['phone', '+4915100000000'],
      ['github', '583231'],
    ] as const)
      expect([kind, await giftedWays.note([{ kind, value }], 1)]).toEqual([kind, false]);
    expect(await giftedWays.note([{ kind: 'github', value: '1' }], 1)).toBe(true);
  });
});

forEachEngineInTurn('redemption codes', (engine) => {
  const code = (key: string, more: Partial<NewRedemption> = {}): NewRedemption => ({
    userId: 1,
    key: new Secret(key),
    name: `Name ${key}`,
    quota: toQuota(500_000),
    createdTime: 10,
    ...more,
  });

  test('are inserted all or none', async () => {
    const { redemptions } = await engine.open();
    const ids = await redemptions.insertMany([code('a'), code('b')]);
    expect(ids).toHaveLength(2);
    await expect(redemptions.insertMany([code('c'), code('a')])).rejects.toMatchObject({
      code: 'conflict',
      params: { field: 'key' },
    });
    expect((await redemptions.page({}, all, 0)).total).toBe(2);
    expect((await redemptions.find(ids[0] ?? 0))?.key.reveal()).toBe('a');
    expect(await redemptions.find(ids[0] ?? 0)).toMatchObject({
      status: 1,
      quota: 500_000,
      redeemedTime: 0,
      usedUserId: 0,
    });
    expect((await redemptions.findByKey('b'))?.id).toBe(ids[1]);
    expect(await redemptions.findByKey('c')).toBeNull();
  });

  test('are found by the beginning of the name and by id', async () => {
    const { redemptions } = await engine.open();
    await redemptions.insertMany([
      code('a', { name: 'Ärger 5%' }),
      code('b', { name: 'x ärger' }),
      code('c', { name: '1st' }),
    ]);
    const ids = async (keyword: string) =>
      (await redemptions.page({ keyword }, all, 0)).items.map(({ id }) => id);
    expect(await ids('äR')).toEqual([1]);
    expect(await ids('%')).toEqual([]);
    expect(await ids('1')).toEqual([3, 1]);
    expect((await redemptions.page({ status: 1 }, { offset: 1, limit: 1 }, 0)).items[0]?.id).toBe(
      2,
    );
  });

  test('are edited while unused only', async () => {
    const { redemptions } = await engine.open();
    const [id = 0] = await redemptions.insertMany([code('a')]);
    expect(await redemptions.update(id, { name: 'n', quota: toQuota(1) })).toBe(true);
    expect(await redemptions.setStatus(id, 1, 2)).toBe(true);
    expect(await redemptions.update(id, { name: 'm' })).toBe(false);
    expect(await redemptions.update(id, {})).toBe(false);
    expect(await redemptions.setStatus(id, 1, 2)).toBe(false);
    expect(await redemptions.find(id)).toMatchObject({ name: 'n', quota: 1, status: 2 });
  });

  test('are redeemed by exactly one', async () => {
    const { redemptions } = await engine.open();
    const [id = 0, disabled = 0] = await redemptions.insertMany([
      code('a'),
      code('b', { status: 2 }),
    ]);
    const races = await Promise.all(
      Array.from({ length: 10 }, (_, user) => redemptions.markUsed(id, user + 1, 99)),
    );
    expect(races.filter(Boolean)).toHaveLength(1);
    expect(await redemptions.find(id)).toMatchObject({
      status: 3,
      redeemedTime: 99,
      usedUserId: races.indexOf(true) + 1,
    });
    expect(await redemptions.markUsed(disabled, 1, 99)).toBe(false);
  });

  test('are not returned after deletion', async () => {
    const { redemptions } = await engine.open();
    const [id = 0] = await redemptions.insertMany([code('a')]);
    expect(await redemptions.softDelete(id, 5)).toBe(true);
    expect(await redemptions.softDelete(id, 6)).toBe(false);
    expect(await redemptions.markUsed(id, 1, 7)).toBe(false);
    expect(await redemptions.findByKey('a')).toBeNull();
    expect(await redemptions.page({}, all, 0)).toEqual({ items: [], total: 0 });
  });
});

forEachEngineInTurn('sessions', (engine) => {
  const session = (idHash: string, more: Partial<Session> = {}): Session => ({
    idHash,
    userId: 1,
    createdAt: 1,
    lastSeen: 2,
    expiresAt: 100,
    ip: '::1',
    userAgent: 'Mozilla',
    method: 'password',
    confirmedAt: 0,
    ...more,
  });

  test('exist until they are ended', async () => {
    const { sessions } = await engine.open();
    for (const entry of [
      session('a'),
      session('b', { lastSeen: 5 }),
      session('c'),
      session('d', { userId: 2 }),
    ])
      await sessions.insert(entry);
    expect(await sessions.findByHash('a')).toEqual(session('a'));
    expect(await sessions.findByHash('x')).toBeNull();
    expect(await sessions.touch('a', { lastSeen: 50, expiresAt: 200, ip: '::1' })).toBe(true);
    expect(await sessions.touch('x', { lastSeen: 50, expiresAt: 200, ip: '::1' })).toBe(false);
    expect((await sessions.listByUser(1)).map(({ idHash }) => idHash)).toEqual(['a', 'b', 'c']);
    expect(await sessions.delete('b')).toBe(true);
    expect(await sessions.deleteByUser(1, 'a')).toBe(1);
    expect(await sessions.purge(100)).toBe(0);
    expect(await sessions.purge(101)).toBe(1);
    expect(await sessions.findByHash('a')).toMatchObject({ lastSeen: 50, expiresAt: 200 });
    expect(await sessions.deleteByUser(1)).toBe(1);
  });
});

forEachEngineInTurn('verification codes', (engine) => {
  const code = (codeHash: string) => ({
    purpose: 'email',
    subjectHash: 's',
    codeHash,
    expiresAt: 100,
    payload: '',
  });

  test('replace each other and count tries', async () => {
    const { verificationCodes } = await engine.open();
    await verificationCodes.put(code('one'));
    expect(await verificationCodes.countTry('email', 's')).toMatchObject({
      tries: 1,
      codeHash: 'one',
    });
    await verificationCodes.put(code('two'));
    expect(await verificationCodes.find('email', 's')).toEqual({ ...code('two'), tries: 0 });
    const tries = await Promise.all(
      Array.from({ length: 5 }, () => verificationCodes.countTry('email', 's')),
    );
    expect(tries.map((row) => row?.tries).sort()).toEqual([1, 2, 3, 4, 5]);
    expect(await verificationCodes.countTry('email', 'other')).toBeNull();
    expect(await verificationCodes.find('reset', 's')).toBeNull();
  });

  test('work once', async () => {
    const { verificationCodes } = await engine.open();
    await verificationCodes.put(code('one'));
    expect(await verificationCodes.consume('email', 's', 'wrong')).toBe(false);
    const races = await Promise.all(
      Array.from({ length: 5 }, () => verificationCodes.consume('email', 's', 'one')),
    );
    expect(races.filter(Boolean)).toHaveLength(1);
    await verificationCodes.put(code('two'));
    expect(await verificationCodes.purge(100)).toBe(0);
    expect(await verificationCodes.purge(101)).toBe(1);
  });
});

forEachEngineInTurn('the system’s own tables', (engine) => {
  describe('setup', () => {
    test('succeeds for exactly one', async () => {
      const { setups } = await engine.open();
      expect(await setups.find()).toBeNull();
      const races = await Promise.all(
        Array.from({ length: 5 }, (_, index) =>
          setups.insert({ version: `${index}`, initializedAt: 7 }),
        ),
      );
      expect(races.filter(Boolean)).toHaveLength(1);
      expect(await setups.find()).toEqual({ version: `${races.indexOf(true)}`, initializedAt: 7 });
    });
  });

  test('audit logs are stored and filtered', async () => {
    const { auditLogs } = await engine.open();
    const entry = {
      actorId: 1,
      actorName: 'root',
      actorRole: 100,
      action: 'option.set',
      target: 'SystemName',
      detail: '{}',
      ip: '::1',
      createdAt: 5,
    };
    await auditLogs.insert(entry);
    await auditLogs.insert({
      ...entry,
      actorId: 2,
      action: 'user.promote',
      target: '7',
      createdAt: 6,
    });
    expect(await auditLogs.page({ actorId: 1 }, all)).toEqual({
      items: [{ id: 1, ...entry }],
      total: 1,
    });
    expect((await auditLogs.page({}, all)).items.map(({ id }) => id)).toEqual([2, 1]);
    expect(
      (await auditLogs.page({ action: 'user.promote', target: '7', from: 6, to: 6 }, all)).total,
    ).toBe(1);
    expect((await auditLogs.page({ from: 7 }, all)).total).toBe(0);
    await auditLogs.insert({
      ...entry,
      actorName: 'Anna_1',
      action: 'channel.remove',
      target: '3,17',
      createdAt: 9,
    });
    const idsOf = async (filter: Parameters<typeof auditLogs.page>[0]) =>
      (await auditLogs.page(filter, all)).items.map(({ id }) => id);
    expect(await idsOf({ actor: 'anna_1' })).toEqual([3]);
    expect(await idsOf({ actor: '2' })).toEqual([2]);
    expect(await idsOf({ actor: 'annax1' })).toEqual([]);
    expect(await idsOf({ action: 'channel.' })).toEqual([3]);
    expect(await idsOf({ action: 'channel' })).toEqual([]);
    expect(await idsOf({ target: '17' })).toEqual([3]);
    expect(await idsOf({ target: '7' })).toEqual([2]);
    const status = { changes: { status: { from: 1, to: 2 } } };
    await auditLogs.insert({
      ...entry,
      action: 'channel.update',
      target: '8',
      detail: JSON.stringify({ name: 'Mistral_1', ...status }),
    });
    await auditLogs.insert({
      ...entry,
      action: 'channel.update',
      target: '9',
      detail: JSON.stringify({ name: 'Mistral_1', changes: { status: { from: 2, to: 1 } } }),
    });
    expect(await idsOf({ text: 'mistral_1' })).toEqual([5, 4]);
    expect(await idsOf({ text: 'mistralx1' })).toEqual([]);
    expect(await idsOf({ text: ' Disabled  MISTRAL ' })).toEqual([4]);
    expect(await idsOf({ text: '启用' })).toEqual([5]);
    expect(await idsOf({ text: 'administrator' })).toEqual([2]);
    expect(await idsOf({ text: 'anna deleted' })).toEqual([3]);
    const ids = async (before: number | undefined, limit: number) =>
      (await auditLogs.listBefore({ text: 'root' }, before, limit)).map(({ id }) => id);
    expect([await ids(undefined, 2), await ids(4, 9)]).toEqual([
      [5, 4],
      [2, 1],
    ]);
  });

  test('old rows are listed from the oldest on by the time of their kind, and deleted as they were listed', async () => {
    const { retention, logs, midjourneys } = await engine.open();
    const log = { userId: 1, username: 'a', content: '' };
    await logs.insertMany([
      { ...log, type: 2, createdAt: 30 },
      { ...log, type: 5, createdAt: 20 },
      { ...log, type: 2, createdAt: 10, content: 'first' },
    ]);
    expect([await retention.oldest('usage', 0), await retention.oldest('errors', 0)]).toEqual([
      10, 20,
    ]);
    expect(await retention.oldest('usage', 11)).toBe(30);
    expect(await retention.oldest('audit', 0)).toBeUndefined();
    const old = await retention.list('usage', { from: 10, before: 30 }, 5);
    expect(old).toMatchObject({ rows: [{ created_at: 10, content: 'first' }], newest: 10 });
    expect((await retention.list('usage', { from: 0, before: 31 }, 1)).rows).toHaveLength(1);
    await retention.delete('usage', old.ids, old);
    expect([await retention.oldest('usage', 0), await retention.oldest('errors', 0)]).toEqual([
      30, 20,
    ]);
    const drawing = { userId: 1, action: 'IMAGINE', submitTime: 1, progress: '100%' };
    await midjourneys.insert({ ...drawing, finishTime: 9_500 });
    expect(await retention.list('drawings', { from: 9, before: 10 }, 5)).toMatchObject({
      rows: [{ finish_time: 9_500 }],
      newest: 9,
    });
  });

  test('archived logs come back once, with their ids where these are free, and new rows get others', async () => {
    const { retention, logs } = await engine.open();
    const log = { userId: 1, username: 'a', type: 2 };
    await logs.insertMany([
      { ...log, createdAt: 10, content: 'a' },
      { ...log, createdAt: 10, content: 'twin' },
      { ...log, createdAt: 10, content: 'twin' },
      { ...log, createdAt: 20, content: 'b' },
    ]);
    const span = { from: 0, before: 100 };
    expect([
      await retention.timeAfter('logs', span, 3),
      await retention.timeAfter('logs', span, 4),
    ]).toEqual([20, undefined]);
    const first = await retention.list('logs', span, 3);
    const rest = await retention.list('logs', span, 3, first.last);
    expect([first.ids.length, rest.ids.length, rest.oldest]).toEqual([3, 1, 20]);
    const archived = [...first.rows, ...rest.rows] as unknown as ArchivedLog[];
    await retention.delete('logs', [...first.ids, ...rest.ids], { oldest: 10, newest: 20 });

    const far = archived.map((row) => ({ ...row, id: row.id + 1000 }));
    // As two gateways do it; on SQLite there is one.
    const gateways = engine.name === 'postgres' ? 4 : 1;
    // Each has its connection before.
    await Promise.all(Array.from({ length: gateways }, () => retention.oldest('logs', 0)));
    const restored = Array.from({ length: gateways }, () =>
      retention.restoreLogs([...far, ...far]),
    );
    expect((await Promise.all(restored)).toSorted()).toEqual([...Array(gateways - 1).fill(0), 4]);
    expect(await retention.restoreLogs(far)).toBe(0);
    // The same rows under the ids of before are the same rows.
    expect(await retention.restoreLogs(archived)).toBe(0);
    expect((await retention.list('logs', span, 9)).rows).toEqual(far);
    const next = await logs.insert({ ...log, createdAt: 30, content: 'new' });
    expect(next).toBeGreaterThan(Math.max(...far.map(({ id }) => id)));

    const [a] = far;
    if (a === undefined) throw new Error('no row');
    expect(await retention.restoreLogs([{ ...a, content: 'other', created_at: 11 }])).toBe(1);
    expect((await logs.find(a.id))?.content).toBe('a');
    expect((await logs.find(next + 1))?.content).toBe('other');
  });

  test('a lock has one owner until it expires', async () => {
    const { locks } = await engine.open();
    const races = await Promise.all(
      ['a', 'b', 'c'].map((owner) => locks.acquire('poll', owner, 100, 200, 1000)),
    );
    expect(races.filter(Boolean)).toHaveLength(1);
    const owner = ['a', 'b', 'c'][races.indexOf(true)] ?? '';
    expect(await locks.acquire('poll', owner, 150, 250, 1000)).toBe(true);
    expect(await locks.acquire('poll', 'z', 249, 300, 1000)).toBe(false);
    expect(await locks.release('poll', 'z')).toBe(false);
    expect(await locks.acquire('poll', 'z', 250, 300, 1000)).toBe(true);
    expect(await locks.release('poll', owner)).toBe(false);
    expect(await locks.release('poll', 'z')).toBe(true);
    expect(await locks.acquire('poll', 'y', 0, 1, 1000)).toBe(true);
    expect(await locks.acquire('other', 'x', 0, 1, 1000)).toBe(true);
  });

  test('a lock that expires later than any does is free', async () => {
    const { locks } = await engine.open();
    await locks.acquire('poll', 'a', 100, 200, 1000);
    expect(await locks.acquire('poll', 'b', 100, 150, 200)).toBe(false);
    expect(await locks.acquire('poll', 'b', 100, 150, 199)).toBe(true);
  });

  test('locks that expired are deleted, others stay', async () => {
    const { locks } = await engine.open();
    await locks.acquire('past', 'a', 100, 199, 1000);
    await locks.acquire('held', 'a', 100, 200, 1000);
    await locks.prune(200);
    // A lock that is gone is free at any time.
    expect(await locks.acquire('past', 'b', 100, 150, 1000)).toBe(true);
    expect(await locks.acquire('held', 'b', 199, 300, 1000)).toBe(false);
  });

  test('the health of channels is replaced as a whole', async () => {
    const { channelHealth } = await engine.open();
    const circuit = {
      kind: 'circuit' as const,
      model: '',
      since: 1_763_640_000_123,
      pause: 10_000,
      requested: false,
    };
    const rows = [
      { ...circuit, healthKey: '1.a', until: 1_763_640_010_123, cause: '500 boom' },
      {
        ...circuit,
        healthKey: '1.a',
        kind: 'cool_down' as const,
        model: 'm',
        since: 0,
        until: 9,
        pause: 0,
        requested: true,
        cause: '',
      },
      { ...circuit, healthKey: '1.b', until: 7, cause: '' },
    ];
    await channelHealth.replace([...rows].reverse());
    expect(await channelHealth.list()).toEqual(rows);
    await channelHealth.replace(rows.slice(2));
    expect(await channelHealth.list()).toEqual(rows.slice(2));
    // A text that not every engine can store, and the same row twice.
    await channelHealth.replace(
      [...rows, ...rows].map((row) => ({ ...row, cause: `\0${row.cause}` })),
    );
    expect(await channelHealth.list()).toEqual(rows);
    await Promise.all([channelHealth.replace(rows), channelHealth.replace([...rows].reverse())]);
    expect(await channelHealth.list()).toEqual(rows);
    await channelHealth.replace([]);
    expect(await channelHealth.list()).toEqual([]);
  });
});

forEachEngineInTurn('outcomes of requests', (engine) => {
  const row = (userId: number, createdAt: number, more = {}) => ({
    userId,
    createdAt,
    succeeded: 1,
    failed: 0,
    refused: 0,
    unlogged: 0,
    ...more,
  });

  test('are added to the row of user and hour, and summed by range', async () => {
    const { requestOutcomes } = await engine.open();
    await requestOutcomes.add([row(2, 7200), row(1, 3600, { failed: 2 })]);
    await requestOutcomes.add([row(1, 3600, { refused: 3, unlogged: 4 })]);
    expect(await requestOutcomes.sum({})).toEqual({
      succeeded: 3,
      failed: 2,
      refused: 3,
      unlogged: 4,
    });
    expect(await requestOutcomes.sum({ userId: 2 })).toEqual({
      succeeded: 1,
      failed: 0,
      refused: 0,
      unlogged: 0,
    });
    expect(await requestOutcomes.sum({ from: 3600, to: 7199 })).toMatchObject({ succeeded: 2 });
    expect(await requestOutcomes.sum({ from: 9000 })).toEqual({
      succeeded: 0,
      failed: 0,
      refused: 0,
      unlogged: 0,
    });
  });
});

forEachEngineInTurn('many log rows', (engine) => {
  test('are inserted with whatever text an upstream sends', async () => {
    const { logs } = await engine.open();
    await logs.insertMany([]);
    await logs.insertMany([
      { userId: 1, createdAt: 10, type: 5, content: 'nul \0 and half \ud83d', modelName: 'm\0' },
      { userId: 1, createdAt: 11, type: 5, content: 'b', other: '{}' },
    ]);
    const { items } = await logs.page({ type: 5 }, all);
    expect(items.map(({ content, modelName }) => [content, modelName])).toEqual([
      ['b', ''],
      ['nul  and half \ufffd', 'm'],
    ]);
  });
});

forEachEngineInTurn('gateways', (engine) => {
  test('say that they run, and hear what they were told', async () => {
    const { nodes } = await engine.open();
    const node = {
      host: 'web',
      dataDir: '/data',
      address: 'http://127.0.0.1:1',
      version: '1',
      wish: '',
      state: 'serving',
      underWay: 0,
    } as const;
    expect(await nodes.announce({ ...node, id: 'a' })).toBe('');
    // One whose row was deleted meanwhile keeps to what it was told.
    expect(await nodes.announce({ ...node, id: 'b', wish: 'drain', state: 'draining' })).toBe(
      'drain',
    );
    await nodes.setWish([], 'stop');
    await nodes.setWish(['a', 'unknown'], 'stop');
    const moved = { ...node, id: 'a', address: 'http://127.0.0.1:2' } as const;
    expect(await nodes.announce({ ...moved, state: 'draining', underWay: 3 })).toBe('stop');
    expect(await nodes.list(60)).toMatchObject([
      { id: 'a', wish: 'stop', state: 'draining', underWay: 3, address: 'http://127.0.0.1:2' },
      { id: 'b', wish: 'drain', state: 'draining', underWay: 0 },
    ]);
    await nodes.setWish(['a'], '');
    expect(await nodes.announce({ ...moved, wish: 'stop' })).toBe('');
    await nodes.remove('a');
    expect((await nodes.list(60)).map(({ id }) => id)).toEqual(['b']);
  });
});
