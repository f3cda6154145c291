/** Providers that speak OpenAI's wire: `openaiCompatible({slug, channelTypes, …})` is one of them (design, examples 3.3). */
import type { JsonObject } from '../../kernel/json.ts';
import type { ChannelType } from '../../vocabulary/channel-types.ts';
import type { WireFormat } from '../../vocabulary/wire-formats.ts';
import type { ChatRequest, ProviderError, Usage } from '../canonical.ts';
import { readFailure } from '../kit/failure.ts';
import type { writeMultipart } from '../kit/multipart.ts';
import { clientQuery, joinVersioned, jsonHeaders } from '../kit/request-target.ts';
import { thinkingIntoReply, thinkingIntoStream } from '../kit/thinking-to-content.ts';
import { fitToolNames, restoreNamesInReply, restoreNamesInStream } from '../kit/tool-names.ts';
import { usageFromOpenAi } from '../kit/usage.ts';
import type {
  AccountAdapter,
  BodyFields,
  Call,
  KeyFormat,
  OperationAdapter,
  PassThrough,
  Provider,
  Target,
  UpstreamFailure,
  UpstreamRequest,
} from '../provider.ts';
import { listOpenAiModels } from './account.ts';
import { readSpeechReply, readTranscriptionReply, writeSpeechBody, writeTranscriptionBody } from './audio.ts';
import { readChatReply } from './decode-chat.ts';
import { ChatStreamDecoder } from './decode-stream.ts';
import { readEmbeddingReply, writeEmbeddingBody } from './embedding.ts';
import { writeChatBody } from './encode-chat.ts';
import { readImageReply, writeImageBody, writeImageEditBody } from './image.ts';
import { applyEdits, type EditFields, editForOpenAi, editStreamOptions } from './model-rules.ts';
import { readRerankReply, writeRerankBody } from './rerank.ts';
import { needsTranslation, type OpenAiSettings, openAiSettings } from './settings.ts';

/** What every such server is taken to offer unless `without` says otherwise. */
type CommonTask = 'chat' | 'completion' | 'embedding' | 'models';
/** What few offer besides: named in `also`. */
type RareTask =
  | 'image'
  | 'image-edit'
  | 'speech'
  | 'transcription'
  | 'translation'
  | 'moderation'
  | 'rerank'
  | 'responses'
  | 'responses-compact'
  | 'realtime';
export type OpenAiTask = CommonTask | RareTask;

export interface OpenAiCompatible {
  readonly slug: string;
  readonly channelTypes: readonly ChannelType[];
  readonly defaultBaseUrl: string | null;
  readonly models: readonly string[];
  readonly keyFormat?: KeyFormat;
  readonly other?: Provider['other'];
  readonly completeUrl?: boolean;
  /** What the vendor does not offer. */
  readonly without?: readonly CommonTask[];
  /** What the vendor offers beyond chat, completions, embeddings and a model list. */
  readonly also?: readonly RareTask[];
  /** Full address of a task, without the caller's query. Default: the base and OpenAI's path. */
  readonly address?: (task: OpenAiTask, call: Call<OpenAiSettings>, model: string) => string;
  /** Credentials and what else each request carries. Default: Bearer, and the organization where the channel has one. */
  readonly headers?: (call: Call<OpenAiSettings>) => Record<string, string>;
  /** False: the vendor refuses `stream_options` (Mistral, Cohere, Perplexity). */
  readonly streamOptions?: boolean;
  /** Edits of the body by model. Default: OpenAI's own rules, which only touch OpenAI's model names. */
  readonly edit?: EditFields;
  /** The model takes earlier thinking back as `reasoning_content`. Default: never. */
  readonly takesReasoning?: (model: string) => boolean;
  /** The model's server understands Anthropic's cache marks. Default: never. */
  readonly takesCacheControl?: (model: string) => boolean;
  /** The server knows the role `developer`. Default: yes. */
  readonly developerRole?: boolean;
  readonly needsInlineImages?: boolean;
  readonly readUsage?: (raw: unknown) => Usage | undefined;
  /** Further formats in which a chat body may travel unchanged. */
  readonly passThrough?: readonly PassThrough<OpenAiSettings>[];
  /** Beside the model list, which every one has unless `without` says otherwise. */
  readonly readBalance?: AccountAdapter<OpenAiSettings>['readBalance'];
  readonly readFailure?: (failure: UpstreamFailure) => ProviderError;
}

