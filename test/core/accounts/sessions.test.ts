/** Sessions: what a new one holds, when it ends, when it is prolonged and when its use is noted. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSessions, hashSecret } from '../../../src/core/accounts/sessions.ts';
import { nowSeconds } from '../../../src/core/kernel/clock.ts';
import { createLastingApp, type TestApp } from '../../support/app.ts';

const day = 24 * 3600;
const from = { ip: '192.0.2.1', userAgent: 'Firefox' };
let site: TestApp;
let serial = 0;
let userId: number;
beforeAll(async () => {
  site = await createLastingApp();
});
afterAll(() => site.app.close());
beforeEach(async () => {
  serial += 1;
  userId = await site.addUser(`user${serial}`);
});

const open = () =>
  createSessions({ storage: site.app.storage, clock: site.clock, ids: site.app.ids });
const row = (token: string) => site.app.storage.sessions.findByHash(hashSecret(token));
const move = (seconds: number) => site.clock.move(seconds * 1000);

test('a secret is stored as its SHA-256', () => {
  expect(hashSecret('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('a new session: a token of 256 bits, 30 days, confirmed', async () => {
  const sessions = open();
  const now = nowSeconds(site.clock);
  const token = await sessions.start(userId, 'password', {
    ...from,
    userAgent: `${'a'.repeat(255)}b`,
  });
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(await row(token)).toEqual({
    idHash: hashSecret(token),
    userId,
    createdAt: now,
    lastSeen: now,
    expiresAt: now + 30 * day,
    ip: '192.0.2.1',
    userAgent: 'a'.repeat(255),
    method: 'password',
    confirmedAt: now,
  });
  expect(sessions.maxAge).toBe(30 * day);
  expect(await sessions.find(token)).toEqual({
    userId,
    idHash: hashSecret(token),
    renewed: false,
    confirmedAt: now,
  });
});

test('a session ends after 30 days, or when it is ended; another token finds none', async () => {
  const sessions = open();
  const token = await sessions.start(userId, 'password', from);
  expect(await sessions.find(`${token}x`)).toBeNull();
  move(30 * day - 1);
  // It is prolonged by this use.
  expect(await sessions.find(token)).toMatchObject({ userId, renewed: true });
  move(30 * day);
  expect(await sessions.list(userId)).toEqual([]);
  expect(await sessions.find(token)).toBeNull();
  const other = await sessions.start(userId, 'password', from);
  await sessions.end(other);
  expect(await sessions.find(other)).toBeNull();
  expect(await row(other)).toBeNull();
});

test('a use is noted after five minutes, with its address where it has one', async () => {
  const sessions = open();
  const token = await sessions.start(userId, 'password', from);
  const begun = await row(token);
  move(300);
  await sessions.find(token, '192.0.2.2');
  expect(await row(token)).toEqual(begun);
  move(1);
  expect(await sessions.find(token, '192.0.2.2')).toMatchObject({ renewed: false });
  const noted = { ...begun, lastSeen: nowSeconds(site.clock), ip: '192.0.2.2' };
  expect(await row(token)).toEqual(noted);
  move(301);
  await sessions.find(token);
  expect(await row(token)).toEqual({ ...noted, lastSeen: nowSeconds(site.clock) });
});

test('a session is prolonged more than a day after it was last prolonged', async () => {
  const sessions = open();
  const token = await sessions.start(userId, 'password', from);
  const begun = await row(token);
  move(day);
  expect(await sessions.find(token)).toMatchObject({ renewed: false });
  expect((await row(token))?.expiresAt).toBe(begun?.expiresAt);
  move(1);
  expect(await sessions.find(token)).toMatchObject({ renewed: true });
  const now = nowSeconds(site.clock);
  expect(await row(token)).toMatchObject({ expiresAt: now + 30 * day, lastSeen: now });
  expect(await sessions.find(token)).toMatchObject({ renewed: false });
});

test('the sessions of a user, the last used first, named by the beginning of their hashes', async () => {
  const sessions = open();
  const first = await sessions.start(userId, 'password', from);
  move(10);
  const second = await sessions.start(userId, 'github', from);
  await sessions.start(await site.addUser(`other${serial}`), 'password', from);
  const listed = await sessions.list(userId);
  expect(listed.map(({ id, method }) => [id, method])).toEqual([
    [hashSecret(second).slice(0, 32), 'github'],
    [hashSecret(first).slice(0, 32), 'password'],
  ]);
  move(30 * day - 11);
  expect(await sessions.list(userId)).toHaveLength(2);
  move(1);
  expect(await sessions.list(userId)).toHaveLength(1);
});

test('a confirmation is noted with its time', async () => {
  const sessions = open();
  const token = await sessions.start(userId, 'password', from);
  move(60);
  await sessions.confirm(hashSecret(token));
  expect(await sessions.find(token)).toMatchObject({ confirmedAt: nowSeconds(site.clock) });
});
