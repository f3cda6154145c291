/** How long, how much and how many: docs/rules/streams.md#client-gone. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LateReaders } from '../../../../src/core/relay/client/late-readers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('stops after two seconds', () => {
  const stop = vi.fn();
  new LateReaders().open(stop);
  vi.advanceTimersByTime(1999);
  expect(stop).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(stop).toHaveBeenCalledOnce();
});

it('stops at once after 256 KiB', () => {
  const stop = vi.fn();
  const reader = new LateReaders().open(stop);
  reader?.note(200 * 1024);
  reader?.note(56 * 1024);
  expect(stop).not.toHaveBeenCalled();
  reader?.note(1);
  expect(stop).toHaveBeenCalledOnce();
});

it('one that was closed does not stop', () => {
  const stop = vi.fn();
  const reader = new LateReaders().open(stop);
  reader?.close();
  reader?.note(2 ** 30);
  vi.advanceTimersByTime(10_000);
  expect(stop).not.toHaveBeenCalled();
});

it('are 64 at once; each that is closed leaves room for one', () => {
  const readers = new LateReaders();
  const open = () => readers.open(() => undefined);
  const all = Array.from({ length: 64 }, open);
  expect(all).not.toContain(undefined);
  expect(open()).toBeUndefined();
  all[0]?.close();
  all[0]?.close();
  expect(open()).toBeDefined();
  expect(open()).toBeUndefined();
});
