/** Rows of `budget_windows` (docs/rules/budgets.md#windows). */
import { type Expression, type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely';
import { neverEnds } from '../../vocabulary/budgets.ts';
import type { EngineAbilities } from '../dialects/engine.ts';
import type { BudgetWindowRow, WindowDrift, WindowOpening } from '../entities/budget.ts';
import { counter, defineMapping, integer, text } from '../mapping.ts';
import type { Database } from '../schema.ts';
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

/** Windows that one statement opens: engines take some hundred parts of a statement. */
export const mostAtOnce = 100;

type WindowRow = Selectable<Database['budget_windows']>;
export const orNull = (row: WindowRow | undefined) =>
  row === undefined ? null : windowMapping.read(row);

/**
 * The revisions of budgets, whose rows are locked: others that open windows of them wait. In one
 * order, so that none waits in a circle.
 */
async function lockBudgets(
  database: Kysely<Database>,
  { isSqlite }: EngineAbilities,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await database
    .selectFrom('budgets')
    .select(['id', 'revision'])
    .where('id', 'in', ids)
    .orderBy('id')
    // SQLite has one transaction that writes at a time.
    .$if(!isSqlite, (query) => query.forNoKeyUpdate())
    .execute();
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}

/** The window itself where it is open, and the one before it where that is of use. */
const ofOpening =
  ({ budgetId, revision, subject, startsAt, isRolling, carriedFrom }: WindowOpening) =>
  (where: ExpressionBuilder<Database, 'budget_windows'>) =>
    where.and([
      where.and({ budget_id: budgetId, revision, subject }),
      where.or([
        isRolling ? where('ends_at', '>', startsAt) : where('starts_at', '=', startsAt),
        ...(isRolling ? [where('ends_at', '=', neverEnds)] : []),
        ...(carriedFrom === undefined ? [] : [where('ends_at', '=', startsAt)]),
      ]),
    ]);

/**
 * Finds windows or makes them, at most {@link mostAtOnce}, each of another budget or subject; null:
 * the budget is gone or has changed.
 */
export async function openIn(
  database: Kysely<Database>,
  abilities: EngineAbilities,
  openings: readonly WindowOpening[],
): Promise<readonly (BudgetWindowRow | null)[]> {
  const revisions = await lockBudgets(database, abilities, [
    ...new Set(openings.map(({ budgetId }) => budgetId)),
  ]);
  const valid = openings.filter(({ budgetId, revision }) => revisions.get(budgetId) === revision);
  if (valid.length === 0) return openings.map(() => null);
  const stored = await database
    .selectFrom('budget_windows')
    .selectAll()
    .where((where) => where.or(valid.map((opening) => ofOpening(opening)(where))))
    .orderBy('starts_at', 'desc')
    .execute();
  const key = (budgetId: number, subject: string) => `${budgetId} ${subject}`;
  const byOwner = Map.groupBy(stored.map(windowMapping.read), ({ budgetId, subject }) =>
    key(budgetId, subject),
  );
  const opened = new Map<string, BudgetWindowRow>();
  const missing: { readonly opening: WindowOpening; readonly previous: BudgetWindowRow | null }[] =
    [];
  for (const opening of valid) {
    const { budgetId, subject, startsAt, isRolling } = opening;
    const windows = byOwner.get(key(budgetId, subject)) ?? [];
    // Of a rolling one only those that are open were read.
    const known = windows.find((window) => isRolling || window.startsAt === startsAt);
    if (known !== undefined) opened.set(key(budgetId, subject), known);
    else missing.push({ opening, previous: windows[0] ?? null });
  }
  for (const row of await insertWindows(database, missing))
    opened.set(key(row.budgetId, row.subject), row);
  return openings.map((opening) =>
    revisions.get(opening.budgetId) === opening.revision
      ? (opened.get(key(opening.budgetId, opening.subject)) ?? null)
      : null,
  );
}

async function insertWindows(
  database: Kysely<Database>,
  missing: readonly {
    readonly opening: WindowOpening;
    readonly previous: BudgetWindowRow | null;
  }[],
): Promise<readonly BudgetWindowRow[]> {
  if (missing.length === 0) return [];
  const charged = await spentSince(
    database,
    missing.map(({ opening: { before, startsAt } }) => before && { ...before, since: startsAt }),
  );
  const rows = await database
    .insertInto('budget_windows')
    .values(
      missing.map(({ opening, previous }, place) => {
        const spent = (charged[place] ?? 0) + (opening.opening ?? 0);
        return {
          budget_id: opening.budgetId,
          revision: opening.revision,
          subject: opening.subject,
          starts_at: opening.startsAt,
          ends_at: opening.endsAt,
          user_id: opening.userId ?? 0,
          opening: spent,
          carried: opening.carriedFrom?.(previous) ?? 0,
          spent,
        };
      }),
    )
    .returningAll()
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
      'budgets.owner as owner',
      'budgets.owner_id as owner_id',
      'budgets.each as each',
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
  return rows.map(({ owner_id: ownerId, spent, opening, charged, ...row }) => ({
    ...row,
    ownerId,
    spent: readExactSum(spent),
    charged: readExactSum(opening) + readExactSum(charged),
  }));
}
