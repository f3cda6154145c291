/**
 * Forgets windows of budgets and their old charges, a little at a time
 * (docs/rules/budgets.md#kept). What charges came to is added to what their window began with in
 * the transaction that deletes them, so that it is the sum of both at every moment.
 */
import { type Kysely, sql } from 'kysely';
import { eachOfCourse, neverEnds } from '../../vocabulary/budgets.ts';
import type { WindowPruning } from '../entities/budget.ts';
import type { Database } from '../schema.ts';
import { type Access, changed } from './access.ts';
import { firstIdOf } from './spent-since.ts';

/** Charges and windows of a step, about. */
const most = 500;

interface OldWindow {
  readonly id: number;
  /** It ended, or its budget is gone or counts something else. */
  readonly isOver: boolean;
  /** A conversation or agent without charges since. */
  readonly isIdle: boolean;
}

/** One step: windows whose number is above `after`, and what is older than `before` (Unix seconds). */
export async function pruneWindows(
  { read, atomically }: Pick<Access, 'read' | 'atomically'>,
  before: number,
  after: number,
): Promise<WindowPruning> {
  const firstKept = await firstPostingSince(read, before);
  const windows = await oldWindows(read, before, firstKept, after);
  let work = 0;
  let removed = 0;
  let forgotten = 0;
  for (const [place, { id, isOver, isIdle }] of windows.entries()) {
    if (work >= most) return { next: windows[place - 1]?.id ?? after, removed, forgotten };
    const folded = await atomically((database) =>
      foldCharges(database, id, isOver ? undefined : firstKept),
    );
    work += 1 + folded;
    // Some may be left: it comes again.
    if (folded === most) return { next: id - 1, removed, forgotten };
    if (!isOver && !isIdle) continue;
    if (!(await atomically((database) => removeEmpty(database, id)))) continue;
    removed += 1;
    if (!isOver) forgotten += 1;
  }
  const isEnd = windows.length < most;
  return { next: isEnd ? null : (windows.at(-1)?.id ?? null), removed, forgotten };
}

/** The number of the first posting of the hour that a time is in, or of the next one to come. */
async function firstPostingSince(read: Kysely<Database>, since: number): Promise<number> {
  const { id } = await firstIdOf(read, since).executeTakeFirstOrThrow();
  if (Number(id) > 0) return Number(id);
  const { last } = await read
    .selectFrom('ledger')
    .select((select) => select.fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  return Number(last ?? 0) + 1;
}

/** Those with something to forget, by number. */
async function oldWindows(
  read: Kysely<Database>,
  before: number,
  firstKept: number,
  after: number,
): Promise<readonly OldWindow[]> {
  const rows = await read
    .selectFrom('budget_windows')
    .leftJoin('budgets', 'budgets.id', 'budget_windows.budget_id')
    .where('budget_windows.id', '>', after)
    .select((select) => {
      const chargesOf = (compare: '<' | '>=') =>
        select.exists(
          select
            .selectFrom('budget_charges')
            .select('budget_charges.window_id')
            .whereRef('budget_charges.window_id', '=', 'budget_windows.id')
            .where('budget_charges.ledger_id', compare, firstKept),
        );
      const isOver = select.or([
        select('budgets.id', 'is', null),
        select('budgets.revision', '!=', select.ref('budget_windows.revision')),
        select.and([select('ends_at', '!=', neverEnds), select('ends_at', '<', before)]),
      ]);
      const isIdle = select.and([
        select('budgets.each', 'in', eachOfCourse),
        select('ends_at', '=', neverEnds),
        select('starts_at', '<', before),
        select.not(chargesOf('>=')),
      ]);
      const flag = (condition: typeof isOver) =>
        select.case().when(condition).then(1).else(0).end().$castTo<number>();
      return [
        'budget_windows.id as id',
        flag(isOver).as('over'),
        flag(isIdle).as('idle'),
        flag(select.and([select('ends_at', '=', neverEnds), chargesOf('<')])).as('old'),
      ];
    })
    .$call((query) =>
      read
        .selectFrom(query.as('found'))
        .selectAll()
        .where((where) =>
          where.or([where('over', '=', 1), where('idle', '=', 1), where('old', '=', 1)]),
        )
        .orderBy('id')
        .limit(most),
    )
    .execute();
  return rows.map(({ id, over, idle }) => ({
    id: Number(id),
    isOver: Number(over) === 1,
    isIdle: Number(idle) === 1,
  }));
}

/** Returns how many charges became part of what the window began with. `below`: only those of earlier postings. */
async function foldCharges(
  database: Kysely<Database>,
  windowId: number,
  below: number | undefined,
): Promise<number> {
  const charges = await database
    .selectFrom('budget_charges')
    .select(['ledger_id', 'amount'])
    .where('window_id', '=', windowId)
    .$if(below !== undefined, (part) => part.where('ledger_id', '<', below ?? 0))
    .orderBy('ledger_id')
    .limit(most)
    .execute();
  const last = charges.at(-1);
  if (last === undefined) return 0;
  const amount = charges.reduce((sum, charge) => sum + BigInt(charge.amount), 0n);
  await database
    .deleteFrom('budget_charges')
    .where('window_id', '=', windowId)
    .where('ledger_id', '<=', last.ledger_id)
    .execute();
  await database
    .updateTable('budget_windows')
    .set({ opening: sql<number>`opening + ${amount}` })
    .where('id', '=', windowId)
    .execute();
  return charges.length;
}

/** False where something was charged or is held in it meanwhile. */
async function removeEmpty(database: Kysely<Database>, id: number): Promise<boolean> {
  return changed(
    await database
      .deleteFrom('budget_windows')
      .where('id', '=', id)
      .where('held', '=', 0)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('budget_charges')
              .select('budget_charges.window_id')
              .where('budget_charges.window_id', '=', id),
          ),
        ),
      )
      .executeTakeFirst(),
  );
}