const paths: Readonly<Record<OpenAiTask, string>> = {
  chat: '/v1/chat/completions',
  completion: '/v1/completions',
  embedding: '/v1/embeddings',
  models: '/v1/models',
  image: '/v1/images/generations',
  'image-edit': '/v1/images/edits',
  speech: '/v1/audio/speech',
  transcription: '/v1/audio/transcriptions',
  translation: '/v1/audio/translations',
  moderation: '/v1/moderations',
  rerank: '/v1/rerank',
  responses: '/v1/responses',
  'responses-compact': '/v1/responses/compact',
  realtime: '/v1/realtime',
};

/** Characters a function's name may have. */
const maxToolName = 64;

export function bearerHeaders(call: Call): Record<string, string> {
  const headers: Record<string, string> = {};
  if (!call.key.isEmpty) headers.authorization = `Bearer ${call.key.reveal()}`;
  if (call.organization !== undefined && call.organization !== '') headers['openai-organization'] = call.organization;
  return headers;
}

export function openAiAddress(task: OpenAiTask, call: Call): string {
  return joinVersioned(call.baseUrl, paths[task]);
}

export function openaiCompatible(vendor: OpenAiCompatible): Provider<OpenAiSettings> {
  const address = vendor.address ?? openAiAddress;
  const headers = vendor.headers ?? bearerHeaders;
  const readUsage = vendor.readUsage ?? usageFromOpenAi;
  const edit = vendor.edit ?? editForOpenAi;
  const streamOptions = vendor.streamOptions ?? true;
  const without = new Set<OpenAiTask>(vendor.without);
  const also = new Set<OpenAiTask>(vendor.also);

  function forward(task: OpenAiTask, fields: BodyFields, call: Call<OpenAiSettings>): Target {
    const field = (name: string) => fields.get(name);
    const streams = task === 'chat' || task === 'completion';
    const stream = task !== 'embedding' && field('stream') === true;
    const { model, edits } = task === 'chat' ? edit(field, call.model) : { model: call.model, edits: {} };
    return {
      url: address(task, call, model) + (vendor.completeUrl === true ? '' : clientQuery(call)),
      headers: { ...jsonHeaders(stream), ...headers(call) },
      edits: streams ? { ...edits, ...editStreamOptions(field, streamOptions) } : edits,
      model: model === call.model ? undefined : model,
    };
  }

  const travels = (format: WireFormat, task: OpenAiTask): PassThrough<OpenAiSettings> => ({
    format,
    target: (fields, call) => forward(task, fields, call),
  });

  /** A JSON request to a task's address. */
  const post = (task: OpenAiTask, call: Call<OpenAiSettings>, body: JsonObject): UpstreamRequest => ({
    method: 'POST',
    url: address(task, call, call.model),
    headers: { ...jsonHeaders(false), ...headers(call) },
    body,
  });

  /** A form to a task's address. */
  const postForm = (task: OpenAiTask, call: Call<OpenAiSettings>, form: ReturnType<typeof writeMultipart>): UpstreamRequest => ({
    method: 'POST',
    url: address(task, call, call.model),
    headers: { ...jsonHeaders(false), 'content-type': form.contentType, ...headers(call) },
    body: form.bytes,
  });

  function encodeChat(given: ChatRequest, call: Call<OpenAiSettings>) {
    const request = fitToolNames(given, maxToolName);
    const body = writeChatBody(request, call.model, {
      reasoning: vendor.takesReasoning?.(call.model) ?? false,
      cacheControl: vendor.takesCacheControl?.(call.model) ?? false,
      developerRole: vendor.developerRole ?? true,
    });
    const field = (name: string) => body[name];
    const { model, edits } = edit(field, call.model);
    return {
      method: 'POST',
      url: address('chat', call, model),
      headers: { ...jsonHeaders(request.stream), ...headers(call) },
      body: { ...applyEdits(body, { ...edits, ...editStreamOptions(field, streamOptions) }), model },
    } as const;
  }

  const chat: OperationAdapter<'chat', OpenAiSettings> = {
    passThrough: [
      {
        format: 'openai-chat',
        target: (fields, call) => (needsTranslation(call.settings) ? undefined : forward('chat', fields, call)),
      },
      ...(also.has('responses') ? [travels('openai-responses', 'responses')] : []),
      ...(also.has('responses-compact') ? [travels('openai-responses-compact', 'responses-compact')] : []),
      ...(vendor.passThrough ?? []),
    ],
    needsInlineImages: vendor.needsInlineImages,
    encode: encodeChat,
    decode(body, call, request) {
      const reply = restoreNamesInReply(readChatReply(body, readUsage), request, maxToolName);
      return call.settings?.thinking_to_content === true ? thinkingIntoReply(reply) : reply;
    },
    framing: 'sse',
    createStreamDecoder(call, request) {
      const decoder = restoreNamesInStream(new ChatStreamDecoder(readUsage), request, maxToolName);
      return call.settings?.thinking_to_content === true ? thinkingIntoStream(decoder) : decoder;
    },
  };

  const embedding: OperationAdapter<'embedding', OpenAiSettings> = {
    passThrough: [travels('openai-embeddings', 'embedding')],
    encode: (request, call) => post('embedding', call, writeEmbeddingBody(request, call.model)),
    decode: readEmbeddingReply,
  };

  const audio = <T extends 'transcription' | 'translation'>(
    task: T,
    format: WireFormat,
  ): OperationAdapter<T, OpenAiSettings> => ({
    passThrough: [travels(format, task)],
    encode: (request, call) => postForm(task, call, writeTranscriptionBody(request, call.model)),
    decode: readTranscriptionReply,
  });

  const rare: Provider<OpenAiSettings>['operations'] = {
    moderation: { passThrough: [travels('openai-moderations', 'moderation')] },
    image: {
      passThrough: [travels('openai-images', 'image')],
      encode: (request, call) => post('image', call, writeImageBody(request, call.model)),
      decode: readImageReply,
    },
    'image-edit': {
      passThrough: [travels('openai-image-edits', 'image-edit')],
      encode: (request, call) => postForm('image-edit', call, writeImageEditBody(request, call.model)),
      decode: readImageReply,
    },
    speech: {
      passThrough: [travels('openai-speech', 'speech')],
      replyType: 'bytes',
      encode: (request, call) => post('speech', call, writeSpeechBody(request, call.model)),
      decode: readSpeechReply,
    },
    transcription: audio('transcription', 'openai-transcriptions'),
    translation: audio('translation', 'openai-translations'),
    rerank: {
      passThrough: [travels('jina-rerank', 'rerank')],
      encode: (request, call) => post('rerank', call, writeRerankBody(request, call.model)),
      decode: readRerankReply,
    },
    realtime: {
      target: (call) => ({
        url: `${address('realtime', call, call.model).replace(/^http/, 'ws')}?model=${encodeURIComponent(call.model)}`,
        headers: { 'openai-beta': 'realtime=v1', ...headers(call) },
      }),
    },
  };

  return {
    slug: vendor.slug,
    channelTypes: vendor.channelTypes,
    defaultBaseUrl: vendor.defaultBaseUrl,
    completeUrl: vendor.completeUrl,
    keyFormat: vendor.keyFormat ?? { example: 'sk-…' },
    settings: openAiSettings,
    other: vendor.other,
    models: vendor.models,
    operations: {
      chat: without.has('chat') ? undefined : chat,
      completion: without.has('completion') ? undefined : { passThrough: [travels('openai-completions', 'completion')] },
      embedding: without.has('embedding') ? undefined : embedding,
      ...Object.fromEntries(Object.entries(rare).filter(([task]) => also.has(task as OpenAiTask))),
    },
    account: {
      listModels: without.has('models')
        ? undefined
        : (call, effects) => listOpenAiModels(address('models', call, call.model), headers(call), effects),
      readBalance: vendor.readBalance,
    },
    readFailure: vendor.readFailure ?? readFailure,
  };
}
