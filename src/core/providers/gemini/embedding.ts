/**
 * Embeddings of the Gemini API: one text, or all in one batch, answered in order
 * (docs/rules/providers.md#gemini-embeddings).
 */

import type { EmbeddingReply, EmbeddingRequest } from '../../canonical/calls.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { usageFromGemini } from '../../canonical/kit/gemini-usage.ts';
import {
  compact,
  listOf,
  recordOf,
  recordsOf,
  replyObject,
} from '../../canonical/kit/read-json.ts';
import { textInputs } from '../../canonical/kit/text-inputs.ts';
import type { PassThrough } from '../../canonical/pass-through.ts';
import type { OperationAdapter } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { geminiError } from './decode-parts.ts';
import { type GeminiAction, geminiAddress, geminiHeaders, nativeTarget } from './request.ts';

function writeOne(text: string, request: EmbeddingRequest, model: string): JsonObject {
  return compact({
    model: `models/${model}`,
    content: { parts: [{ text }] },
    outputDimensionality: request.dimensions,
    taskType: request.extra.task_type ?? request.extra.taskType,
  });
}

/**
 * A native caller's body names the model once more, within each request of a batch too: all of them
 * the upstream's.
 */
const passThrough: PassThrough<unknown> = {
  format: 'gemini-embed',
  target(fields, call) {
    const { action, query } = nativeTarget(call.clientPath);
    const model = `models/${call.model}`;
    const requests = listOf(fields.get('requests')) as readonly JsonValue[];
    const edits: Record<string, JsonValue> = {};
    if (fields.has('model')) edits.model = model;
    if (requests.some((one) => isObject(one) && one.model !== model))
      edits.requests = requests.map((one) => (isObject(one) ? { ...one, model } : one));
    const address = geminiAddress(call, call.model, action as GeminiAction);
    return { url: address + query, headers: geminiHeaders(call), edits, modelInUrl: true };
  },
};

export const embedding: OperationAdapter<'embedding'> = {
  passThrough: [passThrough],
  encode(request, call) {
    const all = textInputs(request).map((text) => writeOne(text, request, call.model));
    const only = all.length === 1 ? all[0] : undefined;
    return {
      method: 'POST',
      url: geminiAddress(
        call,
        call.model,
        only === undefined ? 'batchEmbedContents' : 'embedContent',
      ),
      headers: geminiHeaders(call),
      body: only ?? { requests: all },
    };
  },
  decode(body): EmbeddingReply {
    const reply = replyObject(body);
    if (reply.error !== undefined) throw new ReplyFailure(geminiError(reply));
    const single = recordOf(reply.embedding);
    const items = single === undefined ? recordsOf(reply.embeddings) : [single];
    if (items.length === 0)
      throw new AppError('bad_response_body', { detail: 'the reply has no embeddings' });
    return {
      embeddings: items.map((item) => listOf(item.values) as number[]),
      usage: usageFromGemini(reply.usageMetadata),
    };
  },
};
