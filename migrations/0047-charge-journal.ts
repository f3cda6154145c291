import { sql } from 'kysely';
import type { Step } from '../src/core/storage/columns.ts';

/** The number of the last charge of the journal that is in the tables. One row. */
export const chargeJournal: Step = async (schema, _kinds, database) => {
  await schema
    .createTable('charge_journal')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('applied', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into charge_journal (id, applied) values (1, 0)`.execute(database);
};
