/**
 * Type 47 (docs/rules/providers.md#xinference): models served on one's own machines, each under the
 * name chosen at launch.
 */
import type { RerankReply, RerankRequest } from '../../canonical/calls.ts';
import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import { bearerHeaders, openAiAddress, openaiCompatible } from '../openai-compatible/index.ts';
import { readRerankReply, writeRerankBody } from '../openai-compatible/rerank.ts';

/** Some models return the documents although they were not requested. */
function withoutUnrequestedDocuments(
  reply: RerankReply,
  request: RerankRequest | undefined,
): RerankReply {
  if (request?.returnDocuments === true) return reply;
  return { ...reply, results: reply.results.map(({ index, score }) => ({ index, score })) };
}

export const xinference = openaiCompatible({
  slug: 'xinference',
  channelTypes: [47],
  defaultBaseUrl: null,
  keyFormat: { example: 'sk-…', optional: true },
  models: ['bge-reranker-v2-m3', 'jina-reranker-v2'],
  also: ['image', 'speech', 'transcription', 'translation'],
  operations: {
    rerank: {
      encode: (request, call) => ({
        method: 'POST',
        url: openAiAddress('rerank', call),
        headers: { ...jsonHeaders(false), ...bearerHeaders(call) },
        body: writeRerankBody(request, call.model),
      }),
      decode: (body, _call, request) => withoutUnrequestedDocuments(readRerankReply(body), request),
    },
  },
});
