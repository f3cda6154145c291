// Covers src/core/accounts/password.ts.
import { describe, expect, test } from 'vitest';
import { createHashingQueue } from '../../../src/core/accounts/password.ts';
import { codeOf, createTestApp, testPassword } from '../../support/app.ts';

describe('the queue of password hashes', () => {
  test('runs one at a time, in order, past failures', async () => {
    const queue = createHashingQueue(9);
    let running = 0;
    const ended: number[] = [];
    const work = (n: number) => async () => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      ended.push(n);
      if (n === 2) throw new Error('two');
      return n;
    };
    const results = await Promise.allSettled([1, 2, 3].map((n) => queue.run(work(n))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(ended).toEqual([1, 2, 3]);
  });

  test('refuses what is beyond its bound, and takes more once there is room', async () => {
    const queue = createHashingQueue(2);
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = [queue.run(() => promise), queue.run(() => promise)];
    expect(await codeOf(queue.run(() => promise))).toBe('sign_in_busy');
    expect(() => queue.checkRoom()).toThrow(/sign_in_busy/);
    resolve();
    await Promise.all(first);
    queue.checkRoom();
    await queue.run(() => promise);
  });
});

test('of a hundred sign-ins at once those beyond the bound are refused, and do not count as attempts', async () => {
  const { app, addUser } = await createTestApp();
  await addUser('ann');
  const signIn = (username: string, password: string) =>
    codeOf(app.accounts.signIn('password', { username, password }));
  const flood = Array.from({ length: 100 }, (_, index) => signIn(`nobody${index}`, 'wrong'));
  const ann = await Promise.all(Array.from({ length: 12 }, () => signIn('ann', testPassword)));
  const codes = await Promise.all(flood);
  const busy = codes.filter((code) => code === 'sign_in_busy').length;
  expect(busy).toBeGreaterThanOrEqual(40);
  expect(codes.filter((code) => code === 'wrong_credentials')).toHaveLength(100 - busy);
  expect(ann).not.toContain('account_locked');
  expect(await signIn('ann', testPassword)).toBe('it did not fail');
});
