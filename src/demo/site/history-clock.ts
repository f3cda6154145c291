import { type Clock, systemClock } from '../../core/kernel/clock.ts';

/**
 * A clock that runs through the past as fast as the work is done. Sleeping takes real time and does
 * not move it.
 */
export interface HistoryClock extends Clock {
  /** Moves on by so many ms. */
  advance(ms: number): void;
  /** Moves on to a time in ms; does nothing when that has passed. */
  advanceTo(time: number): void;
}

export function createHistoryClock(start: number): HistoryClock {
  let now = start;
  return {
    now: () => now,
    sleep: systemClock.sleep,
    advance: (ms) => {
      now += ms;
    },
    advanceTo: (time) => {
      now = Math.max(now, time);
    },
  };
}
