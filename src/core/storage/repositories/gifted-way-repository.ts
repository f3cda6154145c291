import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { GiftedWay, GiftedWayRepository } from '../entities/gifted-way.ts';
import type { ImportedRow } from '../entities/import.ts';
import type { Database } from '../schema.ts';
import { type Access, inPieces } from './access.ts';

const hashOf = ({ kind, value }: GiftedWay): string =>
  createHash('sha256').update(`${kind}:${value}`).digest('hex');

/** How many of these ways are new. */
export async function noteGiftedWays(
  database: Pick<Kysely<Database>, 'insertInto'>,
  ways: readonly GiftedWay[],
  at: number,
): Promise<number> {
  let count = 0;
  for (const piece of inPieces(ways)) {
    const noted = await database
      .insertInto('gifted_ways')
      .values(piece.map((way) => ({ way: hashOf(way), created_at: at })))
      .onConflict((conflict) => conflict.column('way').doNothing())
      .returning('way')
      .execute();
    count += noted.length;
  }
  return count;
}

/** The ways into imported accounts, in rows of `users` and `user_identities`. */
export function importedWaysOf(row: ImportedRow): readonly GiftedWay[] {
  const { email, email_verified: isVerified, phone, provider, subject } = row;
  return [
    ...(email && isVerified ? [{ kind: 'email', value: String(email) }] : []),
    ...(phone ? [{ kind: 'phone', value: String(phone) }] : []),
    ...(provider && subject ? [{ kind: String(provider), value: String(subject) }] : []),
  ];
}

export function createGiftedWayRepository({ write }: Access): GiftedWayRepository {
  return {
    note: async (ways, at) => (await noteGiftedWays(write, ways, at)) === ways.length,
  };
}
