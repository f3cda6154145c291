/** The WHERE conditions of a list, which derive from its declared filters (core/entities). */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  type Filters,
  type FilterValues,
  isGiven,
  type SingleFilter,
} from '../entities/filters.ts';
import type { EngineAbilities } from './dialects/engine.ts';
import { contains, escapeLike } from './like.ts';

type HasPart<F extends Filters> =
  Extract<F[keyof F], { readonly match: 'part' }> extends never ? false : true;

/**
 * One condition for each value that filters: absent ones do not, nor do '' and 0 unless the filter
 * is `optional`. Filters that are `own` have none. Filters by a part need the engine's abilities.
 */
export function filterConditions<F extends Filters>(
  filters: F,
  values: FilterValues<F>,
  ...[abilities]: HasPart<F> extends true ? [abilities: EngineAbilities] : []
): readonly Expression<SqlBool>[] {
  const given: Readonly<Record<string, string | number | boolean | undefined>> = values;
  return Object.entries(filters).flatMap(([name, filter]) => {
    if (filter.own) return [];
    if (filter.kind === 'time') {
      const column = sql.ref(filter.column);
      return [
        ...(values.from === undefined ? [] : [sql<SqlBool>`${column} >= ${values.from}`]),
        ...(values.to === undefined ? [] : [sql<SqlBool>`${column} <= ${values.to}`]),
      ];
    }
    const value = given[name];
    return value !== undefined && isGiven(filter, value)
      ? [conditionOf(filter, value, abilities)]
      : [];
  });
}

function conditionOf(
  filter: SingleFilter,
  value: string | number | boolean,
  abilities: EngineAbilities | undefined,
): RawBuilder<SqlBool> {
  const column = sql.ref<string>(filter.column ?? filter.wire);
  if (filter.kind === 'text' && filter.match === 'pattern')
    return matchesPattern(column, String(value));
  if (filter.kind === 'text' && filter.match === 'part' && abilities !== undefined)
    return contains(abilities, column, String(value));
  const compare = filter.kind === 'text' || filter.kind === 'switch' ? '=' : filter.compare;
  return sql<SqlBool>`${column} ${sql.raw(compare ?? '=')} ${value}`;
}

/** Exact; a `%` at the start or end matches any text, other wildcards are literal. */
function matchesPattern(column: Expression<string>, pattern: string): RawBuilder<SqlBool> {
  const [, before = '', literal = '', after = ''] = /^(%?)(.*?)(%?)$/s.exec(pattern) ?? [];
  if (before === '' && after === '') return sql<SqlBool>`${column} = ${pattern}`;
  // The engines' own lower() is faster and handles ASCII, which is enough for names of models.
  const like = `${before}${escapeLike(literal.toLowerCase())}${after}`;
  return sql<SqlBool>`lower(${column}) like ${like} escape '\\'`;
}
