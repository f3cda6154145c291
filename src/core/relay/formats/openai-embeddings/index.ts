/** OpenAI embeddings. */

import type { EmbeddingReply, EmbeddingRequest } from '../../../canonical/calls.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { decodeTokens } from '../../../metering/decode-tokens.ts';
import { openAiFamily } from '../families/openai.ts';
import { callForward } from '../shared/call-forward.ts';
import { jsonReply } from '../shared/call-reply.ts';
import { type CallFormat, topLevelLimits } from '../shared/caller-format.ts';
import { countableField } from '../shared/countable-field.ts';
import { Fields, readModel } from '../shared/fields.ts';
import { toFloats } from '../shared/floats.ts';
import { measureInput } from '../shared/measure.ts';

const known: ReadonlySet<string> = new Set([
  'model',
  'input',
  'dimensions',
  'encoding_format',
  'user',
]);

function isTokenList(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((token) => typeof token === 'number')
  );
}

/** A text, texts, tokens, or lists of tokens. */
function readInput(fields: Fields): EmbeddingRequest['input'] {
  const input = fields.raw('input');
  if (input === undefined || input === '' || (Array.isArray(input) && input.length === 0))
    return fields.fail('input is empty');
  if (typeof input === 'string') return [input];
  if (isTokenList(input)) return [input];
  if (
    Array.isArray(input) &&
    input.every((item) => typeof item === 'string' || isTokenList(item))
  ) {
    return input as EmbeddingRequest['input'];
  }
  return fields.fail('input must be a string, a list of strings or a list of tokens');
}

/** Throws AppError('model_required' | 'invalid_embedding_request', {detail}). */
export function readEmbeddingRequest(body: JsonObject, addressed?: string): EmbeddingRequest {
  const fields = new Fields(body, 'invalid_embedding_request');
  const model = addressed ?? readModel(fields);
  const format = fields.text('encoding_format');
  if (format !== undefined && format !== 'float' && format !== 'base64')
    fields.fail('encoding_format must be float or base64');
  return {
    model,
    input: readInput(fields),
    dimensions: fields.count('dimensions'),
    encodingFormat: format as EmbeddingRequest['encodingFormat'],
    user: fields.text('user'),
    extra: fields.without(known),
  };
}

/**
 * The most tokens that are decoded: OpenAI takes no more in one request (OpenAI API reference,
 * Create embeddings).
 */
const mostTokens = 300_000;

/**
 * The request with its tokens also as texts, for vendors that take texts only
 * (docs/rules/formats.md#embedding-tokens). Throws AppError('invalid_embedding_request', {detail}).
 */
async function withTexts(request: EmbeddingRequest): Promise<EmbeddingRequest> {
  const tokens = request.input.reduce(
    (sum, item) => sum + (typeof item === 'string' ? 0 : item.length),
    0,
  );
  if (tokens === 0) return request;
  if (tokens > mostTokens)
    throw new AppError('invalid_embedding_request', {
      detail: `input has more than ${mostTokens} tokens`,
    });
  const texts = await decodeTokens(request.input, request.model);
  if (texts === undefined)
    throw new AppError('invalid_embedding_request', {
      detail: 'input holds a number that is no token',
    });
  return { ...request, texts };
}

/** Little-endian 32-bit floats, as several official clients ask for by default. */
function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [position, value] of vector.entries()) bytes.writeFloatLE(value, position * 4);
  return bytes.toString('base64');
}

/** Vectors in the encoding that the caller requested, whichever the upstream used. */
export function writeEmbeddingReply(
  reply: EmbeddingReply,
  request: EmbeddingRequest,
  model: string,
): JsonObject {
  const data = reply.embeddings.map((vector, index) => {
    const asBase64 = request.encodingFormat === 'base64';
    const encoded = asBase64 && typeof vector !== 'string' ? toBase64(vector) : vector;
    return { object: 'embedding', index, embedding: asBase64 ? encoded : toFloats(vector) };
  });
  const prompt = reply.usage?.promptTokens ?? 0;
  return { object: 'list', data, model, usage: { prompt_tokens: prompt, total_tokens: prompt } };
}

export const openAiEmbeddings: CallFormat<'embedding'> = {
  kind: 'call',
  name: 'openai-embeddings',
  family: openAiFamily,
  operation: 'embedding',
  routes: { paths: ['/v1/embeddings'], pattern: /^\/v1\/engines\/(.+)\/embeddings$/ },
  invalidRequest: 'invalid_request',
  // What is inside is for the upstream to judge: some take more than texts and tokens.
  check(body) {
    const kind = body.kind('input');
    if (kind === undefined || kind === 'null')
      throw new AppError('invalid_embedding_request', { detail: 'field input is required' });
    if (kind !== 'string' && kind !== 'array')
      throw new AppError('invalid_embedding_request', {
        detail: 'field input must be string or array',
      });
  },
  streams: () => false,
  ...topLevelLimits,
  promptFields: ['input'],
  countableInput: countableField('input'),
  measure: measureInput,
  forward: callForward({ answerField: 'data' }),
  readRequest: (body, { model }) => withTexts(readEmbeddingRequest(body.parse(), model)),
  writeReply: (reply, request, { model }) => jsonReply(writeEmbeddingReply(reply, request, model)),
};
