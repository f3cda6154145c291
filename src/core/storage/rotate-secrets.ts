import type { Kysely } from 'kysely';
import type { Engine } from './dialects/engine.ts';
import { eventsContext } from './repositories/background-response-repository.ts';
import { channelKeyContext } from './repositories/channel-rows.ts';
import { conversationContext, itemContext } from './repositories/conversation-repository.ts';
import { drawingContext } from './repositories/midjourney-repository.ts';
import { optionContext } from './repositories/option-repository.ts';
import { playgroundItemContext } from './repositories/playground-item-repository.ts';
import { redemptionKeyContext } from './repositories/redemption-repository.ts';
import { totpContext } from './repositories/second-factor-repository.ts';
import { responseContext } from './repositories/stored-response-repository.ts';
import { taskContext } from './repositories/task-repository.ts';
import { tokenKeyContext } from './repositories/token-repository.ts';
import { settingContext } from './repositories/user-repository.ts';
import type { Database } from './schema.ts';
import { createVault, type Vault } from './vault.ts';

/** Number of re-encrypted secrets per table. */
export interface RotationReport {
  readonly tokens: number;
  readonly channels: number;
  readonly options: number;
  readonly users: number;
  readonly tasks: number;
  readonly drawings: number;
  readonly redemptions: number;
  readonly storedResponses: number;
  /** Pieces of the events of background responses. */
  readonly responseEvents: number;
  /** Conversations and their items. */
  readonly conversations: number;
  readonly playgroundItems: number;
  readonly totpSecrets: number;
}

/** Called after each kind of secret, with the number of kinds done and of all. */
export type OnRotated = (done: number, total: number) => void;

const kindsOfSecrets = 12;

/** What the audit log says: the operator did it, who is signed in nowhere. */
const entry = {
  actor_id: 0,
  actor_name: '',
  actor_role: 0,
  action: 'site.rotate_keys',
  target: '',
  ip: '',
} as const;

/**
 * Decrypts every secret with the old master key and encrypts it with the new one, in one
 * transaction with an audit entry (docs/rules/security.md#rotation). `now`: Unix seconds. Throws
 * `internal_error` naming the first value that the old key does not decrypt. Nothing else may use
 * the database meanwhile.
 */
export function rotateSecrets(
  engine: Engine,
  oldMasterKey: Buffer,
  newMasterKey: Buffer,
  now: number,
  onProgress: OnRotated = () => {},
): Promise<RotationReport> {
  const from = createVault(oldMasterKey);
  const to = createVault(newMasterKey);
  let kinds = 0;
  const counted = async (work: Promise<number>): Promise<number> => {
    const rows = await work;
    kinds += 1;
    onProgress(kinds, kindsOfSecrets);
    return rows;
  };
  return engine.write.transaction().execute(async (database) => {
    const report = {
      tokens: await counted(rotateKeys(database, 'tokens', tokenKeyContext, from, to)),
      channels: await counted(rotateKeys(database, 'channels', channelKeyContext, from, to)),
      options: await counted(rotateOptions(database, from, to)),
      users: await counted(rotateSettings(database, from, to)),
      tasks: await counted(rotateTasks(database, from, to)),
      drawings: await counted(rotateDrawings(database, from, to)),
      redemptions: await counted(
        rotateKeys(database, 'redemptions', redemptionKeyContext, from, to),
      ),
      storedResponses: await counted(rotateResponses(database, from, to)),
      responseEvents: await counted(rotateEvents(database, from, to)),
      conversations: await counted(rotateConversations(database, from, to)),
      playgroundItems: await counted(rotatePlaygroundItems(database, from, to)),
      totpSecrets: await counted(rotateTotp(database, from, to)),
    };
    await database
      .insertInto('audit_logs')
      .values({ ...entry, detail: JSON.stringify(report), created_at: now })
      .execute();
    return report;
  });
}

/** Keys are found by a hash that depends on the master key, so the hash changes too. */
async function rotateKeys(
  database: Kysely<Database>,
  table: 'tokens' | 'channels' | 'redemptions',
  context: (keyHash: string) => string,
  from: Vault,
  to: Vault,
): Promise<number> {
  const rows = await database.selectFrom(table).select(['id', 'key_hash', 'key_enc']).execute();
  for (const row of rows) {
    const key = from.open(row.key_enc, context(row.key_hash));
    const keyHash = to.hash(key);
    const columns = { key_hash: keyHash, key_enc: to.seal(key, context(keyHash)) };
    await database.updateTable(table).set(columns).where('id', '=', row.id).execute();
  }
  return rows.length;
}

async function rotateOptions(database: Kysely<Database>, from: Vault, to: Vault): Promise<number> {
  const rows = await database.selectFrom('options').selectAll().where('sealed', '=', 1).execute();
  for (const { key, value } of rows) {
    const sealed = to.seal(from.open(value, optionContext(key)), optionContext(key));
    await database.updateTable('options').set({ value: sealed }).where('key', '=', key).execute();
  }
  return rows.length;
}

async function rotateSettings(database: Kysely<Database>, from: Vault, to: Vault): Promise<number> {
  const rows = await database
    .selectFrom('users')
    .select(['id', 'setting'])
    .where('setting', '!=', '')
    .execute();
  for (const { id, setting } of rows) {
    const sealed = to.seal(from.open(setting, settingContext(id)), settingContext(id));
    await database.updateTable('users').set({ setting: sealed }).where('id', '=', id).execute();
  }
  return rows.length;
}

