/**
 * Filters, sort and page live in the URL, so a filtered list can be linked and reloaded
 * (docs/rules/console.md#filters).
 */
import { useCallback, useContext, useMemo } from 'react';
import { UNSAFE_DataRouterContext as DataRouter, useSearchParams } from 'react-router';

/** Text values by name; the default of each is left out of the URL. */
export type UrlDefaults = Readonly<Record<string, string>>;

/** A change adds an entry to the history, so that Back undoes it, unless `replace` is set. */
export interface UrlChange {
  readonly replace?: boolean;
}

export function readUrlState<D extends UrlDefaults>(
  parameters: URLSearchParams,
  defaults: D,
): { [K in keyof D]: string } {
  return Object.fromEntries(
    Object.entries(defaults).map(([name, fallback]) => [name, parameters.get(name) ?? fallback]),
  ) as {
    [K in keyof D]: string;
  };
}

/**
 * The parameters after a change. Whatever changes, the list starts at its first page unless the
 * change names one.
 */
export function writeUrlState<D extends UrlDefaults>(
  parameters: URLSearchParams,
  defaults: D,
  change: Partial<Record<keyof D & string, string>>,
): URLSearchParams {
  const next = new URLSearchParams(parameters);
  if (!('p' in change)) next.delete('p');
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === defaults[name]) next.delete(name);
    else next.set(name, value as string);
  }
  return next;
}

/**
 * Reads the parameters of the address as it is now. Those of the last render may be older: a click
 * right after a search would take the search back.
 */
function useAddress(): () => URLSearchParams {
  const router = useContext(DataRouter)?.router;
  return useCallback(() => {
    const { location, navigation } = router?.state ?? {};
    return new URLSearchParams((navigation?.location ?? location)?.search);
  }, [router]);
}

export function useUrlState<const D extends UrlDefaults>(defaults: D) {
  const [parameters, setParameters] = useSearchParams();
  const address = useAddress();
  // Callers pass a constant; its content, not its identity, decides.
  const state = useMemo(() => readUrlState(parameters, defaults), [parameters, defaults]);
  const change = useCallback(
    (values: Partial<Record<keyof D & string, string>>, { replace = false }: UrlChange = {}) => {
      const before = address();
      const next = writeUrlState(before, defaults, values);
      // What changes nothing adds nothing to the history.
      if (next.toString() !== before.toString()) setParameters(next, { replace });
    },
    [address, setParameters, defaults],
  );
  return [state, change] as const;
}

/**
 * One parameter, '' when it is absent. Writing it leaves all others, the page included, as they
 * are.
 */
export function useUrlParameter(name: string) {
  const [parameters, setParameters] = useSearchParams();
  const address = useAddress();
  const write = useCallback(
    (value: string, { replace = false, state }: UrlChange & { readonly state?: unknown } = {}) => {
      const next = address();
      if (value === '') next.delete(name);
      else next.set(name, value);
      setParameters(next, { replace, state });
    },
    [address, setParameters, name],
  );
  return [parameters.get(name) ?? '', write] as const;
}

/** A page number out of the URL, from 1. */
export function pageOf(text: string): number {
  const page = Number(text);
  return Number.isInteger(page) && page > 0 ? page : 1;
}
