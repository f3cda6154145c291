/** The timers of one reply. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ReplyTimers } from '../../../../src/core/relay/carry/reply-timers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('silence ends once nothing came for its limit, and never without one', () => {
  const timers = new ReplyTimers();
  const expire = vi.fn();
  timers.watchSilence(100, expire);
  for (let passed = 0; passed < 5; passed += 1) {
    vi.advanceTimersByTime(90);
    timers.progressed();
  }
  expect(expire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(expire).toHaveBeenCalledTimes(1);

  timers.watchSilence(0, expire);
  vi.advanceTimersByTime(1_000_000);
  expect(expire).toHaveBeenCalledTimes(1);
});

test('silence ends, too, where its timer is early and its time runs out just then', () => {
  const timers = new ReplyTimers();
  const expire = vi.fn();
  const readings = [1000, 1099.9, 1100.1];
  const now = vi.spyOn(performance, 'now').mockImplementation(() => readings.shift() ?? 1102);
  timers.watchSilence(100, expire);
  vi.advanceTimersByTime(100);
  vi.advanceTimersByTime(10);
  now.mockRestore();
  expect(expire).toHaveBeenCalledTimes(1);
});

test('the quiet end waits anew with each call', () => {
  const timers = new ReplyTimers();
  const end = vi.fn();
  timers.endAfter(100, end);
  vi.advanceTimersByTime(90);
  timers.endAfter(100, end);
  vi.advanceTimersByTime(90);
  expect(end).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10);
  expect(end).toHaveBeenCalledTimes(1);
});

test('a reply is opened once, and not where it has begun', () => {
  const timers = new ReplyTimers();
  const [open, ping] = [vi.fn(), vi.fn()];
  timers.openAfter(100, open);
  vi.advanceTimersByTime(60);
  timers.openAfter(100, open); // the first call counts
  vi.advanceTimersByTime(40);
  expect(open).toHaveBeenCalledTimes(1);

  const begun = new ReplyTimers();
  begun.openAfter(100, open);
  begun.startPings(30, ping);
  vi.advanceTimersByTime(100);
  expect([open, ping].map(({ mock }) => mock.calls.length)).toEqual([1, 3]);
  begun.stopPings();
  vi.advanceTimersByTime(100);
  expect(ping).toHaveBeenCalledTimes(3);
});

test('after a stop nothing runs', () => {
  const timers = new ReplyTimers();
  const run = vi.fn();
  timers.watchSilence(10, run);
  timers.endAfter(10, run);
  timers.openAfter(10, run);
  timers.startPings(10, run);
  timers.openAfter(10, run);
  timers.stop();
  vi.advanceTimersByTime(100);
  expect(run).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
