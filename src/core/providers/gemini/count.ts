/**
 * Gemini's token count (docs/rules/providers.md#token-counting). Vertex replies in the same form.
 */

import { countOf, recordOf } from '../../canonical/kit/read-json.ts';
import type { Provider } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { geminiAddress, geminiHeaders } from './request.ts';
import { splitGeminiSuffix } from './thinking.ts';

/** Throws AppError('bad_response_body'). */
export function readTotalTokens(body: unknown): number {
  const count = countOf(recordOf(body)?.totalTokens);
  if (count === undefined) throw new AppError('bad_response_body', { detail: 'no count in it' });
  return count;
}

/**
 * What is counted may come whole, as the request it is going to be, which then names the model once
 * more.
 */
function namedBody(body: JsonValue, model: string): JsonValue {
  const given = recordOf(body) as JsonObject | undefined;
  const inner = given?.generateContentRequest;
  if (!isObject(inner)) return body;
  return {
    ...given,
    generateContentRequest: { ...(inner as JsonObject), model: `models/${model}` },
  };
}

export const countGeminiTokens: NonNullable<Provider['operations']['countGeminiTokens']> = {
  encode(body, call) {
    const { model } = splitGeminiSuffix(call.model, call.options);
    return {
      method: 'POST',
      url: geminiAddress(call, model, 'countTokens'),
      headers: geminiHeaders(call),
      body: namedBody(body, model),
    };
  },
  decode: readTotalTokens,
};
