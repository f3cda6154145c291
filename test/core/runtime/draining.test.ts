/** When a gateway that is to leave is empty (docs/rules/process.md#drain). */
import { expect, test } from 'vitest';
import { createDraining, type Load } from '../../../src/core/runtime/draining.ts';
import { createMovingClock } from '../../support/moving-clock.ts';

const start = Date.UTC(2026, 10, 20, 12);
const seconds = 1 / 60;

function leaving(load: Partial<Load> = {}) {
  const clock = createMovingClock(start);
  const now: { -readonly [Name in keyof Load]: Load[Name] } = {
    requests: 0,
    jobs: 0,
    lastRequestAt: 0,
    ...load,
  };
  const followed: boolean[] = [];
  const seen: string[] = [];
  const draining = createDraining({
    load: () => now,
    onLeaving: (isLeaving) => void followed.push(isLeaving),
    announce: async () => void seen.push(draining.progress().state),
    clock,
  });
  let hasStopped = false;
  void draining.stopped.then(() => {
    hasStopped = true;
  });
  return { clock, now, followed, seen, draining, hasStopped: () => hasStopped };
}

test('it is empty when nothing is under way and nothing has come for ten seconds', async () => {
  const { clock, now, draining } = leaving({ requests: 2, jobs: 1 });
  expect(draining.progress()).toEqual({ wish: '', state: 'serving', underWay: 3 });
  draining.follow('drain');
  await clock.moveMinutes(1);
  expect(draining.progress()).toEqual({ wish: 'drain', state: 'draining', underWay: 3 });
  now.jobs = 0;
  now.requests = 1;
  expect(draining.progress()).toMatchObject({ state: 'draining', underWay: 1 });
  now.lastRequestAt = clock.now() - 4000;
  now.requests = 0;
  expect(draining.progress()).toMatchObject({ state: 'draining', underWay: 0 });
  await clock.moveMinutes(5 * seconds);
  expect(draining.progress().state).toBe('draining');
  await clock.moveMinutes(1 * seconds);
  expect(draining.progress().state).toBe('empty');
  now.requests = 1;
  expect(draining.progress().state).toBe('draining');
  draining.close();
});

test('it tells others how far it is until it takes work again', async () => {
  const { clock, followed, seen, draining } = leaving();
  draining.follow('drain');
  draining.follow('drain');
  expect(followed).toEqual([true]);
  await new Promise((resolve) => setImmediate(resolve)); // the first look
  await clock.moveMinutes(12 * seconds);
  expect(seen.slice(0, 2)).toEqual(['draining', 'draining']);
  expect(seen.at(-1)).toBe('empty');
  draining.follow('');
  expect(followed).toEqual([true, false]);
  expect(draining.isLeaving).toBe(false);
  const before = seen.length;
  await clock.moveMinutes(1);
  expect(seen).toHaveLength(before);
});

test('it is to be stopped once it is empty, and only where that was requested', async () => {
  const { clock, now, followed, draining, hasStopped } = leaving({ requests: 1 });
  draining.follow('drain');
  await clock.moveMinutes(1);
  now.requests = 0;
  await clock.moveMinutes(1);
  expect([draining.progress().state, hasStopped()]).toEqual(['empty', false]);
  now.requests = 1;
  draining.follow('stop');
  await clock.moveMinutes(1);
  expect(hasStopped()).toBe(false);
  now.requests = 0;
  await clock.moveMinutes(1);
  expect(hasStopped()).toBe(true);
  expect(followed).toEqual([true]);
});

test('before the process stops it leaves, whatever is requested of it', async () => {
  const { followed, draining } = leaving();
  draining.leave();
  draining.follow('drain');
  draining.follow('');
  expect([draining.isLeaving, draining.progress().state]).toEqual([true, 'draining']);
  expect(followed).toEqual([true]);
  draining.close();
});
