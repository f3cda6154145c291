/** Reranking in Jina's format. */

import type { RerankReply, RerankRequest } from '../../../canonical/calls.ts';
import type { Usage } from '../../../canonical/chat.ts';
import { compact, countOf, recordOf } from '../../../canonical/kit/read-json.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { openAiFamily } from '../families/openai.ts';
import { callForward } from '../shared/call-forward.ts';
import { jsonReply } from '../shared/call-reply.ts';
import { type CallFormat, topLevelLimits } from '../shared/caller-format.ts';
import { Fields } from '../shared/fields.ts';
import { checkRerank, measureRerank } from '../shared/rerank.ts';

const known: ReadonlySet<string> = new Set(['model', 'query', 'documents', 'top_n', 'return_documents']);

function readRequest(body: JsonObject, model: string): RerankRequest {
  const fields = new Fields(body, 'invalid_request');
  const { query } = body;
  if (typeof query !== 'string') throw new AppError('unsupported_feature', { detail: 'a query that is no text' });
  return {
    model,
    query,
    documents: body['documents'] as RerankRequest['documents'],
    topCount: fields.count('top_n'),
    returnDocuments: fields.flag('return_documents'),
    extra: fields.without(known),
  };
}

/** A document comes back as `{text}`, from the request where the provider gave only its place. */
function writeDocument(given: string | JsonObject | undefined, request: RerankRequest, index: number): JsonObject | undefined {
  if (request.returnDocuments === false) return undefined;
  const document = given ?? (request.returnDocuments === true ? request.documents[index] : undefined);
  return typeof document === 'string' ? { text: document } : document;
}

function writeReply(reply: RerankReply, request: RerankRequest, model: string): JsonObject {
  const results = reply.results.map(({ index, score, document }) =>
    compact({ index, relevance_score: score, document: writeDocument(document, request, index) }),
  );
  const tokens = (reply.usage?.promptTokens ?? 0) + (reply.usage?.completionTokens ?? 0);
  return { model, results, usage: { prompt_tokens: reply.usage?.promptTokens ?? 0, total_tokens: tokens } };
}

/** Jina counts all tokens together, some upstreams only prompt tokens. */
function rerankUsage(raw: unknown): Usage | undefined {
  const usage = recordOf(raw);
  const tokens = countOf(usage?.['total_tokens']) ?? countOf(usage?.['prompt_tokens']);
  return tokens === undefined ? undefined : { promptTokens: tokens, completionTokens: 0 };
}

export const jinaRerank: CallFormat<'rerank'> = {
  kind: 'call',
  name: 'jina-rerank',
  family: openAiFamily,
  operation: 'rerank',
  routes: { paths: ['/v1/rerank'] },
  invalidRequest: 'invalid_request',
  check: checkRerank,
  streams: () => false,
  ...topLevelLimits,
  promptFields: ['query'],
  measure: measureRerank,
  forward: callForward({ answerField: 'results', replyUsage: rerankUsage }),
  readRequest: (body, { model }) => readRequest(body.parse(), model),
  writeReply: (reply, request, { model }) => jsonReply(writeReply(reply, request, model)),
};
