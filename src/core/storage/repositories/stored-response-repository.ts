import { type Kysely, sql } from 'kysely';
import type {
  NewStoredResponse,
  StoredResponse,
  StoredResponseRepository,
} from '../entities/stored-response.ts';
import { defineMapping, flag, integer, text } from '../mapping.ts';
import type { Database } from '../schema.ts';
import { storableText } from '../storable-text.ts';
import { type Access, changed, inPieces } from './access.ts';
import { cappedSum } from './capped-sum.ts';

const mapping = defineMapping<'stored_responses', StoredResponse>({
  userId: integer('user_id'),
  responseId: text('response_id'),
  previousId: text('previous_id'),
  conversation: text('conversation'),
  channelId: integer('channel_id'),
  healthKey: text('health_key'),
  held: flag('held'),
  model: { column: 'model', read: String, write: storableText },
  status: text('status'),
  tokens: integer('tokens'),
  inputSize: integer('input_size'),
  responseSize: integer('response_size'),
  createdAt: integer('created_at'),
  expiresAt: integer('expires_at'),
});

const columns = [
  'user_id',
  'response_id',
  'previous_id',
  'conversation',
  'channel_id',
  'health_key',
  'held',
  'model',
  'status',
  'tokens',
  'input_size',
  'response_size',
  'created_at',
  'expires_at',
] as const;
const replaced = columns.filter((column) => column !== 'user_id' && column !== 'response_id');
const own = columns.map((column) => `response.${column}` as const);

type ContentKind = 'input' | 'response';
/** Columns that are not read with a row. */
const unread = { id: 0, input: '', response: '' };

/** Contents may be large. */
const rowsAtOnce = 50;

/** Of several rows with one key the last: a statement may change a row only once. */
function newest<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

/** Encryption context of a row's contents. */
export const responseContext = (userId: number, responseId: string, kind: ContentKind): string =>
  `stored_responses.${kind}:${userId}:${responseId}`;

async function deleteRows(
  database: Kysely<Database>,
  userId: number,
  responseId: string,
): Promise<boolean> {
  const isRow = { user_id: userId, response_id: responseId };
  for (const table of ['stored_response_items', 'response_events', 'background_responses'] as const)
    await database
      .deleteFrom(table)
      .where((row) => row.and(isRow))
      .execute();
  return changed(
    await database
      .deleteFrom('stored_responses')
      .where((row) => row.and(isRow))
      .executeTakeFirst(),
  );
}

/** Notes which response each output item belongs to: the newest that has it. */
export async function writeItems(
  database: Kysely<Database>,
  responses: readonly Pick<NewStoredResponse, 'userId' | 'responseId' | 'itemIds'>[],
): Promise<void> {
  const items = responses.flatMap(({ userId, responseId, itemIds }) =>
    itemIds.map((itemId) => ({ user_id: userId, item_id: itemId, response_id: responseId })),
  );
  for (const piece of inPieces(newest(items, (item) => `${item.user_id} ${item.item_id}`))) {
    await database
      .insertInto('stored_response_items')
      .values(piece)
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'item_id'])
          .doUpdateSet((set) => ({ response_id: set.ref('excluded.response_id') })),
      )
      .execute();
  }
}

