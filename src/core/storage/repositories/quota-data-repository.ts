import { type RawBuilder, sql } from 'kysely';
import { clampQuota } from '../../kernel/quota.ts';
import type { TimeRange } from '../entities/listing.ts';
import type { QuotaData, QuotaDataRepository, Spans } from '../entities/log.ts';
import {
  RollupCollector,
  type RollupTable,
  rollupColumns,
  rollupStatement,
  rollupTableNames,
  rollupTables,
} from '../ledger/rollups.ts';
import { counter, defineMapping, integer, quota, text } from '../mapping.ts';
import { type Access, inPieces } from './access.ts';
import { cappedSum } from './capped-sum.ts';
import { gatherDays } from './gather-days.ts';

const mapping = defineMapping<'quota_data', QuotaData>({
  id: integer('id'),
  userId: integer('user_id'),
  username: text('username'),
  modelName: text('model_name'),
  createdAt: integer('created_at'),
  tokenUsed: counter('token_used'),
  count: counter('count'),
  quota: quota('quota'),
});

/**
 * A sum within the bounds of quota. Added up as doubles, which are exact up to these bounds and, on
 * PostgreSQL, several times faster than sums of bigints.
 */
const sumOf = (column: string) => cappedSum(sql`sum(cast(${sql.ref(column)} as double precision))`);
const sumsOf = (table: RollupTable): RawBuilder<unknown> =>
  sql.join(
    rollupTables[table].counters.map((column) => sql`${sumOf(column)} as ${sql.ref(column)}`),
  );

type Stored<Counter extends string> = Readonly<Record<Counter, number>> & {
  readonly start: number;
  readonly model_name: string;
  readonly channel_id: number;
};
type StoredTag = Omit<StoredSum, 'model_name'> & { readonly tag: string };
type StoredSum = Stored<(typeof rollupTables)['quota_data']['counters'][number]>;
type StoredMargin = Stored<(typeof rollupTables)['channel_usage']['counters'][number]>;

const readSum = (row: Pick<StoredSum, 'count' | 'quota' | 'token_used'>) => ({
  count: clampQuota(row.count),
  quota: clampQuota(row.quota),
  tokenUsed: clampQuota(row.token_used),
});
const readMargin = (row: StoredMargin) => ({
  ...readSum(row),
  cost: clampQuota(row.cost),
  costedCount: clampQuota(row.costed_count),
  costedQuota: clampQuota(row.costed_quota),
});

const hour = 3600;

/**
 * The spans as a table with the columns column1 (start) and column2 (end), as both engines name
 * them.
 */
function spanTable({ starts, end }: Spans): RawBuilder<unknown> {
  const rows = starts.map(
    (start, index) => sql`(${sql.lit(start)}, ${sql.lit(starts[index + 1] ?? end)})`,
  );
  return sql`(values ${sql.join(rows)}) as span`;
}

