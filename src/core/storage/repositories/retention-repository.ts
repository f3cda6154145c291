import { sql } from 'kysely';
import { logTypes } from '../../vocabulary/log-types.ts';
import type { RetainedKind, RetentionRepository, StoredRow } from '../entities/retention.ts';
import type { TableName } from '../schema.ts';
import { type Access, inPieces } from './access.ts';
import { forgetDays } from './log-sums.ts';
import { restoreLogs } from './restore-logs.ts';

interface Source {
  readonly table: TableName;
  readonly time: string;
  /** Units of the column in a second. */
  readonly units: number;
  readonly only: ReturnType<typeof sql<boolean>>;
}

const errorRows = sql<boolean>`type = ${sql.lit(logTypes.error)}`;
const otherRows = sql<boolean>`type <> ${sql.lit(logTypes.error)}`;
const ended = sql<boolean>`finish_time > 0 and progress = '100%'`;
const all = sql<boolean>`1 = 1`;

const sources: Readonly<Record<RetainedKind, Source>> = {
  usage: { table: 'logs', time: 'created_at', units: 1, only: otherRows },
  errors: { table: 'logs', time: 'created_at', units: 1, only: errorRows },
  logs: { table: 'logs', time: 'created_at', units: 1, only: all },
  audit: { table: 'audit_logs', time: 'created_at', units: 1, only: all },
  tasks: { table: 'tasks', time: 'finish_time', units: 1, only: ended },
  drawings: { table: 'midjourneys', time: 'finish_time', units: 1000, only: ended },
};

export function createRetentionRepository(access: Access): RetentionRepository {
  const { read, write } = access;
  return {
    async oldest(kind, from) {
      const { table, time, units, only } = sources[kind];
      const column = sql.ref<number>(time);
      const { rows } = await sql<{ time: number }>`select ${column} as time
        from ${sql.table(table)} where ${column} >= ${from * units} and ${only}
        order by ${column} limit 1`.execute(read);
      const [row] = rows;
      return row === undefined ? undefined : Math.floor(Number(row.time) / units);
    },
    async list(kind, { from, before }, limit, after) {
      const { table, time, units, only } = sources[kind];
      const column = sql.ref<number>(time);
      const place = after ?? { time: from * units, id: 0 };
      const { rows } = await sql<StoredRow>`select * from ${sql.table(table)}
        where ${column} < ${before * units} and ${only}
          and (${column}, id) > (${place.time}, ${place.id})
        order by ${column}, id limit ${limit}`.execute(read);
      const timeOf = (row: StoredRow | undefined) => Number(row?.[time] ?? 0);
      const newest = rows.at(-1);
      return {
        rows,
        ids: rows.map(({ id }) => Number(id)),
        oldest: Math.floor(timeOf(rows[0]) / units),
        newest: Math.floor(timeOf(newest) / units),
        last: newest && { time: timeOf(newest), id: Number(newest['id']) },
      };
    },
    async timeAfter(kind, { from, before }, count) {
      const { table, time, units, only } = sources[kind];
      const column = sql.ref<number>(time);
      const { rows } = await sql<{ time: number }>`select ${column} as time
        from ${sql.table(table)}
        where ${column} >= ${from * units} and ${column} < ${before * units} and ${only}
        order by ${column}, id limit 1 offset ${count}`.execute(read);
      const [row] = rows;
      return row === undefined ? undefined : Math.floor(Number(row.time) / units);
    },
    async delete(kind, ids, { oldest, newest }) {
      if (ids.length === 0) return;
      const { table } = sources[kind];
      const days = { from: oldest, to: newest };
      if (table === 'logs') await forgetDays(write, days);
      for (const piece of inPieces(ids))
        await sql`delete from ${sql.table(table)} where id in (${sql.join(piece)})`.execute(write);
      if (table === 'logs') await forgetDays(write, days);
    },
    restoreLogs: (rows) => restoreLogs(access, rows),
  };
}
