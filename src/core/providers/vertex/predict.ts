/** Embeddings and Imagen's pictures on Vertex, by `:predict` (spec, providers-international 3.15). */
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { EmbeddingRequest } from '../canonical.ts';
import { readGenerateReply } from '../gemini/decode-chat.ts';
import { geminiError } from '../gemini/decode-parts.ts';
import { chatForPicture, picturesOf } from '../gemini/draw.ts';
import { readGoogleFailure } from '../gemini/failure.ts';
import { isImagen, readImagenReply, writeImagenBody } from '../gemini/imagen.ts';
import { drawsImages } from '../gemini/model-rules.ts';
import { askEach, askJson, sumOfCounts } from '../kit/ask.ts';
import { ReplyFailure } from '../kit/failure.ts';
import { compact, countOf, listOf, recordOf, recordsOf, replyObject } from '../kit/read-json.ts';
import type { Effects, OperationAdapter, UpstreamRequest } from '../provider.ts';
import { modelAddress, placed, projectHeaders, type VertexCall } from './address.ts';
import { authorizeVertex } from './authorize.ts';
import { encodeGemini } from './gemini.ts';
import type { VertexSettings } from './settings.ts';

function predict(call: VertexCall, requested: string, body: JsonObject): UpstreamRequest {
  return {
    method: 'POST',
    url: modelAddress(placed(call, requested), 'google', call.model, 'predict'),
    headers: { 'content-type': 'application/json', ...projectHeaders(call) },
    body,
  };
}

/** Texts one request takes, and requests under way at once. */
function textsPerRequest(model: string): number {
  return model.startsWith('gemini-embedding') ? 1 : 250;
}
const concurrency = 8;

function writeInstances(request: EmbeddingRequest, call: VertexCall): UpstreamRequest {
  const { extra } = request;
  const instances = request.input.map((content) => {
    if (typeof content !== 'string') throw new AppError('unsupported_feature', { detail: 'input as tokens' });
    return compact({ content, task_type: extra.task_type, title: extra.title });
  });
  const given = compact({ outputDimensionality: request.dimensions, autoTruncate: extra.auto_truncate });
  const parameters = Object.keys(given).length > 0 ? given : undefined;
  return predict(call, request.model, compact({ instances, parameters }));
}

function readVectors(body: unknown): { readonly embeddings: number[][]; readonly tokens: number | undefined } {
  const reply = replyObject(body);
  if (reply.error !== undefined) throw new ReplyFailure(geminiError(reply));
  const found = recordsOf(recordsOf(reply.predictions).map(({ embeddings }) => embeddings));
  if (found.length === 0) throw new AppError('bad_response_body', { detail: 'the reply has no embeddings' });
  return {
    embeddings: found.map(({ values }) => listOf(values) as number[]),
    tokens: sumOfCounts(found.map(({ statistics }) => countOf(recordOf(statistics)?.token_count))),
  };
}

function usageOf(promptTokens: number | undefined) {
  return promptTokens === undefined ? undefined : { promptTokens };
}

async function ask(request: EmbeddingRequest, call: VertexCall, effects: Effects) {
  const authorized = await authorizeVertex(writeInstances(request, call), call, effects);
  return readVectors(await askJson(effects, authorized, readGoogleFailure));
}

export const vertexEmbedding: OperationAdapter<'embedding', VertexSettings> = {
  async perform(request, call, effects) {
    const size = textsPerRequest(call.model);
    const batches = Array.from({ length: Math.ceil(request.input.length / size) }, (_, at) => ({
      ...request,
      input: request.input.slice(at * size, (at + 1) * size),
    }));
    const answers = await askEach(batches, concurrency, (batch) => ask(batch, call, effects));
    return {
      embeddings: answers.flatMap(({ embeddings }) => embeddings),
      usage: usageOf(sumOfCounts(answers.map(({ tokens }) => tokens))),
    };
  },
  encode: writeInstances,
  decode(body) {
    const { embeddings, tokens } = readVectors(body);
    return { embeddings, usage: usageOf(tokens) };
  },
};

/** Imagen by `:predict`, Gemini's image models by a chat. Throws AppError('unsupported_feature') for other models. */
export const vertexImage: OperationAdapter<'image', VertexSettings> = {
  encode(request, call) {
    if (isImagen(call.model)) return predict(call, request.model, writeImagenBody(request));
    if (!drawsImages(call.model)) throw new AppError('unsupported_feature', { detail: `pictures (${call.model})` });
    return encodeGemini(chatForPicture(request, call.model), call);
  },
  decode: (body, call) => (isImagen(call.model) ? readImagenReply(body) : picturesOf(readGenerateReply(body, ''))),
};
