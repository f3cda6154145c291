import { type Kysely, sql } from 'kysely';
import type {
  Conversation,
  ConversationItem,
  ConversationKey,
  ConversationRepository,
} from '../entities/conversation.ts';
import { defineMapping, integer, text } from '../mapping.ts';
import type { Database } from '../schema.ts';
import { type Access, changed, inPieces } from './access.ts';

const mapping = defineMapping<'conversations', Conversation>({
  userId: integer('user_id'),
  conversationId: text('conversation_id'),
  metadata: text('metadata'),
  version: integer('version'),
  items: integer('items'),
  size: integer('size'),
  createdAt: integer('created_at'),
  expiresAt: integer('expires_at'),
});

const isRow = ({ userId, conversationId }: ConversationKey) => ({
  user_id: userId,
  conversation_id: conversationId,
});

/** Encryption context of a conversation's metadata, and of an item. */
export const conversationContext = (userId: number, id: string): string =>
  `conversations.metadata:${userId}:${id}`;
export const itemContext = (userId: number, id: string, itemId: string): string =>
  `conversation_items.item:${userId}:${id}:${itemId}`;

/** Such a conversation is not prolonged by a turn that was under way. */
const endedWithAccount = 0;

/** Contents may be large. */
const rowsAtOnce = 50;

async function deleteRows(database: Kysely<Database>, key: ConversationKey): Promise<boolean> {
  await database
    .deleteFrom('conversation_items')
    .where((row) => row.and(isRow(key)))
    .execute();
  return changed(
    await database
      .deleteFrom('conversations')
      .where((row) => row.and(isRow(key)))
      .executeTakeFirst(),
  );
}

export function createConversationRepository({
  read,
  write,
  vault,
  atomically,
}: Access): ConversationRepository {
  const seal = (key: ConversationKey, metadata: string) =>
    vault.seal(metadata, conversationContext(key.userId, key.conversationId));
  const itemsOf = (database: Kysely<Database>, key: ConversationKey) =>
    database
      .selectFrom('conversation_items')
      .select(['item_id', 'size', 'item'])
      .where((row) => row.and(isRow(key)));
  const open = (
    { userId, conversationId }: ConversationKey,
    row: { readonly item_id: string; readonly size: number; readonly item: string },
  ): ConversationItem => ({
    itemId: row.item_id,
    size: row.size,
    item: vault.open(row.item, itemContext(userId, conversationId, row.item_id)),
  });
  return {
    async insert(conversation) {
      const row = mapping.write(conversation);
      const metadata = seal(conversation, conversation.metadata);
      await write
        .insertInto('conversations')
        .values({ ...row, metadata, version: 0, items: 0, size: leastConversation })
        .execute();
    },
    async find(key, now) {
      const row = await read
        .selectFrom('conversations')
        .selectAll()
        .where((one) => one.and(isRow(key)))
        .where('expires_at', '>', now)
        .executeTakeFirst();
      if (row === undefined) return null;
      const context = conversationContext(key.userId, key.conversationId);
      return { ...mapping.read(row), metadata: vault.open(row.metadata, context) };
    },
    update: async (key, { metadata, expiresAt }) =>
      changed(
        await write
          .updateTable('conversations')
          .set({ metadata: seal(key, metadata), expires_at: expiresAt })
          .where((row) => row.and(isRow(key)))
          .where('expires_at', '>', endedWithAccount)
          .executeTakeFirst(),
      ),
    append: (key, version, { items, expiresAt }) =>
      atomically(async (database) => {
        const isNext = changed(
          await database
            .updateTable('conversations')
            .set({ version: version + 1, expires_at: expiresAt })
            .where((row) => row.and(isRow(key)))
            .where('version', '=', version)
            .where('expires_at', '>', endedWithAccount)
            .executeTakeFirst(),
        );
        if (!isNext) return false;
        const last = await database
          .selectFrom('conversation_items')
          .select(({ fn }) => fn.max<number | null>('position').as('position'))
          .where((row) => row.and(isRow(key)))
          .executeTakeFirst();
        const from = (last?.position ?? -1) + 1;
        const rows = items.map(({ itemId, size, item }, index) => ({
          ...isRow(key),
          position: from + index,
          item_id: itemId,
          size,
          item: vault.seal(item, itemContext(key.userId, key.conversationId, itemId)),
        }));
        for (const piece of inPieces(rows, rowsAtOnce))
          await database
            .insertInto('conversation_items')
            .values(piece)
            .onConflict((conflict) =>
              conflict.columns(['user_id', 'conversation_id', 'item_id']).doNothing(),
            )
            .execute();
        await recount(database, key);
        return true;
      }),
    async readItems(key) {
      const rows = await itemsOf(read, key).orderBy('position').execute();
      return rows.map((row) => open(key, row));
    },
    async listItems(key, { limit, order, after }) {
      let from: number | undefined;
      if (after !== undefined) {
        const row = await read
          .selectFrom('conversation_items')
          .select('position')
          .where((one) => one.and(isRow(key)))
          .where('item_id', '=', after)
          .executeTakeFirst();
        if (row === undefined) return null;
        from = row.position;
      }
      const rows = await itemsOf(read, key)
        .$if(from !== undefined, (query) =>
          query.where('position', order === 'asc' ? '>' : '<', from ?? 0),
        )
        .orderBy('position', order)
        .limit(limit)
        .execute();
      return rows.map((row) => open(key, row));
    },
    async findItem(key, itemId) {
      const row = await itemsOf(read, key).where('item_id', '=', itemId).executeTakeFirst();
      return row === undefined ? null : open(key, row);
    },
    deleteItem: (key, itemId) =>
      atomically(async (database) => {
        const isDeleted = changed(
          await database
            .deleteFrom('conversation_items')
            .where((row) => row.and(isRow(key)))
            .where('item_id', '=', itemId)
            .executeTakeFirst(),
        );
        if (isDeleted) await recount(database, key, 1);
        return isDeleted;
      }),
    delete: (key) => atomically((database) => deleteRows(database, key)),
    purge: (now, limit) =>
      atomically(async (database) => {
        const rows = await database
          .selectFrom('conversations')
          .select(['user_id', 'conversation_id'])
          .where('expires_at', '<=', now)
          .orderBy('expires_at')
          .limit(limit)
          .execute();
        for (const row of rows)
          await deleteRows(database, { userId: row.user_id, conversationId: row.conversation_id });
        return rows.length;
      }),
  };
}

/** Bytes that a conversation counts without any item. */
const leastConversation = 500;

async function recount(
  database: Kysely<Database>,
  key: ConversationKey,
  versions = 0,
): Promise<void> {
  const sums = await database
    .selectFrom('conversation_items')
    .select(({ fn }) => [
      fn.countAll<number>().as('items'),
      fn.coalesce(fn.sum<number>('size'), sql<number>`0`).as('size'),
    ])
    .where((row) => row.and(isRow(key)))
    .executeTakeFirstOrThrow();
  await database
    .updateTable('conversations')
    .set({
      items: Number(sums.items),
      size: leastConversation + Number(sums.size),
      version: sql<number>`version + ${versions}`,
    })
    .where((row) => row.and(isRow(key)))
    .execute();
}
