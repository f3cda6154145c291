/** Windows of budgets that are open at a time (docs/rules/budgets.md#list). */
import { type Kysely, sql } from 'kysely';
import { leastPart, leastSeconds } from '../../vocabulary/budget-forecast.ts';
import { eachOfCourse, nearShare, neverEnds } from '../../vocabulary/budgets.ts';
import type { BudgetWindowRow, OpenWindowFilter } from '../entities/budget.ts';
import type { Database } from '../schema.ts';
import { windowMapping } from './budget-windows.ts';

/** Those of the budgets' present revisions. `now`: Unix seconds. */
const openAt = (read: Kysely<Database>, now: number) =>
  read
    .selectFrom('budget_windows')
    .innerJoin('budgets', (join) =>
      join
        .onRef('budgets.id', '=', 'budget_windows.budget_id')
        .onRef('budgets.revision', '=', 'budget_windows.revision'),
    )
    .where('starts_at', '<=', now)
    .where((where) => where.or([where('ends_at', '=', neverEnds), where('ends_at', '>', now)]));

/** `openWindows` of the repository of budgets. */
export async function openWindows(
  read: Kysely<Database>,
  now: number,
  { budgetIds, windowIds, mostOfEach, parts }: OpenWindowFilter,
): Promise<readonly BudgetWindowRow[]> {
  const open = openAt(read, now)
    .selectAll('budget_windows')
    .$if(budgetIds !== undefined, (part) => part.where('budgets.id', 'in', budgetIds ?? []))
    .$if(windowIds !== undefined, (part) => part.where('budget_windows.id', 'in', windowIds ?? []))
    .$if(parts !== undefined, (part) =>
      part.where((where) =>
        where.or([
          where('budgets.each', '!=', parts?.each ?? ''),
          where('subject', 'in', parts?.subjects ?? []),
        ]),
      ),
    );
  const ranked = open.select((select) => [
    'budgets.each as whose',
    select.fn
      .agg<number>('row_number')
      .over((over) =>
        over.partitionBy('budget_windows.budget_id').orderBy('budget_windows.spent', 'desc'),
      )
      .as('place'),
  ]);
  const found =
    mostOfEach === undefined
      ? read.selectFrom(open.as('shown')).selectAll()
      : read
          .selectFrom(ranked.as('shown'))
          .selectAll()
          .where((where) =>
            where.or([where('whose', 'not in', eachOfCourse), where('place', '<=', mostOfEach)]),
          );
  const rows = await found
    .orderBy('budget_id')
    .orderBy('spent', 'desc')
    .orderBy('subject')
    .execute();
  return rows.map(windowMapping.read);
}

/**
 * Budgets with a window that is near its end or on the way to it ({@link usedUpAt}), fullest first.
 * `budgetIds` absent: of all.
 */
export async function endingBudgets(
  read: Kysely<Database>,
  now: number,
  most: number,
  budgetIds: readonly number[] | undefined,
): Promise<readonly number[]> {
  const limit = sql<number>`(budgets.amount + budget_windows.carried + budget_windows.extra)`;
  const share = sql<number>`case when ${limit} = 0 then 1.0 else spent * 1.0 / ${limit} end`;
  const elapsed = sql<number>`(${now} - starts_at)`;
  const isNear = sql<boolean>`spent >= ${limit} * ${sql.lit(nearShare)}`;
  // Spending goes on as since the beginning: it passes the limit before the end.
  const isOnTheWay = sql<boolean>`(${elapsed} >= ${sql.lit(leastSeconds)} and (ends_at = ${sql.lit(neverEnds)}
    or (${elapsed} >= (ends_at - starts_at) * ${sql.lit(leastPart)}
      and spent * 1.0 * (ends_at - starts_at) > ${limit} * 1.0 * ${elapsed})))`;
  const rows = await openAt(read, now)
    .select('budgets.id as id')
    .where('budgets.enabled', '=', 1)
    .where('budgets.period', '!=', 'none')
    .where('spent', '>', 0)
    .where((where) => where.or([isNear, isOnTheWay]))
    .$if(budgetIds !== undefined, (part) => part.where('budgets.id', 'in', budgetIds ?? []))
    .groupBy('budgets.id')
    .orderBy((select) => select.fn.max(share), 'desc')
    .orderBy('budgets.id', 'desc')
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}