async function rotateTasks(database: Kysely<Database>, from: Vault, to: Vault): Promise<number> {
  const rows = await database
    .selectFrom('tasks')
    .select(['id', 'task_id', 'private_data'])
    .where('private_data', '!=', '')
    .execute();
  for (const { id, task_id: taskId, private_data: privateData } of rows) {
    const sealed = to.seal(from.open(privateData, taskContext(taskId)), taskContext(taskId));
    await database
      .updateTable('tasks')
      .set({ private_data: sealed })
      .where('id', '=', id)
      .execute();
  }
  return rows.length;
}

async function rotateDrawings(database: Kysely<Database>, from: Vault, to: Vault): Promise<number> {
  const rows = await database
    .selectFrom('midjourneys')
    .select(['id', 'user_id', 'private_data'])
    .where('private_data', '!=', '')
    .execute();
  for (const { id, user_id: userId, private_data: privateData } of rows) {
    const sealed = to.seal(from.open(privateData, drawingContext(userId)), drawingContext(userId));
    await database
      .updateTable('midjourneys')
      .set({ private_data: sealed })
      .where('id', '=', id)
      .execute();
  }
  return rows.length;
}

async function rotateTotp(database: Kysely<Database>, from: Vault, to: Vault): Promise<number> {
  const rows = await database
    .selectFrom('totp_secrets')
    .select(['user_id', 'secret_enc'])
    .execute();
  for (const { user_id: id, secret_enc: secret } of rows) {
    const sealed = to.seal(from.open(secret, totpContext(id)), totpContext(id));
    await database
      .updateTable('totp_secrets')
      .set({ secret_enc: sealed })
      .where('user_id', '=', id)
      .execute();
  }
  return rows.length;
}

/** Contents of stored responses may be large: a few are in memory at a time. */
const responsesAtOnce = 20;

async function rotateResponses(
  database: Kysely<Database>,
  from: Vault,
  to: Vault,
): Promise<number> {
  const next = (after: number) =>
    database
      .selectFrom('stored_responses')
      .select(['id', 'user_id', 'response_id', 'input', 'response'])
      .where('id', '>', after)
      .where('response', '!=', '')
      .orderBy('id')
      .limit(responsesAtOnce)
      .execute();
  let total = 0;
  for (let rows = await next(0); rows.length > 0; rows = await next(rows.at(-1)?.id ?? 0)) {
    for (const { id, user_id: userId, response_id: responseId, ...contents } of rows) {
      const rotate = (kind: 'input' | 'response') => {
        const context = responseContext(userId, responseId, kind);
        return to.seal(from.open(contents[kind], context), context);
      };
      const sealed = { input: rotate('input'), response: rotate('response') };
      await database.updateTable('stored_responses').set(sealed).where('id', '=', id).execute();
    }
    total += rows.length;
  }
  return total;
}

async function rotateEvents(database: Kysely<Database>, from: Vault, to: Vault): Promise<number> {
  const pieces = await database
    .selectFrom('response_events')
    .select(['user_id', 'response_id', 'first_number'])
    .execute();
  for (const piece of pieces) {
    const isPiece = { ...piece };
    const { events } = await database
      .selectFrom('response_events')
      .select('events')
      .where((row) => row.and(isPiece))
      .executeTakeFirstOrThrow();
    const context = eventsContext(piece.user_id, piece.response_id, piece.first_number);
    await database
      .updateTable('response_events')
      .set({ events: to.seal(from.open(events, context), context) })
      .where((row) => row.and(isPiece))
      .execute();
  }
  return pieces.length;
}

async function rotateConversations(
  database: Kysely<Database>,
  from: Vault,
  to: Vault,
): Promise<number> {
  const conversations = await database
    .selectFrom('conversations')
    .select(['user_id', 'conversation_id', 'metadata'])
    .execute();
  for (const { metadata, ...isRow } of conversations) {
    const context = conversationContext(isRow.user_id, isRow.conversation_id);
    await database
      .updateTable('conversations')
      .set({ metadata: to.seal(from.open(metadata, context), context) })
      .where((row) => row.and(isRow))
      .execute();
  }
  const items = await database
    .selectFrom('conversation_items')
    .select(['user_id', 'conversation_id', 'item_id'])
    .execute();
  for (const isRow of items) {
    const { item } = await database
      .selectFrom('conversation_items')
      .select('item')
      .where((row) => row.and(isRow))
      .executeTakeFirstOrThrow();
    const context = itemContext(isRow.user_id, isRow.conversation_id, isRow.item_id);
    await database
      .updateTable('conversation_items')
      .set({ item: to.seal(from.open(item, context), context) })
      .where((row) => row.and(isRow))
      .execute();
  }
  return conversations.length + items.length;
}

async function rotatePlaygroundItems(
  database: Kysely<Database>,
  from: Vault,
  to: Vault,
): Promise<number> {
  const rows = await database
    .selectFrom('playground_items')
    .select(['user_id', 'kind', 'item_id'])
    .execute();
  for (const isRow of rows) {
    const { content } = await database
      .selectFrom('playground_items')
      .select('content')
      .where((row) => row.and(isRow))
      .executeTakeFirstOrThrow();
    const context = playgroundItemContext(isRow.user_id, isRow.kind, isRow.item_id);
    await database
      .updateTable('playground_items')
      .set({ content: to.seal(from.open(content, context), context) })
      .where((row) => row.and(isRow))
      .execute();
  }
  return rows.length;
}
