/** The list of a response's input items (OpenAI API reference, List input items). */
import { textOf } from '../../../canonical/kit/read-json.ts';
import { AppError } from '../../../kernel/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../kernel/json.ts';
import type { AnsweredTurn } from '../shared/conversation-state.ts';
import { itemsById, resolveReferences } from './state.ts';

export interface ListQuery {
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  /** The list begins after the item with this id. */
  readonly after: string | undefined;
}

const defaultLimit = 20;
const mostListed = 100;

/** Throws AppError invalid_request. */
export function readListQuery(query: URLSearchParams): ListQuery {
  const limit = Number(query.get('limit') ?? defaultLimit);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostListed)
    throw new AppError('invalid_request', {
      detail: `limit must be a number from 1 to ${mostListed}`,
    });
  const order = query.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc')
    throw new AppError('invalid_request', { detail: 'order must be asc or desc' });
  return { limit, order, after: query.get('after') ?? undefined };
}

const prefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  function_call_output: 'fco',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'ctco',
};

/** The item as OpenAI lists it. One without an id gets one that stays the same. */
function listed(item: JsonValue, index: number, responseId: string): JsonObject {
  const given: JsonObject = isObject(item) ? (item as JsonObject) : {};
  const type = textOf(given['type']) ?? 'message';
  const id =
    textOf(given['id']) ??
    `${prefixes[type] ?? 'item'}_${responseId.replace(/^resp_/, '')}_in${index}`;
  if (type !== 'message') return { ...given, id, type };
  const { content = [], role = 'user' } = given;
  const kind = role === 'assistant' ? 'output_text' : 'input_text';
  const parts = typeof content === 'string' ? [{ type: kind, text: content }] : content;
  return { status: 'completed', ...given, id, type, role, content: parts };
}

/** A page of the response's own input, the newest item first by default. */
export function inputItemList(
  responseId: string,
  input: JsonValue,
  others: readonly AnsweredTurn[],
  { limit, order, after }: ListQuery,
): JsonObject {
  const items = resolveReferences(input, itemsById(others)).map((item, index) =>
    listed(item, index, responseId),
  );
  const ordered = order === 'asc' ? items : items.reverse();
  const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0)
    throw new AppError('response_item_not_found', { id: after });
  const data = ordered.slice(start, start + limit);
  return {
    object: 'list',
    data,
    first_id: data[0]?.['id'] ?? null,
    last_id: data.at(-1)?.['id'] ?? null,
    has_more: start + limit < ordered.length,
  };
}
