/** Forgets windows of budgets, a little at a time (docs/rules/budgets.md#kept). */
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import { eachOfCourse, neverEnds } from '../../vocabulary/budgets.ts';
import type { WindowPruning } from '../entities/budget.ts';
import type { Database } from '../schema.ts';
import { type Access, changes } from './access.ts';

/** Windows of a step. */
const most = 500;

/** One step: windows whose number is above `after`, and what is older than `before` (Unix seconds). */
export async function pruneWindows(
  { read, atomically }: Pick<Access, 'read' | 'atomically'>,
  before: number,
  after: number,
): Promise<WindowPruning> {
  const rows = await read
    .selectFrom('budget_windows')
    .leftJoin('budgets', 'budgets.id', 'budget_windows.budget_id')
    .select((select) => ['budget_windows.id as id', isOver(select, before).as('over')])
    .where('budget_windows.id', '>', after)
    .where((where) => where.or([isOver(where, before), isIdle(where, before)]))
    .orderBy('budget_windows.id')
    .limit(most)
    .execute();
  const over = rows.filter((row) => row.over);
  const idle = rows.filter((row) => !row.over);
  const ended = await atomically((database) => removeWindows(database, idsOf(over)));
  // One that goes on meanwhile stays.
  const forgotten = await atomically((database) => removeWindows(database, idsOf(idle), before));
  return {
    next: rows.length < most ? null : (rows.at(-1)?.id ?? null),
    removed: ended + forgotten,
    forgotten,
  };
}

/** How many are removed; with `unusedSince` only those that nothing was charged or is held in. */
export async function removeWindows(
  database: Kysely<Database>,
  ids: readonly number[],
  unusedSince?: number,
): Promise<number> {
  if (ids.length === 0) return 0;
  const removed = await database
    .deleteFrom('budget_windows')
    .where('id', 'in', ids)
    .$if(unusedSince !== undefined, (part) =>
      part.where('charged_at', '<', unusedSince ?? 0).where('held', '=', 0),
    )
    .executeTakeFirst();
  for (const table of ['budget_charges', 'budget_minutes'] as const)
    await database
      .deleteFrom(table)
      .where('window_id', 'in', ids)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('budget_windows')
              .select('id')
              .whereRef('id', '=', `${table}.window_id`),
          ),
        ),
      )
      .execute();
  return changes(removed);
}

const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);

type Builder = ExpressionBuilder<Database, 'budget_windows' | 'budgets'>;

/** It ended, or its budget is gone or counts something else. */
function isOver(where: Builder, before: number) {
  return where.or([
    where('budgets.id', 'is', null),
    where('budgets.revision', '!=', where.ref('budget_windows.revision')),
    where.and([where('ends_at', '!=', neverEnds), where('ends_at', '<', before)]),
  ]);
}

/** A conversation or agent without charges since. */
function isIdle(where: Builder, before: number): Expression<SqlBool> {
  return where.and([
    where('budgets.each', 'in', eachOfCourse),
    where('ends_at', '=', neverEnds),
    where('starts_at', '<', before),
    where('charged_at', '<', before),
  ]);
}
