/**
 * PostgreSQL leaves rows where they were inserted: hour by hour, all users mixed, so that a month
 * of one user lies on as many pages as it has rows. Once a day is over, its rows are stored again,
 * user by user (docs/rules/usage-logs.md#gathered-rows). A settlement pays nothing for it.
 */
import { sql } from 'kysely';
import { type Access, inPieces } from './access.ts';

const day = 86_400;
/** Users whose rows are moved by one statement. */
const usersAtOnce = 50;
const progressId = 1;

/** `until`: Unix seconds; days are those of UTC. */
export async function gatherDays(
  { read, write, atomically }: Pick<Access, 'read' | 'write' | 'atomically'>,
  until: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  let from = await firstDay(read);
  while (from !== undefined && from + day <= until && signal?.aborted !== true) {
    const start = from;
    const end = start + day;
    const users = await read
      .selectFrom('quota_data')
      .select('user_id')
      .distinct()
      .where('created_at', '>=', start)
      .where('created_at', '<', end)
      .orderBy('user_id')
      .execute();
    for (const piece of inPieces(users, usersAtOnce)) {
      const ids = sql.join(piece.map(({ user_id }) => sql.lit(user_id)));
      await atomically(async (database) => {
        await sql`with moved as (
            delete from quota_data where user_id in (${ids}) and created_at >= ${start} and created_at < ${end} returning *
          ) insert into quota_data select * from moved order by user_id, created_at, model_name`.execute(
          database,
        );
      });
    }
    await write
      .insertInto('rollup_order')
      .values({ id: progressId, hour: end })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ hour: end }))
      .execute();
    from = end;
  }
}

/** The first day that is not gathered; undefined: there are no rows. */
async function firstDay(read: Access['read']): Promise<number | undefined> {
  const progress = await read
    .selectFrom('rollup_order')
    .select('hour')
    .where('id', '=', progressId)
    .executeTakeFirst();
  if (progress !== undefined) return progress.hour;
  const { first } = await read
    .selectFrom('quota_data')
    .select((select) => select.fn.min('created_at').as('first'))
    .executeTakeFirstOrThrow();
  return first === null ? undefined : first - (first % day);
}
