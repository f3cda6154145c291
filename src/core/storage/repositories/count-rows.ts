import type { Kysely, SelectQueryBuilder } from 'kysely';
import { type PageRequest, totalCap } from '../entities/listing.ts';
import type { Database } from '../schema.ts';

/**
 * The total of a list: the rows of a query, exact up to {@link totalCap}. Beyond, it is the cap, or
 * one more than the rows up to the end of the page, so that a list can be read to its end.
 */
export async function countRows<Table extends keyof Database>(
  read: Kysely<Database>,
  query: SelectQueryBuilder<Database, Table, { id: number }>,
  { offset, limit }: PageRequest,
  found: number,
): Promise<number> {
  const { total } = await read
    .selectFrom(query.limit(totalCap + 1).as('counted'))
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  if (total <= totalCap) return total;
  return Math.max(totalCap, found === 0 ? 0 : offset + found + (found === limit ? 1 : 0));
}
