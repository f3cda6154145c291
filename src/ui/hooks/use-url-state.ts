/**
 * Filters, sort and page live in the URL, so a filtered list can be linked and reloaded
 * (docs/rules/console.md#filters).
 */
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

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

export function useUrlState<const D extends UrlDefaults>(defaults: D) {
  const [parameters, setParameters] = useSearchParams();
  // Callers pass a constant; its content, not its identity, decides.
  const state = useMemo(() => readUrlState(parameters, defaults), [parameters, defaults]);
  const change = useCallback(
    (values: Partial<Record<keyof D & string, string>>, { replace = false }: UrlChange = {}) => {
      const next = writeUrlState(parameters, defaults, values);
      // What changes nothing adds nothing to the history.
      if (next.toString() !== parameters.toString()) setParameters(next, { replace });
    },
    [parameters, setParameters, defaults],
  );
  return [state, change] as const;
}

/**
 * One parameter, '' when it is absent. Writing it leaves all others, the page included, as they
 * are.
 */
export function useUrlParameter(name: string) {
  const [parameters, setParameters] = useSearchParams();
  const write = useCallback(
    (value: string, { replace = false, state }: UrlChange & { readonly state?: unknown } = {}) =>
      setParameters(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === '') next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace, state },
      ),
    [setParameters, name],
  );
  return [parameters.get(name) ?? '', write] as const;
}

/** A page number out of the URL, from 1. */
export function pageOf(text: string): number {
  const page = Number(text);
  return Number.isInteger(page) && page > 0 ? page : 1;
}
