import { type Kysely, sql } from 'kysely';
import { ledgerFilters } from '../../entities/ledger-filters.ts';
import { clampQuota, maxQuota, type Quota } from '../../kernel/quota.ts';
import type { LedgerKind } from '../../vocabulary/ledger-kinds.ts';
import type { LedgerRepository, Posting } from '../entities/ledger.ts';
import { filterConditions } from '../filter-conditions.ts';
import { defineMapping, integer, nullableInteger, nullableText, quota } from '../mapping.ts';
import type { Database } from '../schema.ts';
import type { Access } from './access.ts';
import { exactSum, readExactSum } from './exact-sum.ts';

/**
 * {@link LedgerRepository.balancesAt}: the balance after the last posting before each hour's first
 * one. Two index lookups per hour, however many postings there are.
 */
async function readBalancesAt(
  read: Kysely<Database>,
  userId: number,
  hours: readonly number[],
): Promise<readonly Quota[]> {
  if (hours.length === 0) return [];
  const times = sql.join(hours.map((hour) => sql`(${sql.lit(hour)})`));
  const { rows } = await sql<{ hour: number; balance: number }>`
    select time.column1 as hour, coalesce((
      select balance_after from ledger where user_id = ${userId} and id < coalesce(
        (select first_id from ledger_hours where hour >= time.column1 order by hour limit 1), ${sql.lit(maxQuota)}
      ) order by id desc limit 1
    ), 0) as balance
    from (values ${times}) as time`.execute(read);
  const balances = new Map(rows.map(({ hour, balance }) => [hour, clampQuota(balance)]));
  return hours.map((hour) => balances.get(hour) ?? clampQuota(0));
}

export const postingMapping = defineMapping<'ledger', Posting>({
  id: integer('id'),
  userId: integer('user_id'),
  tokenId: nullableInteger('token_id'),
  kind: { column: 'kind', read: (stored) => stored as LedgerKind, write: (kind) => kind },
  amount: quota('amount'),
  balanceAfter: quota('balance_after'),
  reference: nullableText('reference'),
  createdAt: integer('created_at'),
});

export function createLedgerRepository({ read }: Access): LedgerRepository {
  const all = () => read.selectFrom('ledger');
  const referring = (kind: LedgerKind) =>
    all()
      .selectAll()
      .where('kind', '=', kind)
      // A literal, because with a parameter the planners do not use the partial index.
      .where('kind', '!=', sql.lit('charge'));
  return {
    async appliedCharge() {
      return (await read.selectFrom('charge_journal').select('applied').executeTakeFirstOrThrow())
        .applied;
    },
    async page({ exceptUsers = [], ...filter }, { offset, limit }) {
      let query = all().where((where) => where.and(filterConditions(ledgerFilters, filter)));
      if (exceptUsers.length > 0) query = query.where('user_id', 'not in', exceptUsers);
      const rows = await query
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      const { total } = await query
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(postingMapping.read), total };
    },
    async find(id) {
      const row = await all().selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : postingMapping.read(row);
    },
    balancesAt: (userId, hours) => readBalancesAt(read, userId, hours),
    async findByReference(kind, reference) {
      const row = await referring(kind).where('reference', '=', reference).executeTakeFirst();
      return row === undefined ? null : postingMapping.read(row);
    },
    async findByReferences(kind, references) {
      if (references.length === 0) return [];
      return (await referring(kind).where('reference', 'in', references).execute()).map(
        postingMapping.read,
      );
    },
    async sumByUser(userId) {
      const row = await all()
        .select((select) => exactSum(select.ref('amount')).as('posted'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return readExactSum(row.posted);
    },
    async sumByKind(userId) {
      let query = all();
      if (userId !== undefined) query = query.where('user_id', '=', userId);
      const rows = await query
        .select(
          (select) =>
            [
              'kind',
              exactSum(select.ref('amount')).as('amount'),
              select.fn.countAll<number>().as('count'),
            ] as const,
        )
        .groupBy('kind')
        .execute();
      return rows
        .map(({ kind, amount, count }) => ({
          kind: kind as LedgerKind,
          amount: readExactSum(amount),
          count,
        }))
        .sort((a, b) => (a.kind < b.kind ? -1 : 1));
    },
    async verify() {
      const rows = await read
        .selectFrom('users')
        .leftJoin('ledger', 'ledger.user_id', 'users.id')
        .select((select) => [
          'users.id as userId',
          'users.username as username',
          sql<string>`cast(${select.ref('users.quota')} as text)`.as('quota'),
          exactSum(select.ref('ledger.amount').$castTo<number>()).as('posted'),
        ])
        .groupBy(['users.id', 'users.username', 'users.quota'])
        .having(
          (having) =>
            sql<boolean>`coalesce(sum(${having.ref('ledger.amount')}), 0) != ${having.ref('users.quota')}`,
        )
        .orderBy('users.id')
        .execute();
      return rows.map(({ userId, username, quota: balance, posted }) => ({
        userId,
        username,
        quota: readExactSum(balance),
        posted: readExactSum(posted),
      }));
    },
    async verifyTokens() {
      const granted = sql<string>`tokens.remain_quota + tokens.used_quota`;
      const rows = await read
        .selectFrom('tokens')
        .leftJoin('token_allowances', 'token_allowances.token_id', 'tokens.id')
        .select((select) => [
          'tokens.id as tokenId',
          'tokens.name as name',
          sql<string>`cast(${granted} as text)`.as('granted'),
          exactSum(select.ref('token_allowances.amount').$castTo<number>()).as('posted'),
        ])
        .groupBy(['tokens.id', 'tokens.name', 'tokens.remain_quota', 'tokens.used_quota'])
        .having(
          (having) =>
            sql<boolean>`coalesce(sum(${having.ref('token_allowances.amount')}), 0) != ${granted}`,
        )
        .orderBy('tokens.id')
        .execute();
      return rows.map(({ tokenId, name, granted: stored, posted }) => ({
        tokenId,
        name,
        granted: readExactSum(stored),
        posted: readExactSum(posted),
      }));
    },
    async verifyTokenUse() {
      const { rows } = await sql<{ id: number; name: string; used: string; posted: string }>`
        WITH changes AS (
          SELECT token_id, -amount AS used FROM ledger WHERE token_id IS NOT NULL
          UNION ALL
          SELECT token_id, used FROM token_allowances WHERE used != 0
        ), totals AS (
          SELECT token_id, sum(used) AS used FROM changes GROUP BY token_id
        )
        SELECT tokens.id, tokens.name, cast(tokens.used_quota AS text) AS used, cast(coalesce(totals.used, 0) AS text) AS posted
        FROM tokens LEFT JOIN totals ON totals.token_id = tokens.id
        WHERE tokens.used_quota != coalesce(totals.used, 0) ORDER BY tokens.id`.execute(read);
      return rows.map(({ id, name, used, posted }) => ({
        tokenId: Number(id),
        name,
        used: readExactSum(used),
        posted: readExactSum(posted),
      }));
    },
  };
}
