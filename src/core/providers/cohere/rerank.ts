/** Reranking of Cohere, version 2 (docs/rules/providers.md#cohere-embeddings). */

import { compact, replyObject } from '../../canonical/kit/read-json.ts';
import type { OperationAdapter } from '../../canonical/provider.ts';
import { billedInput } from '../../canonical/wires/cohere/words.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { readRerankReply } from '../openai-compatible/rerank.ts';
import { cohereAddress, cohereHeaders } from './request.ts';

/** Documents are texts: an object's own, else all of it as JSON. */
function textOfDocument(document: string | JsonObject): string {
  if (typeof document === 'string') return document;
  return typeof document.text === 'string' ? document.text : JSON.stringify(document);
}

export const rerank: OperationAdapter<'rerank'> = {
  passThrough: [
    {
      format: 'cohere-rerank',
      target: (_fields, call) => ({
        url: cohereAddress(call, '/v2/rerank'),
        headers: cohereHeaders(call),
      }),
    },
  ],
  encode: (request, call) => ({
    method: 'POST',
    url: cohereAddress(call, '/v2/rerank'),
    headers: cohereHeaders(call),
    body: compact({
      model: call.model,
      query: request.query,
      documents: request.documents.map(textOfDocument),
      top_n: request.topCount,
      max_tokens_per_doc: request.extra.max_tokens_per_doc,
    }),
  }),
  decode: (body) => ({
    results: readRerankReply(body).results,
    usage: billedInput(replyObject(body)),
  }),
};
