/** Reranking in version 2 of Cohere's format (Cohere API reference, Rerank). */
import type { RerankReply, RerankRequest } from '../../../canonical/calls.ts';
import { compact, recordOf } from '../../../canonical/kit/read-json.ts';
import { billedInput } from '../../../canonical/wires/cohere/words.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { cohereFamily } from '../families/cohere.ts';
import { callForward } from '../shared/call-forward.ts';
import { jsonReply } from '../shared/call-reply.ts';
import { type CallFormat, topLevelLimits } from '../shared/caller-format.ts';
import { Fields } from '../shared/fields.ts';
import { checkRerank, measureRerank } from '../shared/rerank.ts';

const known: ReadonlySet<string> = new Set(['model', 'query', 'documents', 'top_n']);

function readRequest(body: JsonObject, model: string): RerankRequest {
  const fields = new Fields(body, 'invalid_request');
  const { query } = body;
  if (typeof query !== 'string') throw new AppError('unsupported_feature', { detail: 'a query that is no text' });
  return {
    model,
    query,
    documents: body.documents as RerankRequest['documents'],
    topCount: fields.count('top_n'),
    returnDocuments: false,
    extra: fields.without(known),
  };
}

/** Version 2 never returns the documents. */
function writeReply({ results, usage }: RerankReply): JsonObject {
  const units = usage === undefined ? undefined : { input_tokens: usage.promptTokens ?? 0 };
  return {
    results: results.map(({ index, score }) => ({ index, relevance_score: score })),
    meta: compact({ api_version: { version: '2' }, billed_units: units }),
  };
}

export const cohereRerank: CallFormat<'rerank'> = {
  kind: 'call',
  name: 'cohere-rerank',
  family: cohereFamily,
  operation: 'rerank',
  routes: { paths: ['/v2/rerank'] },
  invalidRequest: 'invalid_request',
  check: checkRerank,
  streams: () => false,
  ...topLevelLimits,
  promptFields: ['query'],
  measure: measureRerank,
  forward: callForward({
    answerField: 'results',
    usageField: 'meta',
    replyUsage: (meta) => billedInput({ meta: recordOf(meta) }),
  }),
  readRequest: (body, { model }) => readRequest(body.parse(), model),
  writeReply: (reply) => jsonReply(writeReply(reply)),
};
