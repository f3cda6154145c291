import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { EngineAbilities } from './dialects/engine.ts';

/** Escapes `%`, `_` and the escape character itself in a LIKE pattern with escape `\`. */
export function escapeLike(literal: string): string {
  return literal.replace(/[\\%_]/g, '\\$&');
}

/**
 * A LIKE condition that ignores case by Unicode's rules. Literal parts of `pattern` must be escaped
 * with {@link escapeLike} (docs/rules/console-api.md#search).
 */
export function likeIgnoringCase(
  abilities: EngineAbilities,
  value: Expression<string>,
  pattern: string,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`${abilities.lower(value)} like ${pattern.toLowerCase()} escape '\\'`;
}

export function contains(
  abilities: EngineAbilities,
  value: Expression<string>,
  part: string,
): RawBuilder<SqlBool> {
  return likeIgnoringCase(abilities, value, `%${escapeLike(part)}%`);
}

export function startsWith(
  abilities: EngineAbilities,
  value: Expression<string>,
  part: string,
): RawBuilder<SqlBool> {
  return likeIgnoringCase(abilities, value, `${escapeLike(part)}%`);
}

/** The id that a search keyword may stand for: decimal digits only, at most `largest`. */
export function idFromKeyword(
  keyword: string,
  largest = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const id = /^\d+$/.test(keyword) ? Number(keyword) : Number.NaN;
  return id <= largest ? id : undefined;
}
