/** `/v1/responses/{id}`: a stored response for its owner (docs/rules/responses.md#calls). */
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { sendEvents } from '../background/send-events.ts';
import type { CallerContext } from '../context.ts';
import { inputItemList, readListQuery } from '../formats/openai-responses/input-items.ts';
import { responsesState } from '../formats/openai-responses/state.ts';
import { idHeaders, sendJson } from '../reply.ts';
import type { StoredResponseAction } from '../route.ts';
import type { ResponseContent } from '../stored-responses/response-content.ts';
import { deleteResponse } from './delete-response.ts';

/** Throws AppError response_not_found, response_not_cancellable, invalid_request. */
export async function sendStoredResponse(
  context: CallerContext,
  action: StoredResponseAction,
  id: string,
): Promise<void> {
  const query = new URLSearchParams((context.request.url ?? '').split('?')[1] ?? '');
  if (action === 'read' && query.get('stream') === 'true') {
    const after = await firstNumber(context, id, query.get('starting_after'));
    return sendEvents(context, id, after);
  }
  const reply = await answer(context, action, id, query);
  sendJson(context.response, 200, reply, idHeaders(context.requestId));
}

/** The number after which events are to be sent. Throws AppError where there are none. */
async function firstNumber(
  { deps, caller }: CallerContext,
  id: string,
  startingAfter: string | null,
): Promise<number> {
  if ((await deps.responses.find(caller.userId, id)) === null)
    throw new AppError('response_not_found', { id });
  const row = await deps.background.find({ userId: caller.userId, responseId: id });
  if (row?.streamed !== true)
    throw new AppError('invalid_request', {
      detail: 'only background responses that were created with stream=true can be streamed again',
    });
  const after = Number(startingAfter ?? -1);
  if (!Number.isSafeInteger(after) || after < -1)
    throw new AppError('invalid_request', { detail: 'starting_after must be a sequence number' });
  return after;
}

async function answer(
  context: CallerContext,
  action: StoredResponseAction,
  id: string,
  query: URLSearchParams,
): Promise<unknown> {
  const { deps, caller, memory } = context;
  const key = { userId: caller.userId, responseId: id };
  switch (action) {
    case 'read':
      return currentResponse(context, id);
    case 'delete':
      await deleteResponse(context, id);
      deps.background.abort(key);
      return { id, object: 'response', deleted: true };
    case 'cancel':
      if ((await deps.responses.find(caller.userId, id)) === null)
        throw new AppError('response_not_found', { id });
      if ((await deps.background.find(key)) === null)
        throw new AppError('response_not_cancellable');
      await deps.background.cancel(key);
      return currentResponse(context, id);
    case 'input-items': {
      const page = readListQuery(query);
      const content = await contentOf(context, id);
      const others = await deps.responses.readHolding(
        caller.userId,
        responsesState.itemsIn([content]),
        (size) => memory.takeBody(size),
      );
      return inputItemList(id, content.input, others, page);
    }
  }
}

/** The response with its status of now. */
async function currentResponse(context: CallerContext, id: string): Promise<JsonObject> {
  const { deps, caller } = context;
  const found = await deps.responses.find(caller.userId, id);
  if (found === null) throw new AppError('response_not_found', { id });
  const row = underWay.has(found.status)
    ? await deps.background.find({ userId: caller.userId, responseId: id })
    : null;
  const { response } = await contentOf(context, id);
  return row !== null && underWay.has(row.status) ? { ...response, status: row.status } : response;
}

const underWay: ReadonlySet<string> = new Set(['queued', 'in_progress']);

async function contentOf({ deps, caller }: CallerContext, id: string): Promise<ResponseContent> {
  const content = await deps.responses.read(caller.userId, id);
  if (content === null) throw new AppError('response_not_found', { id });
  return content;
}
