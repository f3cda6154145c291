import { type SelectQueryBuilder, sql } from 'kysely';
import { blankLog, logFields } from '../../entities/log.ts';
import { addQuota, zeroQuota } from '../../kernel/quota.ts';
import { logTypes } from '../../vocabulary/log-types.ts';
import { type Listing, type PageRequest, totalCap } from '../entities/listing.ts';
import type { LogFilter, LogRepository, NewUsageLog, UsageLog } from '../entities/log.ts';
import { escapeLike, idFromKeyword } from '../like.ts';
import { defineEntityMapping } from '../mapping.ts';
import type { Database } from '../schema.ts';
import { storableText } from '../storable-text.ts';
import { type Access, inPieces } from './access.ts';
import { firstCharge, rowsOfPostings, sumActivity } from './activity-sums.ts';
import { cappedSum } from './capped-sum.ts';
import { logConditions, narrow } from './log-filter.ts';
import { forgetDays, narrowDay, type Segment, segmentsOf } from './log-sums.ts';
import { sumDays } from './sum-days.ts';

const mapping = defineEntityMapping<'logs', typeof logFields>(logFields);
/** The columns' defaults: all rows of one statement must have the same columns. */
const blank = { ...blankLog, ledgerId: null };

/** The column has 32 bits. */
const largestType = 2 ** 31 - 1;
/** Rows per DELETE: settlements wait for one piece, not for all. */
const deleteBatch = 500;

interface Counted {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  /** A summed day. */
  readonly isDay: boolean;
}

type Query<Row> = SelectQueryBuilder<Database, 'logs', Row>;

/**
 * Ordered by time, then id: uses the index. Ordering by id alone would scan all rows newer than the
 * range.
 */
function newestFirst<Row>(query: Query<Row>): Query<Row> {
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc');
}

/**
 * Texts of callers and upstreams as engines store them. `other` is JSON, which escapes what they
 * refuse.
 */
function storable(log: NewUsageLog): NewUsageLog {
  return {
    ...blank,
    ...log,
    content: storableText(log.content),
    modelName: storableText(log.modelName ?? ''),
  };
}

