import type { Clock } from '../kernel/clock.ts';

/**
 * A value that is loaded when it is first needed, and again after it was dropped or has become too
 * old.
 */
export interface Fresh<T> {
  get(): Promise<T>;
  drop(): void;
}

/**
 * `maxAge` in milliseconds. Loads that are under way while the value is dropped are not kept, nor
 * are those that fail.
 */
export function createFresh<T>(
  load: () => Promise<T>,
  { clock, maxAge }: { clock: Clock; maxAge: number },
): Fresh<T> {
  let held: { readonly value: Promise<T>; readonly until: number } | undefined;
  return {
    get: () => {
      if (held !== undefined && clock.now() < held.until) return held.value;
      const value = load();
      const entry = { value, until: clock.now() + maxAge };
      held = entry;
      value.catch(() => {
        if (held === entry) held = undefined;
      });
      return value;
    },
    drop: () => {
      held = undefined;
    },
  };
}
