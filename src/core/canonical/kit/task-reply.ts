import { AppError } from '../../kernel/errors.ts';
import { type JsonObject, parseJson, parseObject } from '../../kernel/json.ts';
import type { ProviderError } from '../chat-reply.ts';
import type { Effects, UpstreamFailure, UpstreamRequest } from '../provider.ts';
import { ReplyFailure, readFailure } from './failure.ts';

/**
 * A request whose reply must be a JSON object. Throws ReplyFailure for other statuses than 2xx and
 * AppError('bad_response_body').
 */
export async function fetchObject(
  effects: Effects,
  request: UpstreamRequest & { readonly timeoutMs?: number },
  read: (failure: UpstreamFailure) => ProviderError = readFailure,
): Promise<JsonObject> {
  const { status, text, headers } = await effects.fetch(request);
  if (status < 200 || status > 299)
    throw new ReplyFailure(read({ status, headers, text, body: parseJson(text) }));
  const body = parseObject(text.trim());
  if (body === undefined) throw new AppError('bad_response_body', { detail: 'no JSON object' });
  return body as JsonObject;
}
