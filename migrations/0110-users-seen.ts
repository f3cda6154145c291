import { sql } from 'kysely';
import { type Step, zero } from '../src/core/storage/columns.ts';

/** When users were last signed in: lists of users are sorted and filtered by it. */
export const usersSeen: Step = async (schema, _kinds, database) => {
  await schema.alterTable('users').addColumn('seen_at', 'bigint', zero).execute();
  await sql`update users set seen_at = coalesce(
    (select max(last_seen) from sessions where sessions.user_id = users.id), 0)`.execute(database);
};
