/** Gemini's embedContent and batchEmbedContents. */

import type { EmbeddingReply, EmbeddingRequest } from '../../../canonical/calls.ts';
import { usageFromGemini } from '../../../canonical/kit/gemini-usage.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import { geminiFamily } from '../families/gemini.ts';
import { callForward } from '../shared/call-forward.ts';
import { jsonReply } from '../shared/call-reply.ts';
import { type CallFormat, topLevelLimits } from '../shared/caller-format.ts';
import { Fields } from '../shared/fields.ts';
import { toFloats } from '../shared/floats.ts';
import { measureInput } from '../shared/measure.ts';

function isBatch(path: string): boolean {
  return path.endsWith(':batchEmbedContents');
}

/** The texts of one content, joined: it becomes one vector. */
function textOfContent(one: Fields): string {
  const content = one.object('content');
  const texts = (content?.objects('parts') ?? []).map((part) => part.text('text'));
  if (texts.some((text) => text === undefined))
    throw new AppError('unsupported_feature', { detail: 'embedding of anything but text' });
  const text = texts.join('\n');
  return text === '' ? one.fail('content has no text') : text;
}

function dimensionsOf(one: Fields): number | undefined {
  return one.count('outputDimensionality') ?? one.count('output_dimensionality');
}

function readRequest(body: JsonObject, model: string, batch: boolean): EmbeddingRequest {
  const root = new Fields(body, 'invalid_embedding_request');
  const all = batch ? (root.objects('requests') ?? []) : [root];
  const [first] = all;
  if (first === undefined) return root.fail('requests is empty');
  const dimensions = dimensionsOf(first);
  if (all.some((one) => dimensionsOf(one) !== dimensions))
    throw new AppError('unsupported_feature', {
      detail: 'different outputDimensionality in one batch',
    });
  return { model, input: all.map(textOfContent), dimensions, encodingFormat: 'float', extra: {} };
}

function writeReply(reply: EmbeddingReply, batch: boolean): JsonObject {
  const embeddings: JsonValue[] = reply.embeddings.map((vector) => ({ values: toFloats(vector) }));
  return batch ? { embeddings } : { embedding: embeddings[0] ?? { values: [] } };
}

export const geminiEmbed: CallFormat<'embedding'> = {
  kind: 'call',
  name: 'gemini-embed',
  family: geminiFamily,
  operation: 'embedding',
  routes: { pattern: /^\/v1(?:beta)?\/models\/(.+):(?:embedContent|batchEmbedContents)$/ },
  invalidRequest: 'invalid_request',
  check(body, { path }) {
    const [field, kind] = isBatch(path)
      ? (['requests', 'array'] as const)
      : (['content', 'object'] as const);
    if (body.kind(field) !== kind)
      throw new AppError('invalid_embedding_request', { detail: `field ${field} is required` });
  },
  streams: () => false,
  ...topLevelLimits,
  promptFields: ['content', 'requests'],
  measure: measureInput,
  forward: callForward({ usageField: 'usageMetadata', replyUsage: usageFromGemini }),
  readRequest: (body, { model, path }) => readRequest(body.parse(), model, isBatch(path)),
  writeReply: (reply, _request, { path }) => jsonReply(writeReply(reply, isBatch(path))),
};
