// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useCountdown } from '../../../src/ui/hooks/use-countdown.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('counts the seconds, and starts again', () => {
  const { result } = renderHook(() => useCountdown(30));
  expect(result.current.left).toBe(0);
  act(() => result.current.start());
  expect(result.current.left).toBe(30);
  act(() => vi.advanceTimersByTime(2000));
  expect(result.current.left).toBe(28);
  act(() => result.current.startFrom(90));
  expect(result.current.left).toBe(90);
  act(() => vi.advanceTimersByTime(90_000));
  expect(result.current.left).toBe(0);
});

test('has ended after the time during which the page did not run', () => {
  const { result } = renderHook(() => useCountdown(60));
  act(() => result.current.start());
  act(() => vi.advanceTimersByTime(1000));
  vi.setSystemTime(Date.now() + 59_000);
  act(() => vi.advanceTimersByTime(1000));
  expect(result.current.left).toBe(0);
});
