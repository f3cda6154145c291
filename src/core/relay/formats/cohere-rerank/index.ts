/** Reranking in version 2 of Cohere's format (Cohere API reference, Rerank). */
import type { RerankReply } from '../../../canonical/calls.ts';
import { compact, recordOf } from '../../../canonical/kit/read-json.ts';
import { billedInput } from '../../../canonical/wires/cohere/words.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { cohereFamily } from '../families/cohere.ts';
import { callForward } from '../shared/call-forward.ts';
import { jsonReply } from '../shared/call-reply.ts';
import type { CallFormat } from '../shared/caller-format.ts';
import { readRerank, rerankFormat } from '../shared/rerank.ts';

/** Version 2 never returns the documents. */
function writeReply({ results, usage }: RerankReply): JsonObject {
  const units = usage === undefined ? undefined : { input_tokens: usage.promptTokens ?? 0 };
  return {
    results: results.map(({ index, score }) => ({ index, relevance_score: score })),
    meta: compact({ api_version: { version: '2' }, billed_units: units }),
  };
}

export const cohereRerank: CallFormat<'rerank'> = {
  ...rerankFormat,
  name: 'cohere-rerank',
  family: cohereFamily,
  routes: { paths: ['/v2/rerank'] },
  forward: callForward({
    answerField: 'results',
    usageField: 'meta',
    replyUsage: (meta) => billedInput({ meta: recordOf(meta) }),
  }),
  readRequest: (body, { model }) => ({
    ...readRerank(body.parse(), model),
    returnDocuments: false,
  }),
  writeReply: (reply) => jsonReply(writeReply(reply)),
};
