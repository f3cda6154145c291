import { sql } from 'kysely';
import { empty, type Step } from '../src/core/storage/columns.ts';

/**
 * - `audit_logs`: the actor's name at the time, so that an entry can be read after the account is
 *   gone, and an index on the time, by which old entries are found.
 * - `rollup_order`: up to which hour the rows of `quota_data` are stored in the order in which they
 *   are read. One row.
 */
export const auditAndOrder: Step = async (schema, _kinds, database) => {
  await schema.alterTable('audit_logs').addColumn('actor_name', 'text', empty).execute();
  await sql`update audit_logs set actor_name = coalesce((select username from users where users.id = actor_id), '')`.execute(
    database,
  );
  await schema.createIndex('audit_logs_created_at').on('audit_logs').column('created_at').execute();
  await schema
    .createTable('rollup_order')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('hour', 'bigint', (column) => column.notNull())
    .execute();
};
