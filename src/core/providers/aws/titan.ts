/**
 * Titan's embeddings, one text a request (docs/rules/providers.md#titan-embeddings; Bedrock's
 * documentation of Titan).
 */

import type { EmbeddingReply, EmbeddingRequest } from '../../canonical/calls.ts';
import { embedInBatches } from '../../canonical/kit/embed-in-batches.ts';
import { compact, countOf, listOf, replyObject } from '../../canonical/kit/read-json.ts';
import { requestJson } from '../../canonical/kit/request-json.ts';
import { textInputs } from '../../canonical/kit/text-inputs.ts';
import type { Call, OperationAdapter, UpstreamRequest } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { bedrockAddress, bedrockHeaders } from './address.ts';
import { authorizeRequest } from './credentials.ts';
import { readBedrockFailure } from './failure.ts';

function writeOne(request: EmbeddingRequest, call: Call): UpstreamRequest {
  const [inputText] = textInputs(request);
  const { dimensions, extra } = request;
  return {
    method: 'POST',
    url: bedrockAddress(call, call.model, 'invoke'),
    headers: bedrockHeaders(false),
    body: compact({ inputText, dimensions, normalize: extra.normalize }),
  };
}

function readOne(body: unknown): EmbeddingReply {
  const reply = replyObject(body);
  if (!Array.isArray(reply.embedding))
    throw new AppError('bad_response_body', { detail: 'the reply has no embedding' });
  const promptTokens = countOf(reply.inputTextTokenCount);
  return {
    embeddings: [listOf(reply.embedding) as number[]],
    usage:
      promptTokens === undefined
        ? undefined
        : { promptTokens, raw: [{ inputTextTokenCount: promptTokens }] },
  };
}

export const titanEmbedding: OperationAdapter<'embedding'> = {
  perform: (request, call, effects) =>
    embedInBatches(request, 1, async (piece) => {
      const signed = await authorizeRequest(writeOne(piece, call), call.key, effects.now());
      return readOne(await requestJson(effects, signed, readBedrockFailure));
    }),
  encode: writeOne,
  decode: readOne,
};
