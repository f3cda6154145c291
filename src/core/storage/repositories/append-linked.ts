import { type Kysely, sql } from 'kysely';
import type { LinkedTable } from '../../vocabulary/ledger-chain.ts';
import type { EngineAbilities } from '../dialects/engine.ts';
import { allowanceText, linkGroup, postingText } from '../ledger/chain.ts';
import type { PlannedAllowance, PlannedPosting } from '../ledger/plan.ts';
import type { Database } from '../schema.ts';
import { inPieces } from './access.ts';

/**
 * Appends postings outside of a batch of settlements, linked (docs/rules/ledger.md#chain), in the
 * caller's transaction. Nobody else appends any until it ends. Returns the ids.
 */
export async function appendPostings(
  database: Kysely<Database>,
  abilities: EngineAbilities,
  postings: readonly PlannedPosting[],
): Promise<readonly number[]> {
  const linked = await link(database, abilities, 'ledger', postings.map(postingText));
  const rows = postings.map(
    ({ userId, tokenId, kind, amount, balanceAfter, reference, at }, index) => ({
      ...linked[index],
      user_id: userId,
      token_id: tokenId,
      kind,
      amount: Number(amount),
      balance_after: balanceAfter,
      reference,
      created_at: at,
    }),
  );
  for (const piece of inPieces(rows)) await database.insertInto('ledger').values(piece).execute();
  return linked.map(({ id }) => id);
}

/** The same with changes of what tokens may spend. */
export async function appendAllowances(
  database: Kysely<Database>,
  abilities: EngineAbilities,
  allowances: readonly PlannedAllowance[],
): Promise<void> {
  const linked = await link(database, abilities, 'token_allowances', allowances.map(allowanceText));
  const rows = allowances.map(({ tokenId, amount, used, remainAfter, at }, index) => ({
    ...linked[index],
    token_id: tokenId,
    amount: Number(amount),
    used: Number(used),
    remain_after: remainAfter,
    created_at: at,
  }));
  for (const piece of inPieces(rows))
    await database.insertInto('token_allowances').values(piece).execute();
}

/** Ids and links for rows with these texts; the end of the chain is moved. */
async function link(
  database: Kysely<Database>,
  { hasSequences }: EngineAbilities,
  table: LinkedTable,
  texts: readonly string[],
): Promise<readonly { readonly id: number; readonly link: string }[]> {
  if (texts.length === 0) return [];
  const ends = database
    .selectFrom('ledger_chains')
    .select(['last_id', 'link'])
    .where('name', '=', table);
  const end = await (hasSequences ? ends.forUpdate() : ends).executeTakeFirst();
  const ids = hasSequences
    ? await takeIds(database, table, texts.length)
    : await nextIds(database, table, end?.last_id ?? 0, texts.length);
  const links = linkGroup(
    end?.link ?? '',
    texts.map((text, index) => ({ id: ids[index] ?? 0, text })),
  );
  await database
    .updateTable('ledger_chains')
    .set({ last_id: ids.at(-1) ?? 0, link: links.at(-1) ?? '' })
    .where('name', '=', table)
    .execute();
  return links.map((link, index) => ({ id: ids[index] ?? 0, link }));
}

async function takeIds(
  database: Kysely<Database>,
  table: LinkedTable,
  count: number,
): Promise<readonly number[]> {
  const { rows } = await sql<{
    id: number;
  }>`select nextval(pg_get_serial_sequence(${table}, 'id')) as id
    from generate_series(1, ${count}::integer)`.execute(database);
  return rows.map(({ id }) => id);
}

async function nextIds(
  database: Kysely<Database>,
  table: LinkedTable,
  last: number,
  count: number,
): Promise<readonly number[]> {
  const { id } = await database
    .selectFrom(table)
    .select(sql<number>`coalesce(max(id), 0)`.as('id'))
    .executeTakeFirstOrThrow();
  return Array.from({ length: count }, (_, index) => Math.max(last, id) + 1 + index);
}
