import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  type Figures,
  type Holders,
  type ImportedRow,
  type ImportedTable,
  type ImportRepository,
  importedTables,
} from '../entities/import.ts';
import type { PlannedAllowance } from '../ledger/plan.ts';
import { storableText } from '../storable-text.ts';
import type { Vault } from '../vault.ts';
import { rebuildAbilities } from './ability-rows.ts';
import { type Access, inPieces } from './access.ts';
import { appendAllowances, appendPostings } from './append-linked.ts';
import { channelKeyContext } from './channel-rows.ts';
import { exactSum, readExactSum } from './exact-sum.ts';
import { importedWaysOf, noteGiftedWays } from './gifted-way-repository.ts';
import { redemptionKeyContext } from './redemption-repository.ts';
import { totpContext } from './second-factor-repository.ts';
import { taskContext } from './task-repository.ts';
import { tokenKeyContext } from './token-repository.ts';
import { settingContext } from './user-repository.ts';

/** Tables are named at run time here, so their columns are not typed. */
type Untyped = Kysely<Record<string, Record<string, unknown>>>;

/** Values that one statement binds at most; SQLite allows 32,766, PostgreSQL 65,535. */
const bindLimit = 20_000;

/** How the secrets of each table are encrypted. */
type Seal = (row: ImportedRow, vault: Vault) => ImportedRow;
const sealKey =
  (context: (hash: string) => string): Seal =>
  ({ key, ...row }, vault) => {
    const hash = vault.hash(String(key));
    return { ...row, key_hash: hash, key_enc: vault.seal(String(key), context(hash)) };
  };
const sealText =
  (column: string, contextOf: (row: ImportedRow) => string): Seal =>
  (row, vault) => {
    const text = String(row[column] ?? '');
    return text === '' ? row : { ...row, [column]: vault.seal(text, contextOf(row)) };
  };
const seals: Partial<Record<ImportedTable, Seal>> = {
  users: sealText('setting', (row) => settingContext(Number(row['id']))),
  channels: sealKey(channelKeyContext),
  tokens: sealKey(tokenKeyContext),
  redemptions: sealKey(redemptionKeyContext),
  totp_secrets: ({ secret, ...row }, vault) => ({
    ...row,
    secret_enc: vault.seal(String(secret), totpContext(Number(row['user_id']))),
  }),
  tasks: sealText('private_data', (row) => taskContext(String(row['task_id']))),
};

/** Tables whose ids an import brings along. */
const withoutId: ReadonlySet<ImportedTable> = new Set([
  'user_identities',
  'totp_secrets',
  'passkeys',
  'quota_data',
]);
const tablesWithId = importedTables.filter((table) => !withoutId.has(table));

