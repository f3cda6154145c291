/** Embeddings of DashScope's own (docs/rules/providers.md#dashscope-native). */

import type { EmbeddingReply, EmbeddingRequest } from '../../canonical/calls.ts';
import {
  compact,
  countOf,
  listOf,
  recordOf,
  recordsOf,
  replyObject,
} from '../../canonical/kit/read-json.ts';
import { textInputs } from '../../canonical/kit/text-inputs.ts';
import type { Call, OperationAdapter, UpstreamRequest } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { refuseFailure } from './failure.ts';
import { postTo } from './request.ts';

function encode({ dimensions, extra, ...inputs }: EmbeddingRequest, call: Call): UpstreamRequest {
  const parameters = compact({ text_type: extra.text_type ?? 'document', dimension: dimensions });
  const body = { model: call.model, input: { texts: textInputs(inputs) }, parameters };
  return postTo('/api/v1/services/embeddings/text-embedding/text-embedding', call, body);
}

function decode(body: unknown): EmbeddingReply {
  const reply = replyObject(body);
  refuseFailure(reply);
  const items = recordsOf(recordOf(reply.output)?.embeddings).map((item, position) => ({
    index: countOf(item.text_index) ?? position,
    vector: listOf(item.embedding) as number[],
  }));
  if (items.length === 0)
    throw new AppError('bad_response_body', { detail: 'the reply has no embeddings' });
  items.sort((a, b) => a.index - b.index);
  const usage = recordOf(reply.usage);
  const promptTokens = countOf(usage?.total_tokens);
  return {
    embeddings: items.map(({ vector }) => vector),
    usage:
      usage === undefined || promptTokens === undefined
        ? undefined
        : { promptTokens, completionTokens: 0, raw: [usage] },
  };
}

export const nativeEmbedding: OperationAdapter<'embedding', OpenAiSettings> = { encode, decode };
