/** Titan's embeddings, one text a request (spec, providers-international 2.2; Bedrock's documentation of Titan). */
import { AppError } from '../../kernel/errors.ts';
import type { EmbeddingRequest } from '../canonical.ts';
import { askEach, askJson, sumOfCounts } from '../kit/ask.ts';
import { compact, countOf, listOf, replyObject } from '../kit/read-json.ts';
import type { Call, OperationAdapter, UpstreamRequest } from '../provider.ts';
import { bedrockAddress, bedrockHeaders } from './address.ts';
import { authorizeRequest } from './credentials.ts';
import { readBedrockFailure } from './failure.ts';

/** Requests under way at once. */
const concurrency = 8;

function writeOne(input: string | readonly number[] | undefined, request: EmbeddingRequest, call: Call): UpstreamRequest {
  if (typeof input !== 'string') throw new AppError('unsupported_feature', { detail: 'input as tokens' });
  const { dimensions, extra } = request;
  return {
    method: 'POST',
    url: bedrockAddress(call, call.model, 'invoke'),
    headers: bedrockHeaders(false),
    body: compact({ inputText: input, dimensions, normalize: extra.normalize }),
  };
}

function readOne(body: unknown): { readonly vector: readonly number[]; readonly tokens: number | undefined } {
  const reply = replyObject(body);
  if (!Array.isArray(reply.embedding)) throw new AppError('bad_response_body', { detail: 'the reply has no embedding' });
  return { vector: listOf(reply.embedding) as number[], tokens: countOf(reply.inputTextTokenCount) };
}

export const titanEmbedding: OperationAdapter<'embedding'> = {
  async perform(request, call, effects) {
    const answers = await askEach(request.input, concurrency, async (input) => {
      const signed = await authorizeRequest(writeOne(input, request, call), call.key, effects.now());
      return readOne(await askJson(effects, signed, readBedrockFailure));
    });
    const promptTokens = sumOfCounts(answers.map(({ tokens }) => tokens));
    return { embeddings: answers.map(({ vector }) => vector), usage: promptTokens === undefined ? undefined : { promptTokens } };
  },
  encode: (request, call) => writeOne(request.input[0], request, call),
  decode(body) {
    const { vector, tokens } = readOne(body);
    return { embeddings: [vector], usage: tokens === undefined ? undefined : { promptTokens: tokens } };
  },
};
