/** Embeddings of Cohere, up to 96 texts a request (docs/rules/providers.md#cohere-embeddings). */

import type { EmbeddingReply, EmbeddingRequest } from '../../canonical/calls.ts';
import { embedInBatches } from '../../canonical/kit/embed-in-batches.ts';
import { errorFromBody, ReplyFailure, readFailure } from '../../canonical/kit/failure.ts';
import { compact, listOf, recordOf, replyObject } from '../../canonical/kit/read-json.ts';
import { requestJson } from '../../canonical/kit/request-json.ts';
import { textInputs } from '../../canonical/kit/text-inputs.ts';
import type { Call, OperationAdapter, UpstreamRequest } from '../../canonical/provider.ts';
import { billedInput } from '../../canonical/wires/cohere/words.ts';
import { AppError } from '../../kernel/errors.ts';
import { cohereAddress, cohereHeaders } from './request.ts';

const textsPerRequest = 96;

function encode(request: EmbeddingRequest, call: Call): UpstreamRequest {
  const { extra } = request;
  return {
    method: 'POST',
    url: cohereAddress(call, '/v2/embed'),
    headers: cohereHeaders(call),
    body: compact({
      model: call.model,
      texts: textInputs(request),
      input_type: extra.input_type ?? 'search_query',
      embedding_types: ['float'],
      output_dimension: request.dimensions,
      truncate: extra.truncate,
    }),
  };
}

function decode(body: unknown): EmbeddingReply {
  const reply = replyObject(body);
  const vectors = recordOf(reply.embeddings)?.float;
  if (!Array.isArray(vectors)) {
    if (reply.message !== undefined || reply.error !== undefined)
      throw new ReplyFailure(errorFromBody(reply));
    throw new AppError('bad_response_body', { detail: 'the reply has no embeddings' });
  }
  return {
    embeddings: vectors.map((vector) => listOf(vector) as number[]),
    usage: billedInput(reply),
  };
}

export const embedding: OperationAdapter<'embedding'> = {
  perform: (request, call, effects) =>
    embedInBatches(request, textsPerRequest, async (piece) =>
      decode(await requestJson(effects, encode(piece, call), readFailure)),
    ),
  encode,
  decode,
};
