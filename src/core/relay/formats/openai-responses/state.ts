/**
 * Earlier responses and their items, which a Responses body may refer to (docs/rules/responses.md).
 */
import type { ProviderError } from '../../../canonical/chat-reply.ts';
import { listOf, recordOf, textOf } from '../../../canonical/kit/read-json.ts';
import { AppError } from '../../../kernel/errors.ts';
import { isObject, type JsonObject, type JsonValue, parseObject } from '../../../kernel/json.ts';
import type { BodyEdits, RequestBody } from '../../body/request-body.ts';
import type {
  AnsweredTurn,
  ConversationState,
  FinishedResponse,
  NamedItem,
  StateReferences,
  Turn,
} from '../shared/conversation-state.ts';
import { readValues } from '../shared/events.ts';
import { expandCompactions } from './compaction.ts';
import { inConversation } from './in-conversation.ts';
import { listedItem } from './listed-item.ts';
import { mayRefer } from './may-refer.ts';

/** `input` as items: a text is one message of the user. */
export function inputItems(input: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(input)) return input as readonly JsonValue[];
  if (typeof input !== 'string') return [];
  return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }];
}

/**
 * Reasoning that is not encrypted in the item cannot be sent back to an upstream that does not have
 * it.
 */
export function canReturn(item: JsonValue): boolean {
  const { type, encrypted_content: encrypted } = isObject(item) ? (item as JsonObject) : {};
  return type !== 'reasoning' || typeof encrypted === 'string';
}

/** The id that an item refers to; `type` may be left out beside an id alone. */
function referenceIn(item: JsonValue): string | undefined {
  if (!isObject(item)) return undefined;
  const { type, id } = item as JsonObject;
  if (typeof id !== 'string') return undefined;
  if (type === 'item_reference') return id;
  return (type ?? null) === null &&
    Object.keys(item).every((name) => name === 'id' || name === 'type')
    ? id
    : undefined;
}

function referencesIn(input: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(input)) return [];
  return (input as readonly JsonValue[]).map(referenceIn).filter((id) => id !== undefined);
}

export function outputItems(response: JsonObject): readonly JsonObject[] {
  return listOf(response['output']).filter(isObject) as readonly JsonObject[];
}

/**
 * Ids of these items mean something only to the upstream that made them; others cannot be sent
 * without theirs.
 */
const idless = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'tool_search_call',
  'tool_search_output',
]);

/** An item as a caller without stored state would send it; undefined: it cannot be sent. */
function written(item: JsonValue): JsonValue | undefined {
  if (!canReturn(item) || !isObject(item)) return undefined;
  const { id, status: _, ...content } = item as JsonObject;
  const type = textOf(content['type']) ?? 'message';
  return idless.has(type) || id === undefined ? content : { id, ...content };
}

/** Replaces the references of an input by the items that they stand for. */
export function resolveReferences(
  input: JsonValue | undefined,
  known: ReadonlyMap<string, JsonObject>,
): readonly JsonValue[] {
  return inputItems(input).map((item) => {
    const id = referenceIn(item);
    if (id === undefined) return item;
    const found = known.get(id);
    if (found === undefined) throw new AppError('response_item_not_found', { id });
    return found;
  });
}

export function itemsById(turns: readonly AnsweredTurn[]): ReadonlyMap<string, JsonObject> {
  const items = turns.flatMap(({ response }) => outputItems(response));
  return new Map(
    items.flatMap((item) => (typeof item['id'] === 'string' ? [[item['id'], item] as const] : [])),
  );
}

function writeOut(
  body: RequestBody,
  turns: readonly Turn[],
  others: readonly AnsweredTurn[],
  conversation: readonly JsonObject[] = [],
): BodyEdits {
  const known = new Map([
    ...itemsById([...others, ...turns]),
    ...itemsById([{ response: { output: conversation } }]),
  ]);
  const earlier = turns.flatMap(({ input, response }) => [
    ...resolveReferences(input, known),
    ...outputItems(response),
  ]);
  const given = inputItems(body.get('input'));
  const own = resolveReferences(given, known);
  const items = [
    ...conversation.map(written),
    ...earlier.map(written),
    // What the caller wrote itself stays as it is.
    ...own.map((item, index) => (item === given[index] ? item : written(item))),
  ];
  return {
    conversation: undefined,
    previous_response_id: undefined,
    input: items.filter((item) => item !== undefined),
  };
}

function nameIn(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return textOf(recordOf(value)?.['id']);
}

function references(body: RequestBody): StateReferences | undefined {
  const conversationId = body.has('conversation') ? nameIn(body.get('conversation')) : undefined;
  const previous = body.has('previous_response_id') ? body.get('previous_response_id') : undefined;
  const previousId = typeof previous === 'string' && previous !== '' ? previous : undefined;
  const itemIds = mayRefer(body) ? [...new Set(referencesIn(body.get('input')))] : [];
  if (previousId !== undefined && conversationId !== undefined)
    throw new AppError('invalid_request', {
      detail: 'previous_response_id and conversation cannot be used together',
    });
  const isAlone = previousId === undefined && conversationId === undefined && itemIds.length === 0;
  return isAlone ? undefined : { conversationId, previousId, itemIds };
}

function addedItems(
  body: RequestBody,
  response: JsonObject,
  tail: () => string,
): readonly NamedItem[] {
  // What references stand for is in a conversation or a response already.
  const own = inputItems(body.get('input')).filter((item) => referenceIn(item) === undefined);
  return [...own, ...outputItems(response)].map((item) => listedItem(item, tail()));
}

const endings: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete']);
const statuses: ReadonlySet<unknown> = new Set(['completed', 'incomplete']);

/** The whole object of a reply in one piece, or that of the last event. */
function responseIn(end: string): JsonObject | undefined {
  if (end.trimStart().startsWith('{')) return parseObject(end) as JsonObject | undefined;
  const events = readValues(Buffer.from(end)).filter(isObject);
  const last = events.findLast((event) => endings.has(event['type']));
  return recordOf(last?.['response']) as JsonObject | undefined;
}

/** Longer ids than any vendor's do not fit an index. */
const longestId = 500;

function isId(id: JsonValue | undefined): id is string {
  return typeof id === 'string' && id !== '' && id.length <= longestId;
}

function finishedIn(end: string): FinishedResponse | undefined {
  const response = responseIn(end);
  return response && finishedResponse(response);
}

/** Undefined: it cannot be continued. */
export function finishedResponse(response: JsonObject): FinishedResponse | undefined {
  if (response['object'] !== 'response') return undefined;
  const { id, status } = response;
  if (!isId(id) || typeof status !== 'string' || !statuses.has(status)) return undefined;
  const itemIds = outputItems(response)
    .map((item) => item['id'])
    .filter(isId);
  return { id, status, itemIds, response };
}

const unknownState = /\b(?:previous response|response|items?) with id\b.*\bnot found\b/is;

export const responsesState: ConversationState = {
  expand: expandCompactions,
  references,
  keeps: (body) => body.get('store') !== false,
  finishedIn,
  itemsIn: (turns) => [...new Set(turns.flatMap(({ input }) => referencesIn(input)))],
  writeOut,
  addedItems,
  inConversation,
  isUnknown: ({ status, code, message = '' }: ProviderError) =>
    code === 'previous_response_not_found' ||
    ((status === 400 || status === 404) && unknownState.test(message)),
};