export function createImportRepository({
  read,
  abilities,
  vault,
  atomically,
}: Access): ImportRepository {
  const untyped = (database: unknown) => database as Untyped;
  const all = (table: string) => untyped(read).selectFrom(table);

  const insertRows = async (
    database: Untyped,
    table: string,
    rows: readonly ImportedRow[],
  ): Promise<void> => {
    const [first] = rows;
    if (first === undefined) return;
    for (const piece of inPieces(rows, Math.floor(bindLimit / Object.keys(first).length))) {
      await database
        .insertInto(table)
        .values([...piece])
        .execute();
    }
  };
  const sums = (columns: readonly string[]): RawBuilder<string>[] =>
    columns.map(
      (column) => sql`${exactSum(sql.ref<number>(column))} as ${sql.ref(`sum_${column}`)}`,
    );
  const toFigures = (
    row: Readonly<Record<string, unknown>>,
    columns: readonly string[],
  ): Figures => ({
    count: Number(row['row_count']),
    sums: Object.fromEntries(
      columns.map((column) => [column, readExactSum(String(row[`sum_${column}`]))]),
    ),
  });

  return {
    async taken(table, rows, columns) {
      const stored = columns.map((column) => (column === 'key' ? 'key_hash' : column));
      const byId = new Map(rows.map((row) => [Number(row['id']), row]));
      const taken = new Map<number, ReadonlySet<string>>();
      for (const piece of inPieces([...byId.keys()])) {
        const found = await all(table)
          .select(['id', ...stored])
          .where('id', 'in', [...piece])
          .execute();
        for (const there of found) {
          const row = byId.get(Number(there['id'])) ?? {};
          const equal = columns.filter((column, index) => {
            const value = column === 'key' ? vault.hash(String(row['key'])) : (row[column] ?? '');
            return value !== '' && String(there[stored[index] ?? column] ?? '') === String(value);
          });
          taken.set(Number(there['id']), new Set(equal));
        }
      }
      return taken;
    },
    async foreignKeys(table, rows) {
      const byHash = new Map(
        rows.map((row) => [vault.hash(String(row['key'])), Number(row['id'])]),
      );
      const foreign = new Set<number>();
      for (const piece of inPieces([...byHash.keys()])) {
        const found = await all(table)
          .select(['id', 'key_hash'])
          .where('key_hash', 'in', [...piece])
          .execute();
        for (const { id, key_hash: hash } of found) {
          const own = byHash.get(String(hash));
          if (own !== undefined && own !== Number(id)) foreign.add(own);
        }
      }
      return foreign;
    },
    async holders(): Promise<Holders> {
      const users = await read
        .selectFrom('users')
        .select([
          'id',
          'username_normalized',
          'email',
          'email_verified',
          'aff_code',
          'access_token_hash',
        ])
        .execute();
      const byValue = (textOf: (user: (typeof users)[number]) => string | null) =>
        new Map(users.map((user) => [textOf(user) ?? '', user.id]));
      const identities = await read
        .selectFrom('user_identities')
        .select(['user_id', 'provider', 'subject'])
        .execute();
      const postings = await read
        .selectFrom('ledger')
        .select('user_id')
        .where('kind', '=', 'import')
        .execute();
      const orders = await read.selectFrom('top_ups').select(['id', 'trade_no']).execute();
      return {
        usernames: byValue((user) => user.username_normalized),
        emails: byValue(({ email, email_verified: isVerified }) => (isVerified === 1 ? email : '')),
        inviteCodes: byValue((user) => user.aff_code),
        accessTokenHashes: byValue((user) => user.access_token_hash),
        identities: new Map(
          identities.map(({ user_id: id, provider, subject }) => [`${provider} ${subject}`, id]),
        ),
        tradeNumbers: new Map(orders.map(({ id, trade_no: tradeNo }) => [tradeNo, id])),
        importedUsers: new Set(postings.map(({ user_id: id }) => id)),
      };
    },
    insert: (table, rows) =>
      atomically(async (database) => {
        const seal = seals[table] ?? ((row: ImportedRow) => row);
        const stored = rows.map((row) => seal(storableRow(row), vault));
        await insertRows(untyped(database), table, stored);
        if (table === 'users' || table === 'user_identities')
          await noteGiftedWays(database, vault, rows.flatMap(importedWaysOf), 0);
        if (table === 'tokens')
          await appendAllowances(database, abilities, rows.flatMap(allowanceOf));
      }),
    async figures(table, columns) {
      const query = sql<
        Record<string, unknown>
      >`select ${sql.join([sql`count(*) as row_count`, ...sums(columns)])}
        from ${sql.table(table)}`;
      const { rows } = await query.execute(read);
      return toFigures(rows[0] ?? {}, columns);
    },
    async figuresByUser(table, userColumn, columns) {
      const user = sql.ref(userColumn);
      const query = sql<Record<string, unknown>>`select ${sql.join([
        sql`${user} as user_key`,
        sql`count(*) as row_count`,
        ...sums(columns),
      ])} from ${sql.table(table)} group by ${user}`;
      const { rows } = await query.execute(read);
      return new Map(rows.map((row) => [Number(row['user_key']), toFigures(row, columns)]));
    },
    post: (balances, at) =>
      atomically(async (database) => {
        for (const piece of inPieces(balances)) {
          const postings = piece.map(({ userId, kind, amount, balanceAfter, reference }) => {
            return {
              userId,
              tokenId: null,
              kind,
              amount,
              balanceAfter,
              reference,
              at,
            };
          });
          const ids = await appendPostings(database, abilities, postings);
          await database
            .insertInto('ledger_hours')
            .values({ hour: at - (at % 3600), first_id: Math.min(...ids) })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
          const posted = sql<number>`(select balance_after from ledger where ledger.user_id = users.id order by ledger.id desc limit 1)`;
          await database
            .updateTable('users')
            .set({ quota: posted })
            .where(
              'id',
              'in',
              piece.map(({ userId }) => userId),
            )
            .execute();
        }
      }),
    async hasPostings() {
      const row = await read
        .selectFrom('ledger')
        .select('id')
        .where('kind', '=', 'import')
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    finish: () =>
      atomically(async (database) => {
        const channels = await database.selectFrom('channels').select('id').execute();
        await rebuildAbilities(
          database,
          channels.map(({ id }) => id),
        );
        await database.deleteFrom('log_days').execute();
        // SQLite derives the next id from the highest one by itself.
        if (!abilities.hasSequences) return;
        for (const table of tablesWithId) {
          await sql`select setval(pg_get_serial_sequence(${table}, 'id'), coalesce(max(id), 1), max(id) is not null)
            from ${sql.table(table)}`.execute(database);
        }
      }),
  };
}

function storableRow(row: ImportedRow): ImportedRow {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === 'string' ? storableText(value) : value,
    ]),
  );
}

/**
 * Remaining and used quota of a token is the sum of its allowances, and no posting explains what it
 * used before (docs/rules/ledger.md#token-allowance).
 */
function allowanceOf({
  id,
  remain_quota,
  used_quota,
  created_time: at = 0,
}: ImportedRow): PlannedAllowance[] {
  const remainAfter = Number(remain_quota);
  const used = Number(used_quota);
  const amount = remainAfter + used;
  return amount === 0 && used === 0
    ? []
    : [{ tokenId: Number(id), amount, used, remainAfter, at: Number(at) }];
}
