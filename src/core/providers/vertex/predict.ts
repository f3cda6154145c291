/**
 * Embeddings and Imagen's images on Vertex, by `:predict` (docs/rules/providers.md#vertex-gemini).
 */

import type { EmbeddingReply, EmbeddingRequest, ImageRequest } from '../../canonical/calls.ts';
import { embedInBatches } from '../../canonical/kit/embed-in-batches.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import {
  compact,
  countOf,
  listOf,
  recordOf,
  recordsOf,
  replyObject,
} from '../../canonical/kit/read-json.ts';
import { requestJson } from '../../canonical/kit/request-json.ts';
import { textInputs } from '../../canonical/kit/text-inputs.ts';
import type { OperationAdapter, UpstreamRequest } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { factsOf } from '../../models/known-models.ts';
import { readGenerateReply } from '../gemini/decode-chat.ts';
import { geminiError } from '../gemini/decode-parts.ts';
import { chatForImage, imagesOf } from '../gemini/draw.ts';
import { readGoogleFailure } from '../gemini/failure.ts';
import { isImagen, readImagenReply, writeImagenBody } from '../gemini/imagen.ts';
import { modelAddress, projectHeaders, type VertexCall, withRegion } from './address.ts';
import { authorizeVertex } from './authorize.ts';
import { encodeGemini } from './gemini.ts';
import type { VertexSettings } from './settings.ts';

function predict(call: VertexCall, requested: string, body: JsonObject): UpstreamRequest {
  return {
    method: 'POST',
    url: modelAddress(withRegion(call, requested), 'google', call.model, 'predict'),
    headers: { 'content-type': 'application/json', ...projectHeaders(call) },
    body,
  };
}

function textsPerRequest(model: string): number {
  return factsOf(model).embeds ?? 250;
}

function writeInstances(request: EmbeddingRequest, call: VertexCall): UpstreamRequest {
  const { extra } = request;
  const instances = textInputs(request).map((content) =>
    compact({ content, task_type: extra.task_type, title: extra.title }),
  );
  const given = compact({
    outputDimensionality: request.dimensions,
    autoTruncate: extra.auto_truncate,
  });
  const parameters = Object.keys(given).length > 0 ? given : undefined;
  return predict(call, request.model, compact({ instances, parameters }));
}

function readVectors(body: unknown): EmbeddingReply {
  const reply = replyObject(body);
  if (reply.error !== undefined) throw new ReplyFailure(geminiError(reply));
  const found = recordsOf(recordsOf(reply.predictions).map(({ embeddings }) => embeddings));
  if (found.length === 0)
    throw new AppError('bad_response_body', { detail: 'the reply has no embeddings' });
  const statistics = found.map((one) => recordOf(one.statistics) ?? {});
  const counts = statistics.map(({ token_count: count }) => countOf(count));
  const reported = counts.every((count) => count !== undefined);
  return {
    embeddings: found.map(({ values }) => listOf(values) as number[]),
    usage: reported
      ? { promptTokens: counts.reduce((sum, count) => sum + count, 0), raw: statistics }
      : undefined,
  };
}

export const vertexEmbedding: OperationAdapter<'embedding', VertexSettings> = {
  perform: (request, call, effects) =>
    embedInBatches(request, textsPerRequest(call.model), async (piece) => {
      const authorized = await authorizeVertex(writeInstances(piece, call), call, effects);
      return readVectors(await requestJson(effects, authorized, readGoogleFailure));
    }),
  encode: writeInstances,
  decode: readVectors,
};

/**
 * Imagen by `:predict`, Gemini's image models by a chat, which edits as well. Throws
 * AppError('unsupported_feature') for others.
 */
export const vertexImage = {
  encode(request: ImageRequest, call: VertexCall) {
    if (isImagen(call.model)) return predict(call, request.model, writeImagenBody(request));
    return encodeGemini(chatForImage(request, call), call);
  },
  decode: (body: unknown, call: VertexCall) =>
    isImagen(call.model) ? readImagenReply(body) : imagesOf(readGenerateReply(body, '')),
} satisfies OperationAdapter<'image' | 'image-edit', VertexSettings>;
