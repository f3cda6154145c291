import { sql } from 'kysely';
import { logTypes } from '../../vocabulary/log-types.ts';
import type { RetainedKind, RetentionRepository, StoredRow } from '../entities/retention.ts';
import type { TableName } from '../schema.ts';
import type { Access } from './access.ts';
import { forgetDays } from './log-sums.ts';

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
  audit: { table: 'audit_logs', time: 'created_at', units: 1, only: all },
  tasks: { table: 'tasks', time: 'finish_time', units: 1, only: ended },
  drawings: { table: 'midjourneys', time: 'finish_time', units: 1000, only: ended },
};

export function createRetentionRepository({ read, write }: Access): RetentionRepository {
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
    async list(kind, from, before, limit) {
      const { table, time, units, only } = sources[kind];
      const column = sql.ref<number>(time);
      const { rows } = await sql<StoredRow>`select * from ${sql.table(table)}
        where ${column} >= ${from * units} and ${column} < ${before * units} and ${only}
        order by ${column}, id limit ${limit}`.execute(read);
      return { rows, newest: Math.floor(Number(rows.at(-1)?.[time] ?? 0) / units) };
    },
    async delete(kind, { rows, newest }) {
      const [oldest] = rows;
      if (oldest === undefined) return;
      const { table, time } = sources[kind];
      const days = { from: Number(oldest[time]), to: newest };
      if (table === 'logs') await forgetDays(write, days);
      const ids = sql.join(rows.map(({ id }) => id));
      await sql`delete from ${sql.table(table)} where id in (${ids})`.execute(write);
      if (table === 'logs') await forgetDays(write, days);
    },
  };
}
