/**
 * The filters of a list, declared once under the names that people use in the console's URL, as
 * flags and in storage. The query of the API (contract/filter-schema.ts), the conditions
 * (storage/filter-conditions.ts), the flags (cli/command/filter-flags.ts) and the console's filter
 * bar (ui/list/declared-filters.ts) derive from the declaration.
 */
import type { Text } from '../kernel/text.ts';

/** Who reads a list: administrators all rows, everybody else their own. */
export type Reader = 'admins' | 'owner';

interface Declared {
  /** A noun, lower case in English. */
  readonly label: Text;
  /** Only calls of administrators have it. */
  readonly for?: 'admins';
  /** The repository or service writes the condition: it is not one comparison with one column. */
  readonly own?: true;
}

interface OneParameter extends Declared {
  /** The parameter of the API. */
  readonly wire: string;
  /** The column, where its name differs from the parameter's. */
  readonly column?: string;
  /** It selects one row, which is found whatever its time is. */
  readonly anyTime?: true;
  /** It names a user, by name or, where the parameter is `user_id`, by id. */
  readonly names?: 'user';
}

/** '' does not filter. */
interface TextFilter extends OneParameter {
  readonly kind: 'text';
  /** `pattern`: a `%` at the start or end stands for any text. Absent: exact. */
  readonly match?: 'pattern';
  /** Spaces around it are removed. */
  readonly trim?: true;
  /** What people choose from. Other texts are found as well. */
  readonly choices?: readonly string[];
}

/** 0 does not filter. `code`: a status or type, which may be negative; `id`: of a row. */
interface NumberFilter extends OneParameter {
  readonly kind: 'code' | 'id';
}

/** Two parameters, both bounds inclusive, 0 for an open one. One per list. */
interface TimeFilter extends Declared {
  readonly kind: 'time';
  readonly wire: readonly [from: string, to: string];
  readonly column: string;
  /** Units of parameters and column per second. Absent: 1. */
  readonly unit?: 1000;
}

export type Filter = TextFilter | NumberFilter | TimeFilter;
export type Filters = Readonly<Record<string, Filter>>;

/**
 * Checks a declaration and keeps its literal types.
 *
 * @example
 *   const filters = defineFilters({
 *     model: { kind: 'text', match: 'pattern', wire: 'model_name', label: { en: 'model', zh: '模型' } },
 *     channel: { kind: 'id', wire: 'channel', column: 'channel_id', for: 'admins', label: { en: 'channel', zh: '渠道' } },
 *     time: { kind: 'time', wire: ['start', 'end'], column: 'created_at', label: { en: 'time', zh: '时间' } },
 *   });
 *
 *   readFilters(filters, { model_name: 'gpt-5%', channel: 3, start: 100, end: 0 });
 *   // → { model: 'gpt-5%', channel: 3, from: 100 }
 *   readFilters(filters, { model_name: '', channel: 3 }, 'owner');
 *   // → {}
 */
export function defineFilters<const F extends Filters>(filters: F): F {
  return filters;
}

// ---- types that derive from a declaration
// -------------------------------------------------------------------------

type Name<F extends Filters> = keyof F & string;
type NamesOf<F extends Filters, Kind extends Filter['kind'], Who extends Reader> = {
  [N in Name<F>]: F[N] extends { kind: Kind }
    ? Who extends 'admins'
      ? N
      : F[N] extends { for: 'admins' }
        ? never
        : N
    : never;
}[Name<F>];
/** The names of texts, of numbers, and of the parameters of times. */
export type TextName<F extends Filters, Who extends Reader = 'admins'> = NamesOf<F, 'text', Who>;
export type NumberName<F extends Filters, Who extends Reader = 'admins'> = NamesOf<
  F,
  'code' | 'id',
  Who
>;
export type TimeParameter<F extends Filters> = {
  [N in Name<F>]: F[N] extends { kind: 'time'; wire: readonly [infer From, infer To] }
    ? (From | To) & string
    : never;
}[Name<F>];
export type Wire<F extends Filters, N extends keyof F> = F[N]['wire'] & string;

/** The parameters of the API, as they are parsed. */
export type FilterQuery<F extends Filters, Who extends Reader = 'admins'> = {
  readonly [N in TextName<F, Who> as Wire<F, N>]: string;
} & { readonly [N in NumberName<F, Who> as Wire<F, N>]: number } & {
  readonly [P in TimeParameter<F>]: number;
};

/** What is filtered by; absent, '' and 0: not by that. Times have the unit of their column. */
export type FilterValues<F extends Filters> = { readonly [N in TextName<F>]?: string } & {
  readonly [N in NumberName<F>]?: number;
} & { readonly from?: number; readonly to?: number };

// ---- reading and writing the parameters
// -------------------------------------------------------------------------

/** The filters that a reader has, in their declared order. */
export function filtersFor(filters: Filters, who: Reader): readonly (readonly [string, Filter])[] {
  return Object.entries(filters).filter(
    ([, filter]) => who === 'admins' || filter.for === undefined,
  );
}

/** The values of the parameters that filter. Parameters that the reader does not have are ignored. */
export function readFilters<F extends Filters>(
  filters: F,
  query: Partial<FilterQuery<F>>,
  who: Reader = 'admins',
): FilterValues<F> {
  const given: Readonly<Record<string, unknown>> = query;
  const values = filtersFor(filters, who).flatMap(([name, filter]) =>
    filter.kind === 'time'
      ? [
          ['from', given[filter.wire[0]]],
          ['to', given[filter.wire[1]]],
        ]
      : [[name, given[filter.wire]]],
  );
  return Object.fromEntries(values.filter(([, value]) => Boolean(value))) as FilterValues<F>;
}

/**
 * The parameters of a call out of texts by name, such as those of the console's URL. `range` is in
 * Unix seconds, 0 for an open bound.
 */
export function writeFilters<F extends Filters, Who extends Reader>(
  filters: F,
  texts: Readonly<Record<string, string>>,
  { start, end }: { readonly start: number; readonly end: number },
  who: Who,
): FilterQuery<F, Who> {
  const own = filtersFor(filters, who);
  const isAnyTime = own.some(
    ([name, filter]) => filter.kind !== 'time' && filter.anyTime && texts[name] !== '',
  );
  const query = own.flatMap(([name, filter]): (readonly [string, string | number])[] => {
    const { kind, wire } = filter;
    if (kind === 'text') return [[wire, texts[name] ?? '']];
    if (kind !== 'time') return [[wire, Number(texts[name]) || 0]];
    const unit = isAnyTime ? 0 : (filter.unit ?? 1);
    return [
      [wire[0], start * unit],
      [wire[1], end * unit],
    ];
  });
  return Object.fromEntries(query) as FilterQuery<F, Who>;
}
