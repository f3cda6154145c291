/** What the reranking formats have in common. */
import { AppError } from '../../../kernel/errors.ts';
import { isObject } from '../../../kernel/json.ts';
import { estimateTokensFromBytes } from '../../../pricing/estimate-tokens.ts';
import type { RequestBody } from '../../body/request-body.ts';
import { type CallMeasure, measureInput } from './measure.ts';

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

/** A query and a list of documents, texts or objects. Throws AppError('invalid_query' | 'invalid_documents', {detail}). */
export function checkRerank(body: RequestBody): void {
  checkQuery(body);
  checkDocuments(body);
}

/** The query is read beside each document, and counted as often. */
export function measureRerank(body: RequestBody, model: string): CallMeasure {
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
