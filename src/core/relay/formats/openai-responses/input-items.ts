/** The list of a response's input items (OpenAI API reference, List input items). */
import { AppError } from '../../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import type { AnsweredTurn } from '../shared/conversation-state.ts';
import { listedItem } from './listed-item.ts';
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

/** A page of the response's own input, the newest item first by default. */
export function inputItemList(
  responseId: string,
  input: JsonValue,
  others: readonly AnsweredTurn[],
  { limit, order, after }: ListQuery,
): JsonObject {
  // An id that stays the same.
  const tail = responseId.replace(/^resp_/, '');
  const items = resolveReferences(input, itemsById(others)).map((item, index) =>
    listedItem(item, `${tail}_in${index}`),
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
