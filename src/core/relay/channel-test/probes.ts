/**
 * The requests of channel tests: the cheapest of each kind, as a caller would write it
 * (docs/rules/routing.md#test-endpoints).
 */
import { type FormEntry, writeMultipart } from '../../canonical/kit/multipart.ts';
import { wavFile } from '../../canonical/kit/wav.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { bareModelName, factsOf } from '../../models/known-models.ts';
import { kindOfModel } from '../../models/model-type.ts';
import type { EndpointType } from '../../vocabulary/endpoint-types.ts';
import { readBody } from '../body/body-fields.ts';
import { readForm } from '../body/form-body.ts';
import type { RequestBody } from '../body/request-body.ts';

const sampleRate = 16_000;
/** Seconds; some upstreams refuse shorter audio. */
const duration = 0.5;

/** A WAV file of silence. */
function silentAudio(): Uint8Array {
  return wavFile(new Uint8Array(sampleRate * duration * 2), sampleRate);
}

interface Probe {
  readonly path: (model: string, stream: boolean) => string;
  readonly body: (model: string, stream: boolean) => JsonObject | readonly FormEntry[];
  /** A stream can be requested. */
  readonly streams?: true;
}

const small = '256x256';

const at = (path: string) => () => path;
const hello = [{ role: 'user', content: 'hi' }];

/**
 * The fewest output tokens with which models of each vendor answer; undefined: their own default.
 */
function outputLimit(model: string): number | undefined {
  const name = model.toLowerCase();
  if (name.includes('thinking')) return name.includes('claude') ? undefined : 50;
  return name.includes('gemini') ? 3000 : 16;
}

function limited(name: string, model: string): JsonObject {
  const limit = outputLimit(model);
  return limit === undefined ? {} : { [name]: limit };
}

const streaming = (stream: boolean): JsonObject => (stream ? { stream } : {});

export const probes: Readonly<Record<EndpointType, Probe>> = {
  openai: {
    path: at('/v1/chat/completions'),
    body: (model, stream) => ({
      model,
      messages: hello,
      ...limited('max_tokens', model),
      ...streaming(stream),
    }),
    streams: true,
  },
  'openai-response': {
    path: at('/v1/responses'),
    body: (model, stream) => ({
      model,
      input: hello,
      ...limited('max_output_tokens', model),
      ...streaming(stream),
    }),
    streams: true,
  },
  'openai-response-compact': {
    path: at('/v1/responses/compact'),
    body: (model) => ({ model, input: hello }),
  },
  anthropic: {
    path: at('/v1/messages'),
    body: (model, stream) => ({
      model,
      messages: hello,
      ...limited('max_tokens', model),
      ...streaming(stream),
    }),
    streams: true,
  },
  gemini: {
    path: (model, stream) =>
      `/v1beta/models/${encodeURIComponent(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: (model) => ({
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      generationConfig: limited('maxOutputTokens', model),
    }),
    streams: true,
  },
  completions: {
    path: at('/v1/completions'),
    body: (model, stream) => ({
      model,
      prompt: 'hi',
      ...limited('max_tokens', model),
      ...streaming(stream),
    }),
    streams: true,
  },
  embeddings: { path: at('/v1/embeddings'), body: (model) => ({ model, input: ['hello world'] }) },
  'jina-rerank': {
    path: at('/v1/rerank'),
    body: (model) => ({ model, query: 'hi', documents: ['hello', 'world'] }),
  },
  'image-generation': {
    path: at('/v1/images/generations'),
    body: (model) => ({
      model,
      prompt: 'a dot',
      n: 1,
      // The cheapest, where a model has it.
      ...(factsOf(model).images?.sizes.includes(small) === true ? { size: small } : {}),
    }),
  },
  speech: {
    path: at('/v1/audio/speech'),
    body: (model) => ({ model, input: 'hi', voice: 'alloy' }),
  },
  transcription: {
    path: at('/v1/audio/transcriptions'),
    body: (model) => [
      ['model', model],
      ['file', { filename: 'silence.wav', mediaType: 'audio/wav', bytes: silentAudio() }],
    ],
  },
  moderation: { path: at('/v1/moderations'), body: (model) => ({ model, input: 'hi' }) },
};

/** The kind of request for what a model is called for; of others a chat. */
const endpointsByKind: Partial<Record<ReturnType<typeof kindOfModel>, EndpointType>> = {
  rerank: 'jina-rerank',
  embedding: 'embeddings',
  moderation: 'moderation',
  transcription: 'transcription',
  speech: 'speech',
  image: 'image-generation',
  completion: 'completions',
};

/**
 * In the order in which they are tried: the first that the channel's provider can serve is sent.
 * Models that are only served by WebSocket have none; those that answer with images beside text chat.
 */
export function endpointsFor(model: string): readonly EndpointType[] {
  const kind = kindOfModel(model);
  if (kind === 'realtime') return [];
  const chats = factsOf(bareModelName(model)).writes?.includes('text') === true;
  const named = chats ? undefined : endpointsByKind[kind];
  return [
    ...(named === undefined ? [] : [named]),
    'openai',
    'embeddings',
    'jina-rerank',
    'image-generation',
    'speech',
    'transcription',
    'moderation',
  ];
}

/** The probe's body as the relay would have read it from a caller. */
export async function probeBody(
  endpoint: EndpointType,
  model: string,
  stream: boolean,
): Promise<RequestBody> {
  const content = probes[endpoint].body(model, stream);
  if (!Array.isArray(content)) return readBody(Buffer.from(JSON.stringify(content))) as RequestBody;
  const form = writeMultipart(content as readonly FormEntry[]);
  return readForm(form.bytes, form.contentType);
}
