/** Reranking in Jina's format. */

import type { RerankReply, RerankRequest } from '../../../canonical/calls.ts';
import { compact, countOf, recordOf } from '../../../canonical/kit/read-json.ts';
import type { Usage } from '../../../canonical/usage.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { openAiFamily } from '../families/openai.ts';
import { callForward } from '../shared/call-forward.ts';
import { jsonReply } from '../shared/call-reply.ts';
import type { CallFormat } from '../shared/caller-format.ts';
import { Fields } from '../shared/fields.ts';
import { readRerank, rerankFormat } from '../shared/rerank.ts';

/** A document comes back as `{text}`, from the request where the provider gave only its place. */
function writeDocument(
  given: string | JsonObject | undefined,
  request: RerankRequest,
  index: number,
): JsonObject | undefined {
  if (request.returnDocuments === false) return undefined;
  const document =
    given ?? (request.returnDocuments === true ? request.documents[index] : undefined);
  return typeof document === 'string' ? { text: document } : document;
}

function writeReply(reply: RerankReply, request: RerankRequest, model: string): JsonObject {
  const results = reply.results.map(({ index, score, document }) =>
    compact({ index, relevance_score: score, document: writeDocument(document, request, index) }),
  );
  const tokens = (reply.usage?.promptTokens ?? 0) + (reply.usage?.completionTokens ?? 0);
  return {
    model,
    results,
    usage: { prompt_tokens: reply.usage?.promptTokens ?? 0, total_tokens: tokens },
  };
}

/** Jina counts all tokens together, some upstreams only prompt tokens. */
function rerankUsage(raw: unknown): Usage | undefined {
  const usage = recordOf(raw);
  const tokens = countOf(usage?.['total_tokens']) ?? countOf(usage?.['prompt_tokens']);
  return usage === undefined || tokens === undefined
    ? undefined
    : { promptTokens: tokens, completionTokens: 0, raw: [usage] };
}

export const jinaRerank: CallFormat<'rerank'> = {
  ...rerankFormat,
  name: 'jina-rerank',
  family: openAiFamily,
  routes: { paths: ['/v1/rerank'] },
  forward: callForward({ answerField: 'results', replyUsage: rerankUsage }),
  readRequest: (body, { model }) => {
    const json = body.parse();
    const returnDocuments = new Fields(json, 'invalid_request').flag('return_documents');
    return { ...readRerank(json, model, ['return_documents']), returnDocuments };
  },
  writeReply: (reply, request, { model }) => jsonReply(writeReply(reply, request, model)),
};
