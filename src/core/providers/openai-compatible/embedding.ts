/** Embeddings on the OpenAI wire (OpenAI API reference, Embeddings). */

import type { EmbeddingReply, EmbeddingRequest } from '../../canonical/calls.ts';
import { errorFromBody, failureMessage, ReplyFailure } from '../../canonical/kit/failure.ts';
import {
  compact,
  countOf,
  listOf,
  recordOf,
  recordsOf,
  replyObject,
  textOf,
} from '../../canonical/kit/read-json.ts';
import { usageFromOpenAi } from '../../canonical/kit/usage.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';

export function writeEmbeddingBody(request: EmbeddingRequest, model: string): JsonObject {
  const input = request.texts ?? request.input;
  const only = input[0];
  return {
    ...request.extra,
    ...compact({
      model,
      input: input.length === 1 && only !== undefined ? only : input,
      dimensions: request.dimensions,
      encoding_format: request.encodingFormat,
      user: request.user,
    }),
  };
}

/** Whether the `input` of a body holds tokens: numbers, or lists of them. */
export function holdsTokens(input: unknown): boolean {
  return (
    Array.isArray(input) && input.some((item) => typeof item === 'number' || Array.isArray(item))
  );
}

/** Vectors in the order of their `index`. Throws ReplyFailure or AppError('bad_response_body'). */
export function readEmbeddingReply(body: unknown): EmbeddingReply {
  const reply = replyObject(body);
  if (!Array.isArray(reply.data)) {
    if (failureMessage(reply) !== undefined) throw new ReplyFailure(errorFromBody(reply));
    throw new AppError('bad_response_body', { detail: 'the reply has no data' });
  }
  const items = recordsOf(reply.data).map((item, position) => ({
    index: countOf(item.index) ?? position,
    vector: item.embedding,
  }));
  items.sort((a, b) => a.index - b.index);
  const embeddings = items.map(({ vector }) =>
    typeof vector === 'string' ? vector : (listOf(vector) as number[]),
  );
  return { model: textOf(reply.model), embeddings, usage: usageFromOpenAi(recordOf(reply.usage)) };
}