export function createLogRepository(access: Access): LogRepository {
  const { read, write, atomically } = access;
  const filtered = (filter: LogFilter) =>
    read.selectFrom('logs').where((where) => logConditions(where, filter));

  const count = async (filter: LogFilter): Promise<number> => {
    const { total } = await filtered(filter)
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return total;
  };
  /**
   * The last row that is counted, of the newest of the time range and user; undefined: there are
   * not so many.
   */
  const capOf = ({ userId, from, to }: LogFilter) =>
    newestFirst(filtered({ userId, from, to }).select('created_at'))
      .offset(totalCap)
      .limit(1)
      .executeTakeFirst();
  /** Rows of each segment; undefined where one has more rows than are counted. */
  const countAll = async (
    filter: LogFilter,
    segments: readonly Segment[],
  ): Promise<readonly Counted[] | undefined> => {
    const counted: Counted[] = [];
    for (const { from, to, rows } of segments) {
      const part = { ...filter, from, to };
      if (rows === undefined && (await capOf(part)) !== undefined) return undefined;
      counted.push({ from, to, rows: rows ?? (await count(part)), isDay: rows !== undefined });
    }
    return counted;
  };
  const rowsAt = async (
    filter: LogFilter,
    { offset, limit }: PageRequest,
  ): Promise<readonly UsageLog[]> =>
    (await newestFirst(filtered(filter).selectAll()).limit(limit).offset(offset).execute()).map(
      mapping.read,
    );
  /** The page, read from the segments that it lies in. */
  const pageOf = async (
    filter: LogFilter,
    segments: readonly Counted[],
    { offset, limit }: PageRequest,
  ) => {
    const items: UsageLog[] = [];
    let skipped = offset;
    for (const { from, to, rows, isDay } of segments) {
      if (items.length >= limit) break;
      if (skipped < rows) {
        const span = { ...filter, from, to };
        const part = isDay ? await narrowDay(read, span, rows) : span;
        items.push(...(await rowsAt(part, { offset: skipped, limit: limit - items.length })));
        skipped = 0;
      } else skipped -= rows;
    }
    return items;
  };
  /** Of a range that is not summed yet: deep pages and totals are as far as they are counted. */
  const uncountedPage = async (
    filter: LogFilter,
    page: PageRequest,
  ): Promise<Listing<UsageLog>> => {
    const items = await rowsAt(filter, page);
    const isFull = items.length === page.limit;
    // A page that is not full is the last one; an empty one says nothing of the rows before it.
    const reached = items.length === 0 ? 0 : page.offset + items.length + (isFull ? 1 : 0);
    const cap = await capOf(filter);
    return {
      items,
      total: Math.max(await count({ ...filter, from: cap?.created_at ?? filter.from }), reached),
    };
  };
  const spentIn = async (filter: LogFilter): Promise<number> => {
    const { spent } = await filtered(filter)
      .select((select) =>
        cappedSum(sql`coalesce(sum(${cappedSum(select.ref('quota'))}), 0)`).as('spent'),
      )
      .executeTakeFirstOrThrow();
    return spent;
  };
  const newestId = async (): Promise<number> => {
    const row = await read
      .selectFrom('logs')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.id ?? 0;
  };

  return {
    totalCap,
    newestId,
    async page(filter, page) {
      const resolved = await narrow(read, filter);
      const segments = await countAll(resolved, await segmentsOf(read, resolved));
      if (segments === undefined) return uncountedPage(resolved, page);
      const total = segments.reduce((sum, { rows }) => sum + rows, 0);
      return { items: await pageOf(resolved, segments, page), total };
    },
    async listBefore(filter, after, limit) {
      let query = newestFirst(filtered(await narrow(read, filter)).selectAll()).limit(limit);
      if (after !== undefined)
        query = query.where(sql<boolean>`(created_at, id) < (${after.createdAt}, ${after.id})`);
      return (await query.execute()).map(mapping.read);
    },
    async stat(filter, now) {
      const resolved = { ...(await narrow(read, filter)), type: logTypes.consume };
      let quota = zeroQuota;
      for (const segment of await segmentsOf(read, resolved)) {
        quota = addQuota(
          quota,
          segment.rows === undefined ? await spentIn({ ...resolved, ...segment }) : segment.quota,
        );
      }
      const { rpm, tpm } = await filtered({ ...resolved, from: now - 60, to: undefined })
        .select((select) => [
          select.fn.countAll<number>().as('rpm'),
          cappedSum(sql`coalesce(sum(prompt_tokens + completion_tokens), 0)`).as('tpm'),
        ])
        .executeTakeFirstOrThrow();
      return { quota, rpm, tpm };
    },
    async search(keyword, { userId, content }, limit) {
      const type = idFromKeyword(keyword, largestType);
      const rows = await newestFirst(filtered({ userId }).selectAll())
        .where((where) =>
          where.or([
            ...(type === undefined ? [] : [where('type', '=', type)]),
            ...(content
              ? [
                  sql<boolean>`lower(${where.ref('content')}) like ${`${escapeLike(keyword.toLowerCase())}%`} escape '\\'`,
                ]
              : []),
          ]),
        )
        .limit(limit)
        .execute();
      return rows.map(mapping.read);
    },
    async find(id) {
      const row = await read.selectFrom('logs').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : mapping.read(row);
    },
    ofPostings: (postings) => rowsOfPostings(read, mapping.read, postings),
    activity: (filter) => sumActivity(read, filter),
    firstCharge: (filter) => firstCharge(read, filter),
    async listSince(id, limit, filter = {}) {
      const since = Math.min(id, await newestId());
      const resolved = await narrow(read, filter);
      const rows = await filtered(resolved)
        .selectAll()
        .where('id', '>', since)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(mapping.read);
    },
    async insert(log) {
      await forgetDays(write, { from: log.createdAt, to: log.createdAt });
      return (
        await write
          .insertInto('logs')
          .values(mapping.write(log))
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    },
    insertMany: (logs) =>
      atomically(async (database) => {
        for (const piece of inPieces(logs)) {
          const times = piece.map(({ createdAt }) => createdAt);
          await forgetDays(database, { from: Math.min(...times), to: Math.max(...times) });
          await database
            .insertInto('logs')
            .values(piece.map((log) => mapping.write(storable(log))))
            .execute();
        }
      }),
    sumDays: (now, signal) => sumDays(access, now, signal),
    async deletePiece(time) {
      const rows = await read
        .selectFrom('logs')
        .select(['id', 'created_at'])
        .where('created_at', '<', time)
        .orderBy('created_at')
        .orderBy('id')
        .limit(deleteBatch)
        .execute();
      const [oldest] = rows;
      const newest = rows.at(-1);
      if (oldest === undefined || newest === undefined) return { deleted: 0, done: true };
      const days = { from: oldest.created_at, to: newest.created_at };
      await forgetDays(write, days);
      const ids = rows.map(({ id }) => id);
      const { numDeletedRows } = await write
        .deleteFrom('logs')
        .where('id', 'in', ids)
        .executeTakeFirst();
      await forgetDays(write, days);
      return { deleted: Number(numDeletedRows), done: rows.length < deleteBatch };
    },
  };
}
