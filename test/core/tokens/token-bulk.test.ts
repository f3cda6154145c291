import { expect, test } from 'vitest';
import { codeOf, createTestApp } from '../../support/app.ts';

async function site() {
  const made = await createTestApp();
  const [ann, bob] = [
    await made.as(await made.addUser('ann')),
    await made.as(await made.addUser('bob')),
  ];
  const one = (await ann.token.create({ name: 'one' })).id;
  const two = (await ann.token.create({ name: 'two' })).id;
  const other = (await bob.token.create({ name: 'other' })).id;
  return { ...made, ann, bob, one, two, other };
}

test('of many of my tokens, and never of another’s', async () => {
  const { ann, bob, one, two, other } = await site();
  const shown = await ann.bulk.tokens({ match: {}, change: { status: 2 }, preview: true });
  expect([shown.matched, [...shown.ids].sort()]).toEqual([2, [one, two]]);
  const done = await ann.bulk.tokens({ ids: [one, two, other], change: { status: 2 } });
  expect(done).toMatchObject({ matched: 2, changed: 2 });
  expect((await bob.token.get({ id: other })).status).toBe(1);
  expect(await ann.bulk.tokens({ undo: done.undo })).toMatchObject({ changed: 2 });
  expect((await ann.token.get({ id: one })).status).toBe(1);
  const stolen = await bob.bulk.tokens({
    undo: [{ ids: [one], from: { status: 1 }, to: { status: 2 } }],
  });
  expect(stolen.matched).toBe(0);
});

test('expiry and group are checked for each; deleting says what goes', async () => {
  const { ann, one, two, clock } = await site();
  const later = Math.floor(clock.now() / 1000) + 3600;
  const done = await ann.bulk.tokens({ ids: [one, two], change: { expired_time: later } });
  expect(done.changed).toBe(2);
  expect((await ann.token.get({ id: one })).expired_time).toBe(later);
  const refused = await ann.bulk.tokens({ ids: [one], change: { group: 'nowhere' } });
  expect(refused).toMatchObject({ changed: 0, refused: [{ count: 1 }] });
  const past = await ann.bulk.tokens({ ids: [one], change: { expired_time: 5 } });
  expect(past).toMatchObject({ changed: 0, refused: [{ count: 1 }] });
  const both = ann.bulk.tokens({ ids: [one], change: { delete: true, status: 2 } });
  expect(await codeOf(both)).toBe('invalid_parameter');
  expect(await ann.bulk.tokens({ ids: [one], change: { delete: true } })).toMatchObject({
    changed: 1,
    undo: [],
  });
  expect((await ann.token.list()).total).toBe(1);
});

test('administrators change those of any user below them, with a note in the audit log', async () => {
  const { operator, as, addUser, one, other, root } = await site();
  const admin = await as(await addUser('boss', { role: 10 }));
  const roots = await (await as(root.id)).token.create({ name: 'root’s' });
  const shown = await admin.bulk.userTokens({ match: {}, change: { status: 2 }, preview: true });
  expect(shown.ids).not.toContain(roots.id);
  const done = await admin.bulk.userTokens({ ids: [one, other, roots.id], change: { status: 2 } });
  expect(done).toMatchObject({ changed: 2, refused: [{ count: 1 }] });
  expect((await operator.userTokens.get({ id: other })).status).toBe(2);
  const { items } = await operator.audit.list({ action: 'token.update' });
  expect(items.map(({ target }) => Number(target)).sort()).toEqual([one, other].sort());
});

test('of all users, those that expire in a span, and are extended together', async () => {
  const { ann, one, two, clock, operator: client } = await site();
  const now = Math.floor(clock.now() / 1000);
  const match = { status: 1, expires_from: now, expires_to: now + 7 * 86_400 };
  await ann.bulk.tokens({ ids: [one], change: { expired_time: now + 86_400 } });
  await ann.bulk.tokens({ ids: [two], change: { expired_time: now + 8 * 86_400 } });
  const { items, total } = await client.userTokens.list(match);
  expect([items.map(({ id, username }) => [id, username]), total]).toEqual([[[one, 'ann']], 1]);
  const change = { expired_time: -1 };
  const shown = await client.bulk.userTokens({ match, change, preview: true });
  expect(shown.ids).toEqual([one]);
  expect(await client.bulk.userTokens({ ids: [...shown.ids], change })).toMatchObject({
    changed: 1,
  });
  expect((await client.userTokens.list(match)).total).toBe(0);
});
