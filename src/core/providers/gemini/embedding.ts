/** Embeddings of the Gemini API: one text, or all in one batch, answered in order (spec, providers-international 3.8). */
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { EmbeddingReply, EmbeddingRequest } from '../canonical.ts';
import { ReplyFailure } from '../kit/failure.ts';
import { compact, listOf, recordOf, recordsOf, replyObject } from '../kit/read-json.ts';
import { usageFromGemini } from '../kit/usage.ts';
import type { OperationAdapter } from '../provider.ts';
import { geminiError } from './decode-parts.ts';
import { geminiAddress, geminiHeaders } from './request.ts';

function writeOne(text: string | readonly number[], request: EmbeddingRequest, model: string): JsonObject {
  if (typeof text !== 'string') throw new AppError('unsupported_feature', { detail: 'input as tokens' });
  return compact({
    model: `models/${model}`,
    content: { parts: [{ text }] },
    outputDimensionality: request.dimensions,
    taskType: request.extra.task_type ?? request.extra.taskType,
  });
}

export const embedding: OperationAdapter<'embedding'> = {
  encode(request, call) {
    const all = request.input.map((text) => writeOne(text, request, call.model));
    const only = all.length === 1 ? all[0] : undefined;
    return {
      method: 'POST',
      url: geminiAddress(call, call.model, only === undefined ? 'batchEmbedContents' : 'embedContent'),
      headers: geminiHeaders(call),
      body: only ?? { requests: all },
    };
  },
  decode(body): EmbeddingReply {
    const reply = replyObject(body);
    if (reply.error !== undefined) throw new ReplyFailure(geminiError(reply));
    const single = recordOf(reply.embedding);
    const items = single === undefined ? recordsOf(reply.embeddings) : [single];
    if (items.length === 0) throw new AppError('bad_response_body', { detail: 'the reply has no embeddings' });
    return { embeddings: items.map((item) => listOf(item.values) as number[]), usage: usageFromGemini(reply.usageMetadata) };
  },
};
