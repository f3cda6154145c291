/**
 * What a list owns: filters, sort and page in the URL, the rows they select, and which of the rows
 * are selected.
 */
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { pageOf, type UrlChange, type UrlDefaults, useUrlState } from '../hooks/use-url-state.ts';
import { usePageSize } from './use-page-size.ts';

export type RowKey = string | number;

export interface ListChange extends UrlChange {
  /** Open rows stay open. */
  readonly keepsOpen?: boolean;
}

/** The URL's parameter for open rows. Other rows begin closed. */
export const openParameter = 'open';

/** What a page of rows is read with: the URL's parameters, and the page from 1. */
export interface ListRequest<Name extends string> {
  readonly state: Readonly<Record<Name, string>>;
  readonly page: number;
  readonly pageSize: number;
}

interface ListSource<Item, Row, D extends UrlDefaults> {
  /** Place in the query cache; parameters and page are added to it. */
  readonly queryKey: QueryKey;
  /** The URL's parameters with their defaults. A constant. */
  readonly url: D;
  /**
   * Parameters that select no rows (sort, grouping) or are always set (time): "clear all" leaves
   * them.
   */
  readonly keeps?: readonly (keyof D & string)[];
  /**
   * The parameter that groups rows: while the other kind of page loads, the items of before are not
   * shown, which may be thousands.
   */
  readonly groupedBy?: keyof D & string;
  readonly fetchPage: (request: ListRequest<keyof D & string>) => Promise<{
    readonly items: readonly Item[];
    /** Of all pages. */
    readonly total: number;
  }>;
  /** Rows of a page's items: grouped, read or as they are. Memoised by the caller. */
  readonly toRows: (
    items: readonly Item[],
    state: Readonly<Record<keyof D & string, string>>,
  ) => readonly Row[];
  readonly keyOf: (row: Row) => RowKey;
}

export interface List<Row, Name extends string> {
  readonly state: Readonly<Record<Name, string>>;
  /** Writes to the URL; the list starts at its first page again. */
  change(values: Partial<Record<Name, string>>, how?: ListChange): void;
  /** Undefined until there is something to show. */
  readonly rows: readonly Row[] | undefined;
  readonly total: number | undefined;
  readonly page: number;
  readonly pageSize: number;
  goTo(page: number): void;
  setPageSize(size: number): void;
  readonly filtered: boolean;
  /** Removes the filters. */
  clear(): void;
  /** Removes everything from the URL that can hide rows, kept parameters included. */
  clearAll(): void;
  readonly error: unknown;
  readonly fetching: boolean;
  refetch(): void;
  readonly keyOf: (row: Row) => RowKey;
  /** Names what is shown: filters, page and size. */
  readonly view: string;
  /** Only rows that are shown: other filters or another page begin without a selection. */
  readonly selected: readonly Row[];
  select(rows: readonly Row[]): void;
}

export function useList<Item, Row, const D extends UrlDefaults>(
  source: ListSource<Item, Row, D>,
): List<Row, keyof D & string> {
  type Name = keyof D & string;
  const { queryKey, url, keeps = [], groupedBy, fetchPage, toRows, keyOf } = source;
  const defaults = useMemo(() => ({ ...url, p: '1', [openParameter]: '' }), [url]);
  const [parameters, writeUrl] = useUrlState<UrlDefaults>(defaults);
  const changeUrl = useCallback(
    (
      values: Readonly<Record<string, string | undefined>>,
      { keepsOpen = false, ...how }: ListChange = {},
    ) =>
      writeUrl(
        { ...values, ...(keepsOpen ? {} : { [openParameter]: '' }) } as Record<string, string>,
        how,
      ),
    [writeUrl],
  );
  const [pageSize, storePageSize] = usePageSize();
  const page = pageOf(parameters['p'] ?? '');
  const names = Object.keys(url) as Name[];
  const state = Object.fromEntries(names.map((name) => [name, parameters[name]])) as Record<
    Name,
    string
  >;
  const change = (values: Partial<Record<Name, string>>, how?: ListChange) =>
    changeUrl(values, how);
  const goTo = useCallback(
    (next: number, how?: UrlChange) => changeUrl({ p: String(next) }, how),
    [changeUrl],
  );

  const query = useQuery({
    queryKey: [...queryKey, state, page, pageSize],
    queryFn: () => fetchPage({ state, page, pageSize }),
    placeholderData: (before, query) => {
      const earlier = query?.queryKey[queryKey.length] as typeof state | undefined;
      return groupedBy === undefined || earlier?.[groupedBy] === state[groupedBy]
        ? before
        : undefined;
    },
  });
  const { data, isPlaceholderData } = query;

  // The last row of the last page was deleted: the list moves to the last page that exists.
  const lastPage = data === undefined ? page : Math.max(1, Math.ceil(data.total / pageSize));
  const isBeyondEnd = data !== undefined && !isPlaceholderData && page > lastPage;
  useEffect(() => {
    if (isBeyondEnd) goTo(lastPage, { replace: true });
  }, [isBeyondEnd, lastPage, goTo]);

  // An empty page of before tells nothing about this one.
  const items =
    isBeyondEnd || (isPlaceholderData && data?.items.length === 0) ? undefined : data?.items;
  const stateText = JSON.stringify(state);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state's content, not its identity, decides
  const rows = useMemo(
    () => (items === undefined ? undefined : toRows(items, state)),
    [items, toRows, stateText],
  );

  const view = `${stateText} ${page} ${pageSize}`;
  const [selection, setSelection] = useState<{
    readonly view: string;
    readonly keys: ReadonlySet<RowKey>;
  }>();
  const selected = useMemo(() => {
    if (selection === undefined || selection.view !== view) return [];
    return (rows ?? []).filter((row) => selection.keys.has(keyOf(row)));
  }, [selection, view, rows, keyOf]);

  const reset = (cleared: readonly Name[]) =>
    changeUrl(Object.fromEntries(cleared.map((name) => [name, url[name] ?? ''])));
  const filters = names.filter((name) => !keeps.includes(name));
  return {
    state,
    change,
    rows,
    total: data?.total,
    page: Math.min(page, lastPage),
    pageSize,
    goTo: (next) => goTo(next),
    setPageSize: (size) => {
      storePageSize(size);
      goTo(1, { replace: true });
    },
    filtered: filters.some((name) => state[name] !== url[name]),
    clear: () => reset(filters),
    clearAll: () => reset(names),
    error: query.error,
    fetching: query.isFetching,
    refetch: () => void query.refetch(),
    keyOf,
    view,
    selected,
    select: (next) => setSelection({ view, keys: new Set(next.map(keyOf)) }),
  };
}
