/**
 * Embeddings. Multimodal models have a URL of their own, which makes one vector of all its input
 * (Volcano Ark, API reference of multimodal embeddings).
 */

import type { EmbeddingReply, EmbeddingRequest } from '../../canonical/calls.ts';
import { embedInBatches } from '../../canonical/kit/embed-in-batches.ts';
import { compact } from '../../canonical/kit/read-json.ts';
import { requestJson } from '../../canonical/kit/request-json.ts';
import { jsonHeaders, withClientQuery } from '../../canonical/kit/request-target.ts';
import { textInputs } from '../../canonical/kit/text-inputs.ts';
import type { BodyFields, PassThrough } from '../../canonical/pass-through.ts';
import type { Call, OperationAdapter, UpstreamRequest } from '../../canonical/provider.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { readEmbeddingReply } from '../openai-compatible/embedding.ts';
import { bearerHeaders } from '../openai-compatible/index.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { readArkFailure } from './failure.ts';
import { arkRoots } from './roots.ts';

type EmbeddingAdapter = OperationAdapter<'embedding', OpenAiSettings>;

function targetOf(call: Call) {
  const headers = { ...jsonHeaders(false), ...bearerHeaders(call) };
  return { url: `${arkRoots(call).openAi}/embeddings/multimodal`, headers };
}

/** The model behind an endpoint's id (`ep-…`) may be known by the caller's name for it. */
function seesImages(call: Call, requested: JsonValue | undefined): boolean {
  return [call.model, requested].some(
    (name) => typeof name === 'string' && name.includes('embedding-vision'),
  );
}

/** Texts, images and videos as Ark writes them: `[{type: "image_url", image_url: {url}}]`. */
function isArkInput(fields: BodyFields): boolean {
  const input = fields.get('input');
  return Array.isArray(input) && input.length > 0 && input.every((part) => isObject(part));
}

/** The one vector, in the list that callers look for it in. */
function inList(reply: JsonObject): JsonObject {
  return isObject(reply.data)
    ? { ...reply, data: [{ ...(reply.data as JsonObject), index: 0 }] }
    : reply;
}

/** Bodies with Ark's own parts are forwarded, whatever the model's name. */
const arkPassThrough: PassThrough<OpenAiSettings> = {
  format: 'openai-embeddings',
  target(fields, call) {
    if (!isArkInput(fields)) return undefined;
    const { url, headers } = targetOf(call);
    return { url: withClientQuery(url, call), headers };
  },
  rewrite: {
    framing: 'sse',
    create: () => ({ push: ({ data }) => `data: ${data}\n\n` }),
    reply: inList,
  },
};

function writeTexts(request: EmbeddingRequest, call: Call): UpstreamRequest {
  const { dimensions, encodingFormat: encoding_format } = request;
  const input = textInputs(request).map((text) => ({ type: 'text', text }));
  const body = {
    ...request.extra,
    ...compact({ model: call.model, input, dimensions, encoding_format }),
  };
  return { method: 'POST', ...targetOf(call), body };
}

function readReply(body: unknown): EmbeddingReply {
  return readEmbeddingReply(isObject(body) ? inList(body as JsonObject) : body);
}

/** `common`: that of text models. Texts for a multimodal model are requested one by one. */
export function withImages(common: EmbeddingAdapter): EmbeddingAdapter {
  const forwarded = (common.passThrough ?? []).map((entry): typeof entry => ({
    ...entry,
    target: (fields, call) =>
      seesImages(call, fields.get('model')) ? undefined : entry.target(fields, call),
  }));
  return {
    ...common,
    passThrough: [arkPassThrough, ...forwarded],
    async perform(request, call, effects) {
      const ask = (order: UpstreamRequest) => requestJson(effects, order, readArkFailure);
      if (!seesImages(call, request.model))
        return common.decode(await ask(common.encode(request, call)), call, request);
      return embedInBatches(request, 1, async (piece) =>
        readReply(await ask(writeTexts(piece, call))),
      );
    },
  };
}
