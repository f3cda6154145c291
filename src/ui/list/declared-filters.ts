/** URL, calls and filter bar of a list, which derive from its declared filters (core/entities). */
import {
  type Filter,
  type Filters,
  filtersFor,
  type Reader,
  writeFilters,
} from '../../core/entities/filters.ts';
import { useIsAdmin } from '../client/session.ts';
import { currentLanguage, useTranslation } from '../i18n/index.ts';
import type { FilterOption } from './filter-bar.tsx';
import type { ListFilter } from './filters.ts';
import { rangeOf, type TimeSpans } from './time-range.ts';

type Name<F extends Filters> = keyof F & string;
type UrlName<F extends Filters> = Name<F> | 'time' | 'start' | 'end';
type UrlOf<F extends Filters> = Readonly<Record<UrlName<F>, string>>;

/** The URL's parameters with their defaults, for a list with a time filter. */
export function filterUrl<F extends Filters>(filters: F, spans: TimeSpans): UrlOf<F> {
  const names = Object.keys(filters).map((name) => [name, '']);
  return { ...Object.fromEntries(names), time: spans.initial, start: '', end: '' } as UrlOf<F>;
}

/**
 * The parameters of a call that reads what the URL selects. A preset span is counted from now, so
 * it is read again with every call.
 */
export function filterQuery<F extends Filters, Who extends Reader>(
  filters: F,
  state: Readonly<Record<UrlName<F>, string>>,
  spans: TimeSpans,
  who: Who,
) {
  const range = rangeOf(state, Math.floor(Date.now() / 1000), spans);
  return writeFilters(filters, state, range, who);
}

/** As it stands beside a filter and above a column. */
export function labelOf({ label }: Pick<Filter, 'label'>): string {
  const word = label[currentLanguage()];
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** What only the screen knows of a filter: how it looks, and what it offers. */
interface Offer {
  readonly kind?: 'search';
  readonly width?: number;
  readonly hint?: string;
  readonly useOptions?: () => readonly FilterOption[];
  /** Without the one that selects all. */
  readonly options?: readonly FilterOption[];
}

/**
 * The filters as the bar shows them, in their declared order. Those with `options` are menus, those
 * with a `hint` are typed.
 */
export function useFilterBar<F extends Filters>(
  filters: F,
  spans: TimeSpans,
  offers: Readonly<Partial<Record<Name<F>, Offer>>>,
): readonly ListFilter<Name<F> | 'time'>[] {
  const { t } = useTranslation();
  const who = useIsAdmin() ? 'admins' : 'owner';
  const own: Readonly<Record<string, Offer | undefined>> = offers;
  const all = { value: '', label: t('common.all') };
  return filtersFor(filters, who).map(([name, filter]) => {
    const label = labelOf(filter);
    if (filter.kind === 'time') return { kind: 'time', name: 'time', label, spans };
    const named = { name: name as Name<F>, label };
    const { kind, width, hint = '', useOptions, options } = own[name] ?? {};
    if (kind === 'search') return { ...named, kind, placeholder: label, width };
    if (options !== undefined) return { ...named, kind: 'menu', options: [all, ...options] };
    return { ...named, kind: 'text', hint, useOptions, digitsOnly: filter.kind !== 'text' };
  });
}
