import { sql } from 'kysely';
import { budgetFields } from '../../entities/budget.ts';
import type { BudgetRepository, BudgetWindowRow } from '../entities/budget.ts';
import { defineEntityMapping } from '../mapping.ts';
import { type Access, changed, inPieces } from './access.ts';
import { mostAtOnce, openIn, orNull, verifyWindows } from './budget-windows.ts';
import { listConversations } from './conversation-windows.ts';
import { endingBudgets, openWindows } from './open-windows.ts';
import { pruneWindows, removeWindows } from './prune-windows.ts';
import { spentByHour, spentIn } from './spent-since.ts';

const mapping = defineEntityMapping<'budgets', typeof budgetFields>(budgetFields);
export function createBudgetRepository({
  read,
  write,
  abilities,
  atomically,
}: Access): BudgetRepository {
  return {
    list: async (page) => {
      const all = read.selectFrom('budgets').selectAll().orderBy('id');
      const rows = page === undefined ? all : all.limit(page.limit).offset(page.offset);
      return (await rows.execute()).map(mapping.read);
    },
    count: async () => {
      const all = read.selectFrom('budgets').select((select) => select.fn.countAll().as('count'));
      return Number((await all.executeTakeFirstOrThrow()).count);
    },
    listFor: async (userId, group) => {
      const tokens = read
        .selectFrom('tokens')
        .where('user_id', '=', userId)
        .where('deleted_at', 'is', null)
        .select(sql<string>`cast(id as text)`.as('owner_id'));
      const rows = await read
        .selectFrom('budgets')
        .selectAll()
        .where((where) =>
          where.or([
            where.and({ owner: 'user', owner_id: String(userId) }),
            where.and({ owner: 'group', owner_id: group }),
            where.and([where('owner', '=', 'token'), where('owner_id', 'in', tokens)]),
          ]),
        )
        .orderBy('id')
        .execute();
      return rows.map(mapping.read);
    },
    listAbout: async (about, most) => {
      const { ids, owner, owners = [], eachOf = [] } = about;
      const rows = await read
        .selectFrom('budgets')
        .selectAll()
        .where((where) =>
          where.or([
            ...(ids === undefined ? [] : [where('id', 'in', ids)]),
            ...(owner === undefined
              ? []
              : [
                  where.and([where('owner', '=', owner), where('owner_id', 'in', owners)]),
                  where.and([
                    where('each', '=', owner),
                    where.exists(
                      where
                        .selectFrom('budget_windows')
                        .select('budget_id')
                        .whereRef('budget_windows.budget_id', '=', 'budgets.id')
                        .whereRef('budget_windows.revision', '=', 'budgets.revision')
                        .where('subject', 'in', owners),
                    ),
                  ]),
                ]),
            ...(eachOf.length === 0 ? [] : [where('each', 'in', eachOf)]),
          ]),
        )
        .orderBy('id')
        .$if(most !== undefined, (part) => part.limit(most ?? 0))
        .execute();
      return rows.map(mapping.read);
    },
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
        for (const piece of inPieces(rows.map((row) => row.id)))
          await removeWindows(database, piece);
        return changed(deleted);
      }),
    openWindow: async (opening) => {
      const [row] = await atomically((database) => openIn(database, abilities, [opening]));
      return row ?? null;
    },
    openEach: async (openings) => {
      const rows: (BudgetWindowRow | null)[] = [];
      for (const piece of inPieces(openings, mostAtOnce))
        rows.push(...(await atomically((database) => openIn(database, abilities, piece))));
      return rows;
    },
    findWindow: async (id) =>
      orNull(
        await read.selectFrom('budget_windows').selectAll().where('id', '=', id).executeTakeFirst(),
      ),
    openWindows: (now, filter = {}) => openWindows(read, now, filter),
    ending: (now, most, budgetIds) => endingBudgets(read, now, most, budgetIds),
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
    prune: (before, after) => pruneWindows({ read, atomically }, before, after),
  };
}
