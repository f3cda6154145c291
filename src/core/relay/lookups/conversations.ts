/** `/v1/conversations`: conversations and their items (docs/rules/responses.md#conversation-calls). */
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import type { Conversation } from '../../storage/storage.ts';
import { fieldError, readJsonBody } from '../admit/read-format-body.ts';
import type { RequestBody } from '../body/request-body.ts';
import type { CallerContext } from '../context.ts';
import { readListQuery } from '../formats/openai-responses/input-items.ts';
import { listedItem } from '../formats/openai-responses/listed-item.ts';
import { idHeaders, sendJson } from '../reply.ts';
import type { ConversationCall } from '../route.ts';

/** Items that one call may add. */
const mostAdded = 20;
const mostPairs = 16;
const longestKey = 64;
const longestValue = 512;

/**
 * Throws AppError invalid_request, invalid_json, conversation_not_found, response_item_not_found,
 * conversation_locked, conversation_not_stored.
 */
export async function sendConversation(
  context: CallerContext,
  call: ConversationCall,
): Promise<void> {
  try {
    sendJson(context.response, 200, await answer(context, call), idHeaders(context.requestId));
  } catch (error) {
    throw fieldError(error);
  }
}

async function answer(context: CallerContext, call: ConversationCall): Promise<unknown> {
  const { deps, caller, request } = context;
  const { conversations } = deps;
  const key = { userId: caller.userId, conversationId: call.id };
  switch (call.action) {
    case 'create': {
      const body = await readOptionalBody(context);
      const items = readItems(context, body?.get('items'));
      return shown(await conversations.create(caller.userId, readMetadata(body), items));
    }
    case 'read':
      return shown(await conversations.find(key));
    case 'update':
      return shown(await conversations.update(key, readMetadata(await readJsonBody(context))));
    case 'delete':
      await conversations.delete(key);
      return { id: call.id, object: 'conversation.deleted', deleted: true };
    case 'add-items': {
      const items = readItems(context, (await readJsonBody(context)).get('items'));
      if (items.length === 0) throw invalid('items is required');
      await conversations.add(key, items);
      return list(items, false);
    }
    case 'list-items': {
      const page = readListQuery(new URLSearchParams((request.url ?? '').split('?')[1] ?? ''));
      const { items, hasMore } = await conversations.list(key, page);
      return list(items, hasMore);
    }
    case 'read-item':
      return conversations.readItem(key, call.itemId);
    case 'delete-item':
      return shown(await conversations.deleteItem(key, call.itemId));
  }
}

function shown({ conversationId, createdAt, metadata }: Conversation): JsonObject {
  return {
    id: conversationId,
    object: 'conversation',
    created_at: createdAt,
    metadata: JSON.parse(metadata) as JsonValue,
  };
}

function list(items: readonly JsonObject[], hasMore: boolean): JsonObject {
  return {
    object: 'list',
    data: items,
    first_id: items[0]?.['id'] ?? null,
    last_id: items.at(-1)?.['id'] ?? null,
    has_more: hasMore,
  };
}

function invalid(detail: string): AppError {
  return new AppError('invalid_request', { detail });
}

/** Undefined: there is none. */
async function readOptionalBody(context: CallerContext): Promise<RequestBody | undefined> {
  const { headers } = context.request;
  const isEmpty = headers['content-length'] === '0' || headers['content-type'] === undefined;
  return isEmpty ? undefined : readJsonBody(context);
}

function readMetadata(body: RequestBody | undefined): JsonObject {
  const metadata = body?.get('metadata') ?? {};
  if (!isObject(metadata)) throw invalid('metadata must be an object');
  const pairs = Object.entries(metadata);
  const fits = pairs.every(
    ([name, value]) =>
      name.length <= longestKey && typeof value === 'string' && value.length <= longestValue,
  );
  if (!fits || pairs.length > mostPairs)
    throw invalid(
      `metadata may have ${mostPairs} texts of ${longestValue} characters, with names of ${longestKey}`,
    );
  return metadata as JsonObject;
}

function readItems({ deps }: CallerContext, items: JsonValue | undefined) {
  if ((items ?? null) === null) return [];
  if (!Array.isArray(items) || !items.every(isObject) || items.length > mostAdded)
    throw invalid(`items must be an array of at most ${mostAdded} objects`);
  return (items as readonly JsonObject[]).map((item) => {
    if (item['type'] === 'item_reference') throw invalid('items must not be references');
    return listedItem(item, deps.ids.hex(24));
  });
}
