import { sql } from 'kysely';
import type { Step } from '../src/core/storage/columns.ts';
import prices from './0084-kept-prices.json' with { type: 'json' };

/**
 * A site that exists keeps the prices that it has: tables that nobody saved are stored as they were
 * until the catalogue of models became their default.
 */
export const keptPrices: Step = async (_schema, _kinds, database) => {
  const { rows } = await sql`select 1 from users limit 1`.execute(database);
  if (rows.length === 0) return;
  for (const [key, table] of Object.entries(prices))
    await sql`insert into options (key, value, sealed) values (${key}, ${JSON.stringify(table)}, 0)
      on conflict (key) do nothing`.execute(database);
};
