import { type SelectQueryBuilder, sql } from 'kysely';
import { zeroQuota } from '../../kernel/quota.ts';
import { logTypes } from '../../vocabulary/log-types.ts';
import type { LogFilter, LogRepository, NewUsageLog, UsageLog } from '../entities/log.ts';
import { escapeLike, idFromKeyword } from '../like.ts';
import { defineMapping, flag, integer, nullableInteger, quota, text } from '../mapping.ts';
import type { Database } from '../schema.ts';
import { storableText } from '../storable-text.ts';
import { type Access, inPieces } from './access.ts';
import { cappedSum } from './capped-sum.ts';
import { logConditions, narrow } from './log-filter.ts';

const mapping = defineMapping<'logs', UsageLog>({
  id: integer('id'),
  userId: integer('user_id'),
  createdAt: integer('created_at'),
  type: integer('type'),
  content: text('content'),
  username: text('username'),
  tokenName: text('token_name'),
  modelName: text('model_name'),
  quota: quota('quota'),
  promptTokens: integer('prompt_tokens'),
  completionTokens: integer('completion_tokens'),
  useTime: integer('use_time'),
  isStream: flag('is_stream'),
  channelId: integer('channel_id'),
  tokenId: integer('token_id'),
  group: text('group'),
  other: text('other'),
  requestId: text('request_id'),
  ledgerId: nullableInteger('ledger_id'),
});

/** Maximum of rows that are counted for the total of a list; takes about 25 ms. */
const totalCap = 200_000;
/** Rows per DELETE, so that settlements wait for one batch, not for all. */
const deleteBatch = 1000;

type Query<Row> = SelectQueryBuilder<Database, 'logs', Row>;

/** Ordered by time, then id: uses the index. Ordering by id alone would scan all rows newer than the range. */
function newestFirst<Row>(query: Query<Row>): Query<Row> {
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc');
}

/** The columns' defaults: all rows of one statement must have the same columns. */
const blank = {
  username: '',
  tokenName: '',
  modelName: '',
  quota: zeroQuota,
  promptTokens: 0,
  completionTokens: 0,
  useTime: 0,
  isStream: false,
  channelId: 0,
  tokenId: 0,
  group: '',
  other: '',
  requestId: '',
  ledgerId: null,
} satisfies Partial<UsageLog>;

/** Texts of callers and upstreams as engines store them. `other` is JSON, which escapes what they refuse. */
function storable(log: NewUsageLog): NewUsageLog {
  return { ...blank, ...log, content: storableText(log.content), modelName: storableText(log.modelName ?? '') };
}

export function createLogRepository({ read, write, atomically }: Access): LogRepository {
  const filtered = (filter: LogFilter) => read.selectFrom('logs').where((where) => logConditions(where, filter));

  const count = async (filter: LogFilter): Promise<number> => {
    const { total } = await filtered(filter)
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return total;
  };
  /** Counts only among the newest rows of the time range and user, which the index finds without reading the others. */
  const countFrom = async (filter: LogFilter, seen: number): Promise<number> => {
    const { userId, from, to } = filter;
    const beyond = await newestFirst(filtered({ userId, from, to }).select('created_at'))
      .offset(totalCap)
      .limit(1)
      .executeTakeFirst();
    return beyond === undefined ? count(filter) : Math.max(await count({ ...filter, from: beyond.created_at }), seen + 1);
  };
  const newestId = async (): Promise<number> => {
    const row = await read.selectFrom('logs').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
    return row?.id ?? 0;
  };

  return {
    totalCap,
    newestId,
    async page(filter, { offset, limit }) {
      const resolved = await narrow(read, filter);
      const rows = await newestFirst(filtered(resolved).selectAll()).limit(limit).offset(offset).execute();
      // A page that is not full is the last one, so nothing needs to be counted.
      const ends = rows.length < limit && (rows.length > 0 || offset === 0);
      const seen = offset + rows.length;
      const total = ends ? seen : await countFrom(resolved, seen);
      return { items: rows.map(mapping.read), total };
    },
    async stat(filter, now) {
      const resolved = { ...(await narrow(read, filter)), type: logTypes.consume };
      const { spent } = await filtered(resolved)
        .select((select) => cappedSum(sql`coalesce(sum(${cappedSum(select.ref('quota'))}), 0)`).as('spent'))
        .executeTakeFirstOrThrow();
      const { rpm, tpm } = await filtered({ ...resolved, from: now - 60, to: undefined })
        .select((select) => [
          select.fn.countAll<number>().as('rpm'),
          cappedSum(sql`coalesce(sum(prompt_tokens + completion_tokens), 0)`).as('tpm'),
        ])
        .executeTakeFirstOrThrow();
      return { quota: spent, rpm, tpm };
    },
    async search(keyword, { userId, content }, limit) {
      const type = idFromKeyword(keyword);
      const rows = await newestFirst(filtered({ userId }).selectAll())
        .where((where) =>
          where.or([
            ...(type === undefined ? [] : [where('type', '=', type)]),
            ...(content
              ? [sql<boolean>`lower(${where.ref('content')}) like ${`${escapeLike(keyword.toLowerCase())}%`} escape '\\'`]
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
    async findByRequestId(requestId) {
      if (requestId === '') return [];
      const filter = await narrow(read, { requestId });
      return (await newestFirst(filtered(filter).selectAll()).execute()).map(mapping.read);
    },
    async listSince(id, limit, filter = {}) {
      const since = Math.min(id, await newestId());
      const resolved = await narrow(read, filter);
      const rows = await filtered(resolved).selectAll().where('id', '>', since).orderBy('id').limit(limit).execute();
      return rows.map(mapping.read);
    },
    async insert(log) {
      return (await write.insertInto('logs').values(mapping.write(log)).returning('id').executeTakeFirstOrThrow()).id;
    },
    insertMany: (logs) =>
      atomically(async (database) => {
        for (const piece of inPieces(logs)) {
          await database
            .insertInto('logs')
            .values(piece.map((log) => mapping.write(storable(log))))
            .execute();
        }
      }),
    async deleteBefore(time) {
      let deleted = 0;
      for (;;) {
        const { numDeletedRows } = await write
          .deleteFrom('logs')
          .where('id', 'in', (rows) =>
            rows.selectFrom('logs').select('id').where('created_at', '<', time).orderBy('created_at').limit(deleteBatch),
          )
          .executeTakeFirst();
        deleted += Number(numDeletedRows);
        if (numDeletedRows < deleteBatch) return deleted;
      }
    },
  };
}
