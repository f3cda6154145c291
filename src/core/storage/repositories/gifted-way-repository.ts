import type { Kysely } from 'kysely';
import type { GiftedWay, GiftedWayRepository } from '../entities/gifted-way.ts';
import type { ImportedRow } from '../entities/import.ts';
import type { Database } from '../schema.ts';
import type { Vault } from '../vault.ts';
import { type Access, inPieces } from './access.ts';

/**
 * How many of these ways are new. Hashed with the master key: of numbers and addresses any other
 * hash can be guessed back, and these outlive their accounts.
 */
export async function noteGiftedWays(
  database: Pick<Kysely<Database>, 'insertInto'>,
  vault: Vault,
  ways: readonly GiftedWay[],
  at: number,
): Promise<number> {
  let count = 0;
  for (const piece of inPieces(ways)) {
    const noted = await database
      .insertInto('gifted_ways')
      .values(piece.map((way) => ({ way: vault.hash(`${way.kind}:${way.value}`), created_at: at })))
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

export function createGiftedWayRepository({ write, vault }: Access): GiftedWayRepository {
  return {
    note: async (ways, at) => (await noteGiftedWays(write, vault, ways, at)) === ways.length,
  };
}
