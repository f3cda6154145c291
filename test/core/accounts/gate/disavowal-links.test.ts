/** Links by which owners disavow a change: how long they are good, and which go with another. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Undo } from '../../../../src/core/accounts/gate/changed-way.ts';
import { createDisavowalLinks } from '../../../../src/core/accounts/gate/disavowal-links.ts';
import type { User } from '../../../../src/core/storage/storage.ts';
import type { WayIn } from '../../../../src/core/vocabulary/ways-in.ts';
import { createLastingApp, type TestApp } from '../../../support/app.ts';

let site: TestApp;
let serial = 0;
let userId: number;
let email: string;
beforeAll(async () => {
  site = await createLastingApp();
});
afterAll(() => site.app.close());
beforeEach(async () => {
  serial += 1;
  userId = await site.addUser(`user${serial}`);
  email = `user${serial}@example.org`;
  await site.app.storage.users.update(userId, { email, emailVerified: true });
});

const links = () =>
  createDisavowalLinks({ storage: site.app.storage, clock: site.clock, ids: site.app.ids });
const find = async (id = userId): Promise<User> => {
  const user = await site.app.storage.users.find(id);
  if (user === null) throw new Error('no user');
  return user;
};
const linkOf = async (way: WayIn, change: { removed?: boolean; undo?: Undo } = {}) =>
  links().make(await find(), way, change);
const use = (token: string) => links().use(site.app.storage, token);

test('links say what was changed, once, for three days', async () => {
  const undo = { provider: 'github', subject: 'new', former: 'old' };
  const token = await linkOf('identity', { undo });
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(await use(`${token}x`)).toBeNull();
  site.clock.move((3 * 24 * 3600 - 1) * 1000);
  const link = { userId, address: email, way: 'identity', removed: false, undo };
  expect(await use(token)).toEqual(link);
  expect(await use(token)).toBeNull();
  site.clock.move(1);
  const late = await linkOf('password', { removed: true });
  expect(await use(late)).toMatchObject({ removed: true, undo: undefined });
  site.clock.move(1);
  const tooLate = await linkOf('password');
  site.clock.move(3 * 24 * 3600 * 1000);
  expect(await use(tooLate)).toBeNull();
});
test('links go with one that was made before them, or at the same moment', async () => {
  const first = await linkOf('password');
  site.clock.move(1);
  const used = await linkOf('email');
  const atOnce = await linkOf('email');
  site.clock.move(1);
  const later = await linkOf('totp');
  expect(await use(used)).toMatchObject({ way: 'email' });
  expect(await use(later)).toBeNull();
  site.clock.move(1);
  const fresh = await linkOf('phone');
  // Those before it are still good, and take all up to now with them.
  expect(await use(first)).toMatchObject({ way: 'password' });
  expect(await use(atOnce)).toBeNull();
  expect(await use(fresh)).toBeNull();
  site.clock.move(1);
  expect(await use(await linkOf('phone'))).toMatchObject({ way: 'phone' });
});
test('links of another account stay good', async () => {
  const token = await linkOf('password');
  const foreign = await links().make(
    await find(await site.addUser(`other${serial}`)),
    'password',
    {},
  );
  await use(token);
  expect(await use(foreign)).not.toBeNull();
});
test('links that went stay gone after a newer one is used', async () => {
  const first = await linkOf('password');
  site.clock.move(1);
  const second = await linkOf('password');
  await use(first);
  site.clock.move(1);
  await use(await linkOf('password'));
  expect(await use(second)).toBeNull();
});
