/** What is remembered of a browser before its user signs in. */
import { expect, test } from 'vitest';
import { createTestApp, openBeside } from '../../support/app.ts';

const visit = { userId: 0, affCode: 'AFF1', nonce: 'n', verifier: 'v' };

test('a visit to a provider ends once, in the browser that began it, on any process', async () => {
  const { app } = await createTestApp();
  const { preLogins } = app.accounts;
  const beside = await openBeside(app, app.cluster);
  const token = preLogins.newToken();
  expect(preLogins.isToken(token)).toBe(true);
  const [first, second] = [
    await preLogins.beginVisit(token, visit),
    await preLogins.beginVisit(token, { ...visit, userId: 7 }),
  ];
  expect(await preLogins.endVisit(preLogins.newToken(), first)).toBeNull();
  expect(await preLogins.endVisit(token, 'another state')).toBeNull();
  const ends = [preLogins, beside.accounts.preLogins, preLogins].map((side) =>
    side.endVisit(token, first),
  );
  expect((await Promise.all(ends)).filter((end) => end !== null)).toEqual([visit]);
  expect(await preLogins.endVisit(token, first)).toBeNull();
  expect(await preLogins.endVisit(token, second)).toEqual({ ...visit, userId: 7 });
});

test('a visit expires after ten minutes', async () => {
  const { app, clock } = await createTestApp();
  const { preLogins } = app.accounts;
  const token = preLogins.newToken();
  const state = await preLogins.beginVisit(token, visit);
  clock.move(10 * 60_000);
  expect(await preLogins.endVisit(token, state)).toBeNull();
});

test('a passed human check serves five calls within ten minutes, however many come at once', async () => {
  const { app, clock } = await createTestApp();
  const { preLogins } = app.accounts;
  const beside = await openBeside(app, app.cluster);
  const token = preLogins.newToken();
  const use = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        (index % 2 ? beside.accounts.preLogins : preLogins).usePass(token),
      ),
    );
  const granted = (uses: readonly boolean[]) => uses.filter(Boolean).length;
  expect(granted(await use(2))).toBe(0);
  await preLogins.grantPass(token);
  expect(granted(await use(9))).toBe(5);
  await preLogins.grantPass(token);
  expect(granted(await use(3))).toBe(3);
  expect(await preLogins.usePass(preLogins.newToken())).toBe(false);
  clock.move(10 * 60_000);
  expect(granted(await use(1))).toBe(0);
});
