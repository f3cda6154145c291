import { type Kysely, type Selectable, sql } from 'kysely';
import { budgetFields } from '../../entities/budget.ts';
import { neverEnds } from '../../vocabulary/budgets.ts';
import type { BudgetRepository, BudgetWindowRow, WindowOpening } from '../entities/budget.ts';
import { counter, defineEntityMapping, defineMapping, integer, text } from '../mapping.ts';
import type { Database } from '../schema.ts';
import { type Access, changed, changes, inPieces } from './access.ts';
import { exactSum, readExactSum } from './exact-sum.ts';
import { spentSince } from './spent-since.ts';

const mapping = defineEntityMapping<'budgets', typeof budgetFields>(budgetFields);
const windowMapping = defineMapping<'budget_windows', BudgetWindowRow>({
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
});

type WindowRow = Selectable<Database['budget_windows']>;
const orNull = (row: WindowRow | undefined) => (row === undefined ? null : windowMapping.read(row));

async function openIn(
  database: Kysely<Database>,
  opening: WindowOpening,
): Promise<BudgetWindowRow | null> {
  const { budgetId, revision, subject, startsAt, endsAt, isRolling, before, carriedFrom } = opening;
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
  const spent = before === null ? 0 : await spentSince(database, before, startsAt);
  const row = await database
    .insertInto('budget_windows')
    .values({
      budget_id: budgetId,
      revision,
      subject,
      starts_at: startsAt,
      ends_at: endsAt,
      opening: spent,
      carried: carriedFrom?.(orNull(previous)) ?? 0,
      spent,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return windowMapping.read(row);
}

export function createBudgetRepository({ read, write, atomically }: Access): BudgetRepository {
  const removeWindows = async (
    database: Kysely<Database>,
    ids: readonly number[],
  ): Promise<number> => {
    let removed = 0;
    for (const piece of inPieces(ids)) {
      await database.deleteFrom('budget_charges').where('window_id', 'in', piece).execute();
      removed += changes(
        await database.deleteFrom('budget_windows').where('id', 'in', piece).executeTakeFirst(),
      );
    }
    return removed;
  };
  return {
    list: async () =>
      (await read.selectFrom('budgets').selectAll().orderBy('id').execute()).map(mapping.read),
    find: async (id) => {
      const query = read.selectFrom('budgets').selectAll().where('id', '=', id);
      const row = await query.executeTakeFirst();
      return row === undefined ? null : mapping.read(row);
    },
    insert: async (budget) => {
      const query = write.insertInto('budgets').values(mapping.write(budget)).returning('id');
      return (await query.executeTakeFirstOrThrow()).id;
    },
    update: async (id, change, restarts) =>
      changed(
        await write
          .updateTable('budgets')
          .set({
            ...mapping.write(change),
            revision: restarts ? sql<number>`revision + 1` : sql<number>`revision`,
          })
          .where('id', '=', id)
          .executeTakeFirst(),
      ),
    remove: (id) =>
      atomically(async (database) => {
        const deleted = await database
          .deleteFrom('budgets')
          .where('id', '=', id)
          .executeTakeFirst();
        const rows = await database
          .selectFrom('budget_windows')
          .select('id')
          .where('budget_id', '=', id)
          .orderBy('id')
          .execute();
        await removeWindows(
          database,
          rows.map((row) => row.id),
        );
        return changed(deleted);
      }),
    openWindow: (opening) => atomically((database) => openIn(database, opening)),
    findWindow: async (id) =>
      orNull(
        await read.selectFrom('budget_windows').selectAll().where('id', '=', id).executeTakeFirst(),
      ),
    async openWindows(now, budgetIds) {
      const rows = await read
        .selectFrom('budget_windows')
        .innerJoin('budgets', (join) =>
          join
            .onRef('budgets.id', '=', 'budget_windows.budget_id')
            .onRef('budgets.revision', '=', 'budget_windows.revision'),
        )
        .selectAll('budget_windows')
        .where('starts_at', '<=', now)
        .where((where) => where.or([where('ends_at', '=', neverEnds), where('ends_at', '>', now)]))
        .$if(budgetIds !== undefined, (part) => part.where('budgets.id', 'in', budgetIds ?? []))
        .orderBy('budget_windows.budget_id')
        .orderBy('spent', 'desc')
        .orderBy('subject')
        .execute();
      return rows.map(windowMapping.read);
    },
    grant: (windowId, amount, now) =>
      atomically(async (database) => {
        const added = await database
          .updateTable('budget_windows')
          .set((set) => ({
            extra: set('extra', '+', amount),
            extra_requests: set.ref('requests'),
            fenced_from: now,
            grants: set('grants', '+', 1),
            warned: 0,
          }))
          .where('id', '=', windowId)
          .returning('budget_id')
          .executeTakeFirst();
        if (added === undefined) return false;
        await database
          .updateTable('budgets')
          .set((set) => ({ grants: set('grants', '+', 1) }))
          .where('id', '=', added.budget_id)
          .execute();
        return true;
      }),
    noteRepeats: async (windowId, repeats) =>
      void (await write
        .updateTable('budget_windows')
        .set({ repeats })
        .where('id', '=', windowId)
        .where('repeats', '<', repeats)
        .execute()),
    noteWarned: async (windowId, from, to) =>
      changed(
        await write
          .updateTable('budget_windows')
          .set({ warned: to })
          .where('id', '=', windowId)
          .where('warned', '=', from)
          .executeTakeFirst(),
      ),
    async verify() {
      const rows = await read
        .selectFrom('budget_windows')
        .innerJoin('budgets', 'budgets.id', 'budget_windows.budget_id')
        .leftJoin('budget_charges', 'budget_charges.window_id', 'budget_windows.id')
        .select((select) => [
          'budget_windows.id as windowId',
          'budget_windows.budget_id as budgetId',
          'budgets.name as name',
          'budget_windows.subject as subject',
          sql<string>`cast(${select.ref('budget_windows.spent')} as text)`.as('spent'),
          sql<string>`cast(${select.ref('budget_windows.opening')} as text)`.as('opening'),
          exactSum(select.ref('budget_charges.amount').$castTo<number>()).as('charged'),
        ])
        .groupBy([
          'budget_windows.id',
          'budget_windows.budget_id',
          'budgets.name',
          'budget_windows.subject',
          'budget_windows.spent',
          'budget_windows.opening',
        ])
        .having(
          (having) =>
            sql<boolean>`coalesce(sum(${having.ref('budget_charges.amount')}), 0) + ${having.ref('budget_windows.opening')} != ${having.ref('budget_windows.spent')}`,
        )
        .orderBy('budget_windows.id')
        .execute();
      return rows.map(({ spent, opening, charged, ...row }) => ({
        ...row,
        spent: readExactSum(spent),
        charged: readExactSum(opening) + readExactSum(charged),
      }));
    },
    async prune(endedBefore) {
      const rows = await read
        .selectFrom('budget_windows')
        .leftJoin('budgets', 'budgets.id', 'budget_windows.budget_id')
        .select('budget_windows.id')
        .where((where) =>
          where.or([
            where('budgets.id', 'is', null),
            where('budgets.revision', '!=', where.ref('budget_windows.revision')),
            where.and([where('ends_at', '!=', neverEnds), where('ends_at', '<', endedBefore)]),
          ]),
        )
        .orderBy('budget_windows.id')
        .execute();
      return atomically((database) =>
        removeWindows(
          database,
          rows.map((row) => row.id),
        ),
      );
    },
  };
}