export function createQuotaDataRepository({
  read,
  write,
  abilities,
  atomically,
}: Access): QuotaDataRepository {
  const within = ({ from, to }: TimeRange) => {
    let query = read.selectFrom('quota_data');
    if (from !== undefined) query = query.where('created_at', '>=', from);
    if (to !== undefined) query = query.where('created_at', '<=', to);
    return query;
  };
  /**
   * Sums by the columns named in `groups`; `condition` picks the rows. Hours need no table of
   * spans: rows are hours.
   */
  const sumSpans = async <Row>(
    table: RollupTable,
    spans: Spans,
    groups: readonly string[],
    condition = sql`true`,
  ) => {
    const [first] = spans.starts;
    if (first === undefined) return [];
    const isHours = spans.starts.length * hour === spans.end - first;
    const start = sql.ref(isHours ? 'created_at' : 'span.column1');
    const columns = groups.map((name) =>
      name === 'start' ? sql`${start} as start` : sql.ref(name),
    );
    const names = groups.map((name) => (name === 'start' ? start : sql.ref(name)));
    const rowsOf = isHours
      ? sql`${sql.table(table)} where created_at >= ${first} and created_at < ${spans.end}`
      : sql`${spanTable(spans)} join ${sql.table(table)} on created_at >= span.column1 and created_at < span.column2 where true`;
    const { rows } = await sql<Row>`
      select ${sql.join(columns)}, ${sumsOf(table)} from ${rowsOf} and ${condition} group by ${sql.join(names)}`.execute(
      read,
    );
    return rows;
  };
  return {
    add: (charges) =>
      atomically(async (database) => {
        const collector = new RollupCollector();
        for (const charge of charges) collector.add(charge);
        const sums = collector.rows();
        for (const table of rollupTableNames) {
          const { into, merge } = rollupStatement(table);
          const rows: readonly Readonly<Record<string, number | string>>[] = sums[table];
          for (const piece of inPieces(rows)) {
            const values = piece.map(
              (row) => sql`(${sql.join(rollupColumns(table).map((column) => row[column]))})`,
            );
            await sql`${sql.raw(into)} values ${sql.join(values)} ${sql.raw(merge)}`.execute(
              database,
            );
          }
        }
      }),
    gather: async (until, signal) => {
      if (abilities.gathersRows) await gatherDays({ read, write, atomically }, until, signal);
    },
    async list({ userId, username = '', ...range }) {
      let query = within(range);
      if (userId !== undefined) query = query.where('user_id', '=', userId);
      if (username !== '') query = query.where('username', '=', username);
      return (await query.selectAll().orderBy('created_at').orderBy('id').execute()).map(
        mapping.read,
      );
    },
    async listSums({ from, to }) {
      let query = read.selectFrom('channel_usage');
      if (from !== undefined) query = query.where('created_at', '>=', from);
      if (to !== undefined) query = query.where('created_at', '<=', to);
      const rows = await query
        .select([
          'model_name',
          'created_at',
          ...rollupTables.quota_data.counters.map((column) => sumOf(column).as(column)),
        ])
        .groupBy(['created_at', 'model_name'])
        .orderBy('created_at')
        .orderBy('model_name')
        .execute();
      return rows.map((row) => mapping.read({ id: 0, user_id: 0, username: '', ...row }));
    },
    async listSpans(spans, { userId, username = '' } = {}) {
      const ofUser = userId === undefined ? sql`username = ${username}` : sql`user_id = ${userId}`;
      const groups = ['start', 'model_name'];
      const rows =
        userId === undefined && username === ''
          ? await sumSpans<StoredSum>('channel_usage', spans, groups)
          : await sumSpans<StoredSum>('quota_data', spans, groups, ofUser);
      return rows.map((row) => ({ start: row.start, modelName: row.model_name, ...readSum(row) }));
    },
    async listTagSpans(spans, userId) {
      const condition = userId === undefined ? undefined : sql`user_id = ${userId}`;
      const rows = await sumSpans<StoredTag>('tag_usage', spans, ['start', 'tag'], condition);
      return rows.map((row) => ({ start: row.start, tag: row.tag, ...readSum(row) }));
    },
    async listMargins({ starts, end }) {
      const all = { starts: starts.slice(0, 1), end };
      const rows = await sumSpans<StoredMargin>('channel_usage', all, ['channel_id', 'model_name']);
      return rows.map((row) => ({
        channelId: row.channel_id,
        modelName: row.model_name,
        ...readMargin(row),
      }));
    },
    async listKeys(channelId, from) {
      const rows = await read
        .selectFrom('channel_key_usage')
        .where('channel_id', '=', channelId)
        .where('created_at', '>=', from)
        .select(['key_name', sumOf('count').as('count'), sumOf('quota').as('quota')])
        .groupBy('key_name')
        .execute();
      return rows.map((row) => ({
        name: row.key_name,
        count: clampQuota(Number(row.count)),
        quota: clampQuota(Number(row.quota)),
      }));
    },
    async listMarginSpans(spans) {
      const rows = await sumSpans<StoredMargin>('channel_usage', spans, ['start']);
      return rows.map((row) => ({ start: row.start, ...readMargin(row) }));
    },
  };
}
