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
  /** Only their calls have it. */
  readonly for?: Reader;
  /** The repository or service writes the condition: it is not one comparison with one column. */
  readonly own?: true;
}

interface OneParameter extends Declared {
  /** The parameter of the API. */
  readonly wire: string;
  /** In the console's address: the search of every list is `q` there. Absent: the filter's name. */
  readonly url?: 'q';
  /** The column, where its name differs from the parameter's. */
  readonly column?: string;
  /** It selects one row, which is found whatever its time is. */
  readonly anyTime?: true;
  /** It names a user, by name or, where the parameter is `user_id`, by id. */
  readonly names?: 'user';
  /** '' and 0 are values, too: all rows are what an absent parameter selects. */
  readonly optional?: true;
  /** With `choices`: other values are refused. */
  readonly only?: true;
  /** What the flag does. Absent: "Only this …". */
  readonly help?: Text;
}

/** '' does not filter, unless it is `optional`. */
interface TextFilter extends OneParameter {
  readonly kind: 'text';
  /**
   * `pattern`: a `%` at the start or end stands for any text. `part`: a part of it, ignoring case.
   * Absent: exact.
   */
  readonly match?: 'pattern' | 'part';
  /** Spaces around it are removed. */
  readonly trim?: true;
  /** What people choose from. */
  readonly choices?: readonly string[];
}

/**
 * 0 does not filter, unless it is `optional`. `code`: a status or type, which may be negative;
 * `id`: of a row; `quota`: an amount, which may be negative; `moment`: Unix seconds.
 */
interface NumberFilter extends OneParameter {
  readonly kind: 'code' | 'id' | 'quota' | 'moment';
  /** A bound, inclusive. Absent: exact. */
  readonly compare?: '>=' | '<=';
  /** Of a moment that lies ahead: a span such as `7d` counts from now on. */
  readonly ahead?: true;
  /** The words that flags have for numbers. */
  readonly choices?: Readonly<Record<string, number>>;
}

/** Off, it does not filter. Its condition is `own`. */
interface SwitchFilter extends OneParameter {
  readonly kind: 'switch';
  readonly own: true;
}

/** Two parameters, both bounds inclusive, 0 for an open one. One per list. */
interface TimeFilter extends Declared {
  readonly kind: 'time';
  readonly wire: readonly [from: string, to: string];
  readonly column: string;
  /** Units of parameters and column per second. Absent: 1. */
  readonly unit?: 1000;
}

export type Filter = TextFilter | NumberFilter | SwitchFilter | TimeFilter;
/** A filter that is one parameter. */
export type SingleFilter = Exclude<Filter, TimeFilter>;
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
/** Whether a reader has a filter. */
export type IsShown<X, Who> = X extends { for: infer For }
  ? For extends Who
    ? true
    : false
  : true;
/** The names of the filters of one parameter. */
export type SingleName<F extends Filters, Who extends Reader = Reader> = {
  [N in Name<F>]: F[N] extends { kind: 'time' }
    ? never
    : IsShown<F[N], Who> extends true
      ? N
      : never;
}[Name<F>];
type OptionalName<F extends Filters, Who extends Reader> = {
  [N in SingleName<F, Who>]: F[N] extends { optional: true } ? N : never;
}[SingleName<F, Who>];
export type TimeParameter<F extends Filters> = {
  [N in Name<F>]: F[N] extends { kind: 'time'; wire: readonly [infer From, infer To] }
    ? (From | To) & string
    : never;
}[Name<F>];
export type Wire<F extends Filters, N extends keyof F> = F[N]['wire'] & string;
type ValueOf<X> = X extends { kind: 'text' }
  ? string
  : X extends { kind: 'switch' }
    ? boolean
    : number;

/** The parameters of the API, as they are parsed. */
export type FilterQuery<F extends Filters, Who extends Reader = Reader> = {
  readonly [N in Exclude<SingleName<F, Who>, OptionalName<F, Who>> as Wire<F, N>]: ValueOf<F[N]>;
} & { readonly [N in OptionalName<F, Who> as Wire<F, N>]?: ValueOf<F[N]> | undefined } & {
  readonly [P in TimeParameter<F>]: number;
};

/**
 * What is filtered by; absent, '' and 0: not by that, unless the filter is `optional`. Times have
 * the unit of their column.
 */
export type FilterValues<F extends Filters> = {
  readonly [N in SingleName<F>]?: ValueOf<F[N]> | undefined;
} & { readonly from?: number; readonly to?: number };

/** Whether a value filters. */
export function isGiven(filter: Filter, value: unknown): boolean {
  return filter.kind !== 'time' && filter.optional ? value !== undefined : Boolean(value);
}

// ---- reading and writing the parameters
// -------------------------------------------------------------------------

/** The filters that a reader has, in their declared order. */
export function filtersFor(filters: Filters, who: Reader): readonly (readonly [string, Filter])[] {
  return Object.entries(filters).filter(
    ([, filter]) => filter.for === undefined || filter.for === who,
  );
}

/** The values of the parameters that filter. Parameters that the reader does not have are ignored. */
export function readFilters<F extends Filters>(
  filters: F,
  query: Partial<FilterQuery<F>>,
  who: Reader = 'admins',
): FilterValues<F> {
  const given: Readonly<Record<string, unknown>> = query;
  const values = filtersFor(filters, who).flatMap(([name, filter]) => {
    const named =
      filter.kind === 'time'
        ? [
            ['from', given[filter.wire[0]]],
            ['to', given[filter.wire[1]]],
          ]
        : [[name, given[filter.wire]]];
    return named.filter(([, value]) => isGiven(filter, value));
  });
  return Object.fromEntries(values) as FilterValues<F>;
}

/**
 * The parameters of a call out of texts by name, such as those of the console's address. `range` is
 * in Unix seconds, 0 for an open bound. Numbers that are none and values that a filter with `only`
 * does not have are left out.
 */
export function writeFilters<F extends Filters, Who extends Reader>(
  filters: F,
  texts: Readonly<Record<string, string>>,
  { start, end }: { readonly start: number; readonly end: number },
  who: Who,
): FilterQuery<F, Who> {
  const own = filtersFor(filters, who);
  const textOf = (name: string, { url }: SingleFilter) => texts[url ?? name] ?? '';
  const isAnyTime = own.some(
    ([name, filter]) => filter.kind !== 'time' && filter.anyTime && textOf(name, filter) !== '',
  );
  const query = own.flatMap(([name, filter]): (readonly [string, unknown])[] => {
    const { kind, wire } = filter;
    if (kind !== 'time') return written(filter, textOf(name, filter)).map((value) => [wire, value]);
    const unit = isAnyTime ? 0 : (filter.unit ?? 1);
    return [
      [wire[0], start * unit],
      [wire[1], end * unit],
    ];
  });
  return Object.fromEntries(query) as FilterQuery<F, Who>;
}

/** None where the parameter is left out. */
function written(filter: SingleFilter, text: string): readonly (string | number | boolean)[] {
  // As the console's switches write it.
  if (filter.kind === 'switch') return [text === '1'];
  const number = text === '' ? Number.NaN : Number(text);
  const value = filter.kind === 'text' ? text : number || 0;
  const isNone = filter.kind === 'text' ? text === '' : Number.isNaN(number);
  const isOther = filter.only && !Object.values(filter.choices ?? {}).includes(value);
  if (!isNone && !isOther) return [value];
  return filter.optional ? [] : [filter.kind === 'text' ? '' : 0];
}