/** An account may be deleted during a turn: what that brings has expired, as the rest has. */
async function livingUsers(
  database: Kysely<Database>,
  responses: readonly Pick<NewStoredResponse, 'userId'>[],
): Promise<ReadonlySet<number>> {
  const ids = [...new Set(responses.map(({ userId }) => userId))];
  if (ids.length === 0) return new Set();
  const rows = await database
    .selectFrom('users')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export function createStoredResponseRepository({
  read,
  vault,
  atomically,
}: Access): StoredResponseRepository {
  return {
    insertMany: (responses) =>
      atomically(async (database) => {
        const living = await livingUsers(database, responses);
        const sealed = responses.map(({ input, response, itemIds: _, ...row }) => {
          const seal = (text: string, kind: ContentKind) =>
            text === '' ? '' : vault.seal(text, responseContext(row.userId, row.responseId, kind));
          return {
            ...mapping.write(living.has(row.userId) ? row : { ...row, expiresAt: 0 }),
            input: seal(input, 'input'),
            response: seal(response, 'response'),
          };
        });
        for (const piece of inPieces(
          newest(sealed, (row) => `${row.user_id} ${row.response_id}`),
          rowsAtOnce,
        )) {
          await database
            .insertInto('stored_responses')
            .values(piece)
            .onConflict((conflict) =>
              conflict
                .columns(['user_id', 'response_id'])
                .doUpdateSet((set) =>
                  Object.fromEntries(
                    [...replaced, 'input' as const, 'response' as const].map((name) => [
                      name,
                      set.ref(`excluded.${name}`),
                    ]),
                  ),
                ),
            )
            .execute();
        }
        await writeItems(database, responses);
      }),
    async find(userId, responseId, now) {
      const row = await read
        .selectFrom('stored_responses')
        .select(columns)
        .where('user_id', '=', userId)
        .where('response_id', '=', responseId)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row === undefined ? null : mapping.read({ ...row, ...unread });
    },
    async listChain(userId, responseId, limit) {
      const rows = await read
        .withRecursive('chain', (database) =>
          database
            .selectFrom('stored_responses as response')
            .select([...own, sql<number>`1`.as('place')])
            .where('response.user_id', '=', userId)
            .where('response.response_id', '=', responseId)
            .unionAll(
              database
                .selectFrom('stored_responses as response')
                .innerJoin('chain', 'chain.previous_id', 'response.response_id')
                .select([...own, sql<number>`chain.place + 1`.as('place')])
                .where('response.user_id', '=', userId)
                .where('chain.place', '<', limit),
            ),
        )
        .selectFrom('chain')
        .selectAll()
        .orderBy('place')
        .execute();
      return rows.map((row) => mapping.read({ ...row, ...unread }));
    },
    async readContents(userId, responseIds, kind) {
      const contents = new Map<string, string>();
      for (const piece of inPieces(responseIds)) {
        const rows = await read
          .selectFrom('stored_responses')
          .select(['response_id', `${kind} as content`])
          .where('user_id', '=', userId)
          .where('response_id', 'in', piece)
          .where(kind, '!=', '')
          .execute();
        for (const { response_id: id, content } of rows)
          contents.set(id, vault.open(content, responseContext(userId, id, kind)));
      }
      return contents;
    },
    async findByItems(userId, itemIds, now) {
      const found = new Map<string, StoredResponse>();
      for (const piece of inPieces(itemIds)) {
        const rows = await read
          .selectFrom('stored_response_items as item')
          .innerJoin('stored_responses as response', (join) =>
            join
              .onRef('response.user_id', '=', 'item.user_id')
              .onRef('response.response_id', '=', 'item.response_id'),
          )
          .select([...own, 'item.item_id'])
          .where('item.user_id', '=', userId)
          .where('item.item_id', 'in', piece)
          .where('response.expires_at', '>', now)
          .execute();
        for (const { item_id: itemId, ...row } of rows)
          found.set(itemId, mapping.read({ ...row, ...unread }));
      }
      return found;
    },
    async sizeOf(userId) {
      const contents = await read
        .selectFrom('stored_responses')
        .select((select) =>
          cappedSum(
            sql`coalesce(sum(${select.ref('input_size')} + ${select.ref('response_size')}), 0)`,
          ).as('size'),
        )
        .where('user_id', '=', userId)
        .executeTakeFirst();
      const [events, conversations] = await Promise.all([
        read
          .selectFrom('background_responses')
          .select(cappedSum(sql`coalesce(sum(events_size), 0)`).as('size'))
          .where('user_id', '=', userId)
          .executeTakeFirst(),
        read
          .selectFrom('conversations')
          .select(cappedSum(sql`coalesce(sum(size), 0)`).as('size'))
          .where('user_id', '=', userId)
          .executeTakeFirst(),
      ]);
      return [contents, events, conversations].reduce(
        (total, sum) => total + Number(sum?.size ?? 0),
        0,
      );
    },
    delete: (userId, responseId) =>
      atomically((database) => deleteRows(database, userId, responseId)),
    purge: (now, limit) =>
      atomically(async (database) => {
        const rows = await database
          .selectFrom('stored_responses as response')
          .select(['response.user_id', 'response.response_id'])
          .where('response.expires_at', '<=', now)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('stored_responses as later')
                  .select('later.id')
                  .whereRef('later.user_id', '=', 'response.user_id')
                  .whereRef('later.previous_id', '=', 'response.response_id')
                  .whereRef('later.response_id', '!=', 'response.response_id'),
              ),
            ),
          )
          .orderBy('response.expires_at')
          .limit(limit)
          .execute();
        for (const { user_id: userId, response_id: responseId } of rows)
          await deleteRows(database, userId, responseId);
        return rows.length;
      }),
  };
}
