/** What the reranking formats have in common. */
import type { RerankRequest } from '../../../canonical/calls.ts';
import { AppError } from '../../../kernel/errors.ts';
import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { estimateTokensFromBytes } from '../../../pricing/estimate-tokens.ts';
import type { RequestBody } from '../../body/request-body.ts';
import { topLevelLimits } from './caller-format.ts';
import { Fields } from './fields.ts';
import { type CallMeasure, measureInput } from './measure.ts';

function checkQuery(body: RequestBody): void {
  const query = body.get('query');
  const empty = query === undefined || query === null || query === '';
  if (empty) throw new AppError('invalid_query', { detail: 'query is empty' });
  if (typeof query !== 'string' && !isObject(query))
    throw new AppError('invalid_query', { detail: 'query must be a string' });
}

function checkDocuments(body: RequestBody): void {
  const documents = body.get('documents');
  if (documents !== undefined && documents !== null && !Array.isArray(documents))
    throw new AppError('invalid_documents', { detail: 'documents must be a list' });
  if (!Array.isArray(documents) || documents.length === 0)
    throw new AppError('invalid_documents', { detail: 'documents is empty' });
  const wrong = documents.findIndex(
    (document) => typeof document !== 'string' && !isObject(document),
  );
  if (wrong !== -1)
    throw new AppError('invalid_documents', {
      detail: `documents[${wrong}] must be a string or an object`,
    });
}

/**
 * A query and a list of documents, texts or objects. Throws AppError('invalid_query' |
 * 'invalid_documents', {detail}).
 */
function checkRerank(body: RequestBody): void {
  checkQuery(body);
  checkDocuments(body);
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

/**
 * The fields that all formats of reranking share. `own`: the format's other fields, which are not
 * sent on as they are.
 */
export function readRerank(
  body: JsonObject,
  model: string,
  own: readonly string[] = [],
): Omit<RerankRequest, 'returnDocuments'> {
  const fields = new Fields(body, 'invalid_request');
  const { query, documents } = body;
  if (typeof query !== 'string')
    throw new AppError('unsupported_feature', { detail: 'a query that is no text' });
  return {
    model,
    query,
    documents: documents as RerankRequest['documents'],
    topCount: fields.count('top_n'),
    extra: fields.without(new Set(['model', 'query', 'documents', 'top_n', ...own])),
  };
}

/** What all formats of reranking are. */
export const rerankFormat = {
  kind: 'call',
  operation: 'rerank',
  invalidRequest: 'invalid_request',
  check: checkRerank,
  streams: () => false,
  ...topLevelLimits,
  promptFields: ['query'],
  measure: measureRerank,
} as const;
