/** Reranking, of two generations (docs/rules/providers.md#dashscope-rerank). */

import type { RerankReply, RerankRequest } from '../../canonical/calls.ts';
import { compact, recordOf, replyObject, textOf } from '../../canonical/kit/read-json.ts';
import type { OperationAdapter } from '../../canonical/provider.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { factsOf } from '../../models/known-models.ts';
import { readRerankReply } from '../openai-compatible/rerank.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { refuseFailure } from './failure.ts';
import { postTo } from './request.ts';

const isNew = (model: string): boolean => factsOf(model).takes?.rerank_wire === true;

/** Objects are reduced to their text; those without one (images) go as they are. */
function documentsOf(request: RerankRequest): (string | JsonObject)[] {
  return request.documents.map((document) =>
    typeof document === 'string' ? document : (textOf(document.text) ?? document),
  );
}

function writeNew(request: RerankRequest, model: string): JsonObject {
  const documents = documentsOf(request);
  return compact({
    model,
    query: request.query,
    documents,
    top_n: request.topCount,
    instruct: request.extra.instruct,
  });
}

function writeOld(request: RerankRequest, model: string): JsonObject {
  return {
    model,
    input: { query: request.query, documents: documentsOf(request) },
    parameters: compact({
      top_n: request.topCount,
      return_documents: request.returnDocuments ?? true,
      instruct: request.extra.instruct,
    }),
  };
}

function readReply(body: unknown): RerankReply {
  const reply = replyObject(body);
  refuseFailure(reply);
  const output = recordOf(reply.output);
  return readRerankReply(
    output === undefined ? reply : { results: output.results, usage: reply.usage },
  );
}

export const rerank: OperationAdapter<'rerank', OpenAiSettings> = {
  encode: (request, call) =>
    isNew(call.model)
      ? postTo('/compatible-api/v1/reranks', call, writeNew(request, call.model))
      : postTo(
          '/api/v1/services/rerank/text-rerank/text-rerank',
          call,
          writeOld(request, call.model),
        ),
  decode: readReply,
};
