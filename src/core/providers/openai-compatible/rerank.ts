/**
 * Reranking in Jina's wire, which every server with a `/v1/rerank` copies
 * (docs/rules/providers.md#rerank-replies).
 */

import type { RerankReply, RerankRequest } from '../../canonical/calls.ts';
import { errorFromBody, failureMessage, ReplyFailure } from '../../canonical/kit/failure.ts';
import { countOf, listOf, recordOf, replyObject } from '../../canonical/kit/read-json.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';

export function writeRerankBody(request: RerankRequest, model: string): JsonObject {
  return {
    ...request.extra,
    model,
    query: request.query,
    documents: [...request.documents],
    ...(request.topCount === undefined ? {} : { top_n: request.topCount }),
    ...(request.returnDocuments === undefined ? {} : { return_documents: request.returnDocuments }),
  };
}

/** Best first. Throws ReplyFailure, or AppError('bad_response_body') without results. */
export function readRerankReply(body: unknown): RerankReply {
  const root = replyObject(body);
  if (!Array.isArray(root.results)) {
    if (failureMessage(root) !== undefined) throw new ReplyFailure(errorFromBody(root));
    throw new AppError('bad_response_body', { detail: 'no results in it' });
  }
  const results = listOf(root.results).flatMap((entry) => {
    const result = recordOf(entry);
    const index = countOf(result?.index);
    const score = Number(result?.relevance_score ?? result?.score);
    if (index === undefined || !Number.isFinite(score)) return [];
    const document = result?.document;
    const known = typeof document === 'string' || recordOf(document) !== undefined;
    return [{ index, score, ...(known ? { document: document as string | JsonObject } : {}) }];
  });
  results.sort((a, b) => b.score - a.score);
  // Some count all tokens together (Jina), some only prompt tokens; SiliconFlow reports them in
  // `meta`.
  const usage = recordOf(root.usage);
  const counted = recordOf(recordOf(root.meta)?.tokens);
  const tokens =
    countOf(usage?.total_tokens) ?? countOf(usage?.prompt_tokens) ?? countOf(counted?.input_tokens);
  return {
    results,
    ...(tokens === undefined
      ? {}
      : {
          usage: { promptTokens: tokens, completionTokens: 0, raw: [usage ?? counted ?? {}] },
        }),
  };
}
