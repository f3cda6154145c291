/**
 * A clock that moves only when it is moved; sleepers wake in the order of their time when it passes
 * them.
 */
import { expect } from 'vitest';
import type { Clock } from '../../src/core/kernel/clock.ts';

interface Sleeper {
  readonly until: number;
  wake(): void;
}

export interface MovingClock extends Clock {
  moveMinutes(minutes: number): Promise<void>;
}

export function createMovingClock(start: number): MovingClock {
  let now = start;
  const sleepers = new Set<Sleeper>();
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const sleeper: Sleeper = {
          until: now + ms,
          wake: () => {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      }),
    async moveMinutes(minutes: number) {
      const end = now + minutes * 60_000;
      for (;;) {
        const next = [...sleepers].sort((a, b) => a.until - b.until)[0];
        if (next === undefined || next.until > end) break;
        now = Math.max(now, next.until);
        next.wake();
        await settle();
      }
      now = end;
    },
  };
}

/**
 * Minute by minute, each when the jobs of the last one have ended: in one move the time limit of a
 * job passes before it has had a turn on a busy machine.
 */
export async function passMinutes(
  minutes: number,
  clock: MovingClock,
  jobs: { underWay(): number },
): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    await clock.moveMinutes(1);
    await expect.poll(() => jobs.underWay(), { interval: 5 }).toBe(0);
  }
}

export interface JumpingClock extends Clock {
  /** Later at once: each sleeper that is due by then wakes, and what it sleeps next begins there. */
  jump(ms: number): void;
}

/** For long spans: schedules skip what a clock that goes would have had them do in between. */
export function createJumpingClock(start: number): JumpingClock {
  let now = start;
  const sleepers = new Set<Sleeper>();
  return {
    now: () => now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const sleeper: Sleeper = { until: now + ms, wake: resolve };
        sleepers.add(sleeper);
        const abort = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason as Error);
        };
        if (signal?.aborted === true) abort();
        signal?.addEventListener('abort', abort, { once: true });
      }),
    jump: (ms) => {
      now += ms;
      for (const sleeper of [...sleepers].filter(({ until }) => until <= now)) {
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
  };
}
