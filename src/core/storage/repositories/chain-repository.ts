import { sql } from 'kysely';
import type { ChainRepository } from '../entities/chain.ts';
import { rowText } from '../ledger/chain.ts';
import type { Access } from './access.ts';

export function createChainRepository({ read, write }: Access): ChainRepository {
  return {
    async end(table) {
      const row = await read
        .selectFrom('ledger_chains')
        .selectAll()
        .where('name', '=', table)
        .executeTakeFirst();
      return { start: row?.start ?? '', lastId: row?.last_id ?? 0, link: row?.link ?? '' };
    },
    async segments(table) {
      const rows = await read
        .selectFrom('ledger_segments')
        .selectAll()
        .where('name', '=', table)
        .orderBy('last_id')
        .execute();
      return rows.map((row) => ({
        firstId: row.first_id,
        lastId: row.last_id,
        count: row.row_count,
        digest: row.digest,
      }));
    },
    async rows(table, after, limit) {
      return read
        .selectFrom(table)
        .select(['id', 'link', sql<string>`${sql.raw(rowText[table])}`.as('text')])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute();
    },
    async linkAt(table, id) {
      return (await read.selectFrom(table).select('link').where('id', '=', id).executeTakeFirst())
        ?.link;
    },
    async seal(target) {
      const row = await read
        .selectFrom('ledger_seals')
        .selectAll()
        .where('target', '=', target)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return {
        sealedAt: row.sealed_at,
        postingId: row.posting_id,
        triedAt: row.tried_at,
        error: row.error,
      };
    },
    async noteSeal(target, { sealedAt, postingId, triedAt, error }) {
      const row = { sealed_at: sealedAt, posting_id: postingId, tried_at: triedAt, error };
      await write
        .insertInto('ledger_seals')
        .values({ target, ...row })
        .onConflict((conflict) => conflict.column('target').doUpdateSet(row))
        .execute();
    },
  };
}
