import { type Kysely, sql } from 'kysely';
import { budgetFields } from '../../entities/budget.ts';
import { neverEnds } from '../../vocabulary/budgets.ts';
import type { BudgetRepository } from '../entities/budget.ts';
import { defineEntityMapping } from '../mapping.ts';
import type { Database } from '../schema.ts';
import { type Access, changed, changes, inPieces } from './access.ts';
import { openIn, openWindows, orNull, verifyWindows } from './budget-windows.ts';
import { listConversations } from './conversation-windows.ts';
import { spentByHour, spentIn } from './spent-since.ts';

const mapping = defineEntityMapping<'budgets', typeof budgetFields>(budgetFields);
export function createBudgetRepository({
  read,
  write,
  abilities,
  atomically,
}: Access): BudgetRepository {
  const removeWindows = async (
    database: Kysely<Database>,
    ids: readonly number[],
  ): Promise<number> => {
    let removed = 0;
    for (const piece of inPieces(ids)) {
      for (const table of ['budget_charges', 'budget_minutes'] as const)
        await database.deleteFrom(table).where('window_id', 'in', piece).execute();
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
    openWindows: (now, budgetIds, mostOfEach) => openWindows(read, now, budgetIds, mostOfEach),
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
            pace: 0,
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
    notePace: async (windowId, pace) =>
      void (await write
        .updateTable('budget_windows')
        .set({ pace })
        .where('id', '=', windowId)
        .where('pace', '<', pace)
        .execute()),
    spentIn: (windowId, since) => spentIn(read, windowId, since),
    spentByHour: (spender, from, until) => spentByHour(read, spender, from, until),
    listConversations: (filter, page) => listConversations(read, filter, page),
    noteWarned: async (windowId, from, to) =>
      changed(
        await write
          .updateTable('budget_windows')
          .set({ warned: to })
          .where('id', '=', windowId)
          .where('warned', '=', from)
          .executeTakeFirst(),
      ),
    verify: () => verifyWindows(read, abilities),
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
