import { expect, test } from 'vitest';
import { createFresh } from '../../../src/core/catalog/fresh.ts';
import { createTestClock } from '../../support/app.ts';

test('a value is loaded once until it is dropped or too old', async () => {
  const clock = createTestClock();
  let loads = 0;
  const fresh = createFresh(async () => ++loads, { clock, maxAge: 1000 });
  expect(await Promise.all([fresh.get(), fresh.get()])).toEqual([1, 1]);
  clock.move(999);
  expect(await fresh.get()).toBe(1);
  clock.move(1);
  expect(await fresh.get()).toBe(2);
  fresh.drop();
  expect(await fresh.get()).toBe(3);
});

test('a load that began before a change is not kept after it, and a failure is not kept', async () => {
  const clock = createTestClock();
  const waiting: ((value: string) => void)[] = [];
  const fresh = createFresh(() => new Promise<string>((resolve) => waiting.push(resolve)), {
    clock,
    maxAge: 1000,
  });
  const before = fresh.get();
  fresh.drop();
  const after = fresh.get();
  waiting[1]?.('new');
  waiting[0]?.('old');
  expect([await before, await after, await fresh.get()]).toEqual(['old', 'new', 'new']);

  let fails = true;
  const failing = createFresh(async () => (fails ? Promise.reject(new Error('down')) : 'up'), {
    clock,
    maxAge: 1000,
  });
  await expect(failing.get()).rejects.toThrow('down');
  fails = false;
  expect(await failing.get()).toBe('up');
});
