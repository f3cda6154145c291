/** The WHERE conditions of a list, which derive from its declared filters (core/entities). */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Filter, Filters, FilterValues } from '../entities/filters.ts';
import { escapeLike } from './like.ts';

/**
 * One condition for each value that filters: absent ones, '' and 0 do not. Filters that are `own`
 * have none.
 */
export function filterConditions<F extends Filters>(
  filters: F,
  values: FilterValues<F>,
): readonly Expression<SqlBool>[] {
  const given: Readonly<Record<string, string | number | undefined>> = values;
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
    return value ? [conditionOf(filter, value)] : [];
  });
}

function conditionOf(
  filter: Exclude<Filter, { kind: 'time' }>,
  value: string | number,
): RawBuilder<SqlBool> {
  const column = sql.ref<string>(filter.column ?? filter.wire);
  if (filter.kind === 'text' && filter.match === 'pattern')
    return matchesPattern(column, String(value));
  return sql<SqlBool>`${column} = ${value}`;
}

/** Exact; a `%` at the start or end matches any text, other wildcards are literal. */
function matchesPattern(column: Expression<string>, pattern: string): RawBuilder<SqlBool> {
  const [, before = '', literal = '', after = ''] = /^(%?)(.*?)(%?)$/s.exec(pattern) ?? [];
  if (before === '' && after === '') return sql<SqlBool>`${column} = ${pattern}`;
  // The engines' own lower() is faster and handles ASCII, which is enough for names of models.
  const like = `${before}${escapeLike(literal.toLowerCase())}${after}`;
  return sql<SqlBool>`lower(${column}) like ${like} escape '\\'`;
}
