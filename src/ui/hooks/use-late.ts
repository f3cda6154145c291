import { useEffect, useState } from 'react';
import { loadStylesAgain } from '../browser/late-styles.ts';
import { client } from '../client/api.ts';
import { useConnection } from '../client/connection.ts';
import { toastProblem } from '../client/failures.ts';
import { translate } from '../i18n/index.ts';

interface LateOptions {
  /** Falsy: nothing is wanted yet. Another value is another wish, which tries again. */
  readonly wish: unknown;
  /** It cannot be had now. */
  readonly onFailure?: () => void;
  /** Nothing is said where the server answers, but has not got the file any more. */
  readonly quiet?: boolean;
}

/** What was loaded, by what loads it. */
const known = new WeakMap<() => Promise<unknown>, unknown>();

/** Loads it before it is wanted: by then the server may be away. */
export function loadAhead(load: () => Promise<unknown>): void {
  // One that does not come is tried again when it is wanted.
  void load().then(
    (part) => known.set(load, part),
    () => undefined,
  );
}

/**
 * What is loaded when it is first wanted, for what stands around the screens: a part that does not
 * load would take the whole page away. It is tried again with the next wish, and once the server is
 * back.
 */
export function useLate<T>(
  load: () => Promise<T>,
  { wish, onFailure, quiet = false }: LateOptions,
): T | undefined {
  const [, setLoaded] = useState(false);
  const part = known.get(load) as T | undefined;
  const isLost = useConnection() === 'lost';
  const isMissing = Boolean(wish) && part === undefined && !isLost;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a wish begins a load
  useEffect(() => {
    if (!isMissing) return;
    Promise.all([load(), loadStylesAgain()]).then(
      ([loaded]) => {
        known.set(load, loaded);
        setLoaded(true);
      },
      () => {
        onFailure?.();
        // Learns whether the server can be reached.
        client.system.status().then(
          () => quiet || toastProblem(translate('late.text')),
          () => undefined,
        );
      },
    );
  }, [isMissing, wish]);
  return part;
}
