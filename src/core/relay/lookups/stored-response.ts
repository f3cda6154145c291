/** `/v1/responses/{id}`: a stored response for its owner (docs/rules/responses.md#calls). */
import { AppError } from '../../kernel/errors.ts';
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
  sendJson(context.response, 200, await answer(context, action, id), idHeaders(context.requestId));
}

async function answer(
  context: CallerContext,
  action: StoredResponseAction,
  id: string,
): Promise<unknown> {
  const { deps, caller, request, memory } = context;
  const query = new URLSearchParams((request.url ?? '').split('?')[1] ?? '');
  switch (action) {
    case 'read':
      if (query.get('stream') === 'true')
        throw new AppError('invalid_request', {
          detail: 'stream is possible for background responses only',
        });
      return (await contentOf(context, id)).response;
    case 'delete':
      await deleteResponse(context, id);
      return { id, object: 'response', deleted: true };
    case 'cancel':
      if ((await deps.responses.find(caller.userId, id)) === null)
        throw new AppError('response_not_found', { id });
      throw new AppError('response_not_cancellable');
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

async function contentOf({ deps, caller }: CallerContext, id: string): Promise<ResponseContent> {
  const content = await deps.responses.read(caller.userId, id);
  if (content === null) throw new AppError('response_not_found', { id });
  return content;
}
