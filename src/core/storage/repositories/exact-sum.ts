import { type Expression, sql } from 'kysely';

/** A sum may exceed the safe integers, so it is returned as text: see {@link readExactSum}. */
export const exactSum = (column: Expression<number>) =>
  sql<string>`cast(coalesce(sum(${column}), 0) as text)`;

/** PostgreSQL sums bigint as numeric, which may have a decimal point. */
export const readExactSum = (text: string): bigint => BigInt(text.replace(/\.0*$/, ''));
