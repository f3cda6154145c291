/** Rows of `budget_windows` (docs/rules/budgets.md#windows). */
import { type Expression, type Kysely, type Selectable, sql } from 'kysely';
import { eachOfCourse, neverEnds } from '../../vocabulary/budgets.ts';
import type { EngineAbilities } from '../dialects/engine.ts';
import type { BudgetWindowRow, WindowDrift, WindowOpening } from '../entities/budget.ts';
import { counter, defineMapping, integer, text } from '../mapping.ts';
import type { Database } from '../schema.ts';
import { changed } from './access.ts';
import { readExactSum } from './exact-sum.ts';
import { spentSince } from './spent-since.ts';

export const windowMapping = defineMapping<'budget_windows', BudgetWindowRow>({
  id: integer('id'),
  budgetId: integer('budget_id'),
  revision: integer('revision'),
  subject: text('subject'),
  startsAt: integer('starts_at'),
  endsAt: integer('ends_at'),
  opening: counter('opening'),
  carried: counter('carried'),
  extra: counter('extra'),
  spent: counter('spent'),
  held: counter('held'),
  warned: integer('warned'),
  requests: integer('requests'),
  extraRequests: integer('extra_requests'),
  fencedFrom: integer('fenced_from'),
  grants: integer('grants'),
  repeats: integer('repeats'),
  pace: integer('pace'),
  userId: integer('user_id'),
});

type WindowRow = Selectable<Database['budget_windows']>;
export const orNull = (row: WindowRow | undefined) =>
  row === undefined ? null : windowMapping.read(row);

/** Finds a window or makes it; null: the budget is gone or has changed. */
export async function openIn(
  database: Kysely<Database>,
  opening: WindowOpening,
): Promise<BudgetWindowRow | null> {
  const { budgetId, revision, subject, startsAt, endsAt, isRolling, userId, before, carriedFrom } =
    opening;
  // The row of the budget is locked by it: others that open a window of it wait.
  const locked = await database
    .updateTable('budgets')
    .set({ revision: sql<number>`revision` })
    .where('id', '=', budgetId)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (!changed(locked)) return null;
  const windows = database
    .selectFrom('budget_windows')
    .selectAll()
    .where('budget_id', '=', budgetId)
    .where('revision', '=', revision)
    .where('subject', '=', subject);
  const known = await (isRolling
    ? windows.where((where) =>
        where.or([where('ends_at', '=', neverEnds), where('ends_at', '>', startsAt)]),
      )
    : windows.where('starts_at', '=', startsAt)
  )
    .orderBy('starts_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (known !== undefined) return windowMapping.read(known);
  const previous =
    carriedFrom === undefined
      ? undefined
      : await windows.where('ends_at', '=', startsAt).executeTakeFirst();
  const charged = before === null ? 0 : await spentSince(database, before, startsAt);
  const spent = charged + (opening.opening ?? 0);
  const row = await database
    .insertInto('budget_windows')
    .values({
      budget_id: budgetId,
      revision,
      subject,
      starts_at: startsAt,
      ends_at: endsAt,
      user_id: userId ?? 0,
      opening: spent,
      carried: carriedFrom?.(orNull(previous)) ?? 0,
      spent,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return windowMapping.read(row);
}

/** `openWindows` of the repository of budgets. */
export async function openWindows(
  read: Kysely<Database>,
  now: number,
  budgetIds: readonly number[] | undefined,
  mostOfEach: number | undefined,
): Promise<readonly BudgetWindowRow[]> {
  const open = read
    .selectFrom('budget_windows')
    .innerJoin('budgets', (join) =>
      join
        .onRef('budgets.id', '=', 'budget_windows.budget_id')
        .onRef('budgets.revision', '=', 'budget_windows.revision'),
    )
    .selectAll('budget_windows')
    .where('starts_at', '<=', now)
    .where((where) => where.or([where('ends_at', '=', neverEnds), where('ends_at', '>', now)]))
    .$if(budgetIds !== undefined, (part) => part.where('budgets.id', 'in', budgetIds ?? []));
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
 * What postings took from windows: by their own rows, and by those that older versions wrote
 * besides.
 */
const takenBy = ({ entriesOf }: EngineAbilities) => sql<{ window_id: number; amount: number }>`(
  select window_id, amount from budget_charges
  union all
  select cast(case when ledger.kind = 'charge' then entry.value else entry.key end as bigint),
    case when ledger.kind = 'charge' then -ledger.amount else cast(entry.value as bigint) end
  from ledger cross join ${entriesOf('ledger.windows')} as entry where ledger.windows is not null)`;

/** Every window against the charges that it consists of. */
export async function verifyWindows(
  read: Kysely<Database>,
  abilities: EngineAbilities,
): Promise<readonly WindowDrift[]> {
  const charged = read
    .selectFrom(takenBy(abilities).as('taken'))
    .select((select) => ['window_id', select.fn.sum<number>('amount').as('amount')])
    .groupBy('window_id');
  const drift = (select: { ref(name: 'charged.amount'): Expression<number> }) =>
    sql<number>`coalesce(${select.ref('charged.amount')}, 0)`;
  const rows = await read
    .selectFrom('budget_windows')
    .innerJoin('budgets', 'budgets.id', 'budget_windows.budget_id')
    .leftJoin(charged.as('charged'), 'charged.window_id', 'budget_windows.id')
    .select((select) => [
      'budget_windows.id as windowId',
      'budget_windows.budget_id as budgetId',
      'budgets.name as name',
      'budget_windows.subject as subject',
      sql<string>`cast(${select.ref('budget_windows.spent')} as text)`.as('spent'),
      sql<string>`cast(${select.ref('budget_windows.opening')} as text)`.as('opening'),
      sql<string>`cast(${drift(select)} as text)`.as('charged'),
    ])
    .where(
      (where) =>
        sql<boolean>`${drift(where)} + ${where.ref('budget_windows.opening')} != ${where.ref('budget_windows.spent')}`,
    )
    .orderBy('budget_windows.id')
    .execute();
  return rows.map(({ spent, opening, charged, ...row }) => ({
    ...row,
    spent: readExactSum(spent),
    charged: readExactSum(opening) + readExactSum(charged),
  }));
}
