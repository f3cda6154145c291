/** URL, calls and filter bar of a list, which derive from its declared filters (core/entities). */
import {
  type Filter,
  type Filters,
  filtersFor,
  type IsShown,
  type Reader,
  writeFilters,
} from '../../core/entities/filters.ts';
import { useIsAdmin } from '../client/session.ts';
import { currentLanguage, useTranslation } from '../i18n/index.ts';
import type { FilterOption } from './filter-bar.tsx';
import type { ListFilter } from './filters.ts';
import { rangeOf, type TimeSpans } from './time-range.ts';

type Name<F extends Filters> = keyof F & string;
/** The names of the URL's parameters, of filters that `Who` has and the bar does not leave out. */
type UrlName<F extends Filters, Who extends Reader, Offers = unknown> = {
  [N in Name<F>]: IsShown<F[N], Who> extends true
    ? Offers extends { readonly [name in N]: false }
      ? never
      : F[N] extends { kind: 'time' }
        ? 'time' | 'start' | 'end'
        : F[N] extends { url: infer Url extends string }
          ? Url
          : N
    : never;
}[Name<F>];
type Bar<F extends Filters, Who extends Reader, Offers> = readonly ListFilter<
  Exclude<UrlName<F, Who, Offers>, 'start' | 'end'>
>[];

type AnyBar = readonly ListFilter<string>[];

const addressOf = (name: string, filter: Filter): string =>
  filter.kind === 'time' ? 'time' : (filter.url ?? name);

/**
 * The URL's parameters with their defaults. `spans`: of the list's time filter. `who`: the URL has
 * only the filters of these readers, and all those of administrators where it is absent.
 */
export function filterUrl<F extends Filters, Who extends Reader = 'admins'>(
  filters: F,
  spans?: TimeSpans,
  who?: Who,
) {
  const names = filtersFor(filters, who ?? 'admins').map(([name, filter]) => [
    addressOf(name, filter),
    '',
  ]);
  const time = spans && { time: spans.initial, start: '', end: '' };
  return { ...Object.fromEntries(names), ...time } as Readonly<Record<UrlName<F, Who>, string>>;
}

/**
 * The parameters of a call that reads what the URL selects. A preset span is counted from now, so
 * it is read again with every call.
 */
export function filterQuery<F extends Filters, Who extends Reader>(
  filters: F,
  state: Readonly<Record<UrlName<F, NoInfer<Who>>, string>>,
  spans: TimeSpans | undefined,
  who: Who,
) {
  const { time = '', start = '', end = '' }: Readonly<Record<string, string>> = state;
  const now = Math.floor(Date.now() / 1000);
  const range = spans && rangeOf({ time, start, end }, now, spans);
  return writeFilters(filters, state, range ?? { start: 0, end: 0 }, who);
}

/** As it stands beside a filter and above a column. */
export function labelOf({ label }: Pick<Filter, 'label'>): string {
  const word = label[currentLanguage()];
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** What only the screen knows of a filter: how it looks, and what it offers. */
interface Offer {
  readonly kind?: 'search' | 'switch';
  readonly width?: number;
  readonly primary?: boolean;
  /** Inside an empty search field. Absent: the label. */
  readonly placeholder?: string;
  readonly hint?: string;
  readonly useOptions?: () => readonly FilterOption[];
  /** Without the one that selects all. */
  readonly options?: readonly FilterOption[];
  readonly always?: boolean;
}

/**
 * The filters as the bar shows them, in their declared order. Those with `options` are menus, those
 * with a `hint` are typed. `false`: the screen shows it in its own way, or not at all. `who`: where
 * it is not the user's role that says it.
 */
export function useFilterBar<
  F extends Filters,
  const Offers extends Readonly<Partial<Record<Name<F>, Offer | false>>>,
  Who extends Reader = 'admins',
>(filters: F, spans: TimeSpans | undefined, offers: Offers, who?: Who): Bar<F, Who, Offers> {
  const { t } = useTranslation();
  const user = useIsAdmin() ? 'admins' : 'owner';
  const own: Readonly<Record<string, Offer | false | undefined>> = offers;
  const all = { value: '', label: t('common.all') };
  const bar = filtersFor(filters, who ?? user).flatMap(([name, filter]): AnyBar => {
    const offer = own[name] ?? {};
    if (offer === false) return [];
    const label = labelOf(filter);
    if (filter.kind === 'time') return [{ kind: 'time', name: 'time', label, spans }];
    const named = { name: addressOf(name, filter), label };
    const { kind, width, primary, placeholder = label, hint = '', useOptions, options } = offer;
    if (kind === 'search') return [{ ...named, kind, placeholder, width, primary }];
    if (kind === 'switch') return [{ ...named, kind }];
    const { always } = offer;
    if (options !== undefined)
      return [{ ...named, kind: 'menu', options: [all, ...options], always }];
    return [{ ...named, kind: 'text', hint, useOptions, digitsOnly: filter.kind !== 'text' }];
  });
  return bar as Bar<F, Who, Offers>;
}
