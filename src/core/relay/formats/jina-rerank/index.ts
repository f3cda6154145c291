/** Reranking in Jina's format. */

import type { RerankReply, RerankRequest } from '../../../canonical/calls.ts';
import type { Usage } from '../../../canonical/chat.ts';
import { compact, countOf, recordOf } from '../../../canonical/kit/read-json.ts';
import { AppError } from '../../../kernel/errors.ts';
import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { estimateTokensFromBytes } from '../../../pricing/estimate-tokens.ts';
import type { RequestBody } from '../../body/request-body.ts';
import { openAiFamily } from '../families/openai.ts';
import { callForward } from '../shared/call-forward.ts';
import { jsonReply } from '../shared/call-reply.ts';
import { type CallFormat, topLevelLimits } from '../shared/caller-format.ts';
import { Fields } from '../shared/fields.ts';
import { type CallMeasure, measureInput } from '../shared/measure.ts';

const known: ReadonlySet<string> = new Set(['model', 'query', 'documents', 'top_n', 'return_documents']);

function checkQuery(body: RequestBody): void {
  const query = body.get('query');
  const empty = query === undefined || query === null || query === '';
  if (empty) throw new AppError('invalid_query', { detail: 'query is empty' });
  if (typeof query !== 'string' && !isObject(query)) throw new AppError('invalid_query', { detail: 'query must be a string' });
}

function checkDocuments(body: RequestBody): void {
  const documents = body.get('documents');
  if (documents !== undefined && documents !== null && !Array.isArray(documents))
    throw new AppError('invalid_documents', { detail: 'documents must be a list' });
  if (!Array.isArray(documents) || documents.length === 0)
    throw new AppError('invalid_documents', { detail: 'documents is empty' });
  const wrong = documents.findIndex((document) => typeof document !== 'string' && !isObject(document));
  if (wrong !== -1) throw new AppError('invalid_documents', { detail: `documents[${wrong}] must be a string or an object` });
}

/** The query is read beside each document, and counted as often. */
function measureRerank(body: RequestBody, model: string): CallMeasure {
  const { mostPromptTokens = 0, promptTokens, ...measure } = measureInput(body, model);
  const documents = body.get('documents');
  const repeated = Array.isArray(documents) ? documents.length - 1 : 0;
  const bytes = Buffer.byteLength(JSON.stringify(body.get('query') ?? ''));
  return {
    ...measure,
    promptTokens: promptTokens + repeated * estimateTokensFromBytes(bytes),
    mostPromptTokens: mostPromptTokens + repeated * bytes,
  };
}

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
  check(body) {
    checkQuery(body);
    checkDocuments(body);
  },
  streams: () => false,
  ...topLevelLimits,
  promptFields: ['query'],
  measure: measureRerank,
  forward: callForward({ answerField: 'results', replyUsage: rerankUsage }),
  readRequest: (body, { model }) => readRequest(body.parse(), model),
  writeReply: (reply, request, { model }) => jsonReply(writeReply(reply, request, model)),
};
