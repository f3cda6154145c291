import { sql } from 'kysely';
import type { PlaygroundItemRepository, PlaygroundShelf } from '../entities/playground-item.ts';
import { type Access, changed } from './access.ts';

/** Encryption context of an item's content. */
export const playgroundItemContext = (userId: number, kind: string, itemId: string): string =>
  `playground_items.content:${userId}:${kind}:${itemId}`;

const onShelf = ({ userId, kind }: PlaygroundShelf) => ({ user_id: userId, kind });

export function createPlaygroundItemRepository({
  read,
  write,
  vault,
}: Access): PlaygroundItemRepository {
  return {
    async list(shelf) {
      const rows = await read
        .selectFrom('playground_items')
        .selectAll()
        .where((row) => row.and(onShelf(shelf)))
        .orderBy('changed_at', 'desc')
        .orderBy('item_id')
        .execute();
      return rows.map(({ item_id: itemId, size, changed_at: changedAt, content }) => ({
        ...shelf,
        itemId,
        size,
        changedAt,
        content: vault.open(content, playgroundItemContext(shelf.userId, shelf.kind, itemId)),
      }));
    },
    async put({ userId, kind, itemId, size, changedAt, content }) {
      const columns = {
        size,
        changed_at: changedAt,
        content: vault.seal(content, playgroundItemContext(userId, kind, itemId)),
      };
      await write
        .insertInto('playground_items')
        .values({ user_id: userId, kind, item_id: itemId, ...columns })
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'kind', 'item_id']).doUpdateSet(columns),
        )
        .execute();
    },
    delete: async (shelf, itemId) =>
      changed(
        await write
          .deleteFrom('playground_items')
          .where((row) => row.and({ ...onShelf(shelf), item_id: itemId }))
          .executeTakeFirst(),
      ),
    async deleteAll(shelf) {
      await write
        .deleteFrom('playground_items')
        .where((row) => row.and(onShelf(shelf)))
        .execute();
    },
    async sumWithout(shelf, itemId) {
      const { count, size } = await read
        .selectFrom('playground_items')
        .select(({ fn }) => [
          fn.countAll<number>().as('count'),
          fn.coalesce(fn.sum<number>('size'), sql<number>`0`).as('size'),
        ])
        .where((row) => row.and(onShelf(shelf)))
        .where('item_id', '!=', itemId)
        .executeTakeFirstOrThrow();
      return { count: Number(count), size: Number(size) };
    },
  };
}
