import { sql } from 'kysely';
import type { DiagnosisRepository } from '../entities/diagnosis.ts';
import type { Access } from './access.ts';

export function createDiagnosisRepository({
  read,
  abilities: { isSqlite },
}: Access): DiagnosisRepository {
  const facts = isSqlite
    ? sql<Facts>`select sqlite_version() as version, unixepoch() as time,
        (select page_count from pragma_page_count()) * (select page_size from pragma_page_size()) as size`
    : sql<Facts>`select current_setting('server_version') as version, floor(extract(epoch from clock_timestamp())) as time,
        pg_database_size(current_database()) as size`;
  return {
    async read() {
      const [row] = (await facts.execute(read)).rows;
      const newest = await sql<{
        name: string;
      }>`select name from schema_migrations order by name desc limit 1`.execute(read);
      return {
        version: row?.version ?? '',
        schema: newest.rows[0]?.name ?? '',
        size: Number(row?.size ?? 0),
        time: Number(row?.time ?? 0),
      };
    },
    async findDamage() {
      if (!isSqlite) return [];
      const { rows } = await sql<{
        quick_check: string;
      }>`select quick_check from pragma_quick_check()`.execute(read);
      return rows.map((row) => row.quick_check).filter((text) => text !== 'ok');
    },
  };
}

interface Facts {
  readonly version: string;
  readonly time: number | string;
  readonly size: number | string;
}
