/** Providers that speak OpenAI's wire: `openaiCompatible({slug, channelTypes, …})` is one of them (design, examples 3.3). */
import type { ChannelType } from '../../vocabulary/channel-types.ts';
import type { ChatRequest, ProviderError, Usage } from '../canonical.ts';
import { readFailure } from '../kit/failure.ts';
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
} from '../provider.ts';
import { listOpenAiModels } from './account.ts';
import { readChatReply } from './decode-chat.ts';
import { ChatStreamDecoder } from './decode-stream.ts';
import { readEmbeddingReply, writeEmbeddingBody } from './embedding.ts';
import { writeChatBody } from './encode-chat.ts';
import { applyEdits, type EditFields, editForOpenAi, editStreamOptions } from './model-rules.ts';
import { needsTranslation, type OpenAiSettings, openAiSettings } from './settings.ts';

export type OpenAiTask = 'chat' | 'completion' | 'embedding' | 'models';

export interface OpenAiCompatible {
  readonly slug: string;
  readonly channelTypes: readonly ChannelType[];
  readonly defaultBaseUrl: string | null;
  readonly models: readonly string[];
  readonly keyFormat?: KeyFormat;
  readonly other?: Provider['other'];
  readonly completeUrl?: boolean;
  /** What the vendor does not offer. */
  readonly without?: readonly OpenAiTask[];
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
  const without = new Set(vendor.without);

  function forward(task: 'chat' | 'completion' | 'embedding', fields: BodyFields, call: Call<OpenAiSettings>): Target {
    const field = (name: string) => fields.get(name);
    const stream = task !== 'embedding' && field('stream') === true;
    const { model, edits } = task === 'chat' ? edit(field, call.model) : { model: call.model, edits: {} };
    return {
      url: address(task, call, model) + (vendor.completeUrl === true ? '' : clientQuery(call)),
      headers: { ...jsonHeaders(stream), ...headers(call) },
      edits: task === 'embedding' ? edits : { ...edits, ...editStreamOptions(field, streamOptions) },
      model: model === call.model ? undefined : model,
    };
  }

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
    passThrough: [{ format: 'openai-embeddings', target: (fields, call) => forward('embedding', fields, call) }],
    encode: (request, call) => ({
      method: 'POST',
      url: address('embedding', call, call.model),
      headers: { ...jsonHeaders(false), ...headers(call) },
      body: writeEmbeddingBody(request, call.model),
    }),
    decode: readEmbeddingReply,
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
      completion: without.has('completion')
        ? undefined
        : { passThrough: [{ format: 'openai-completions', target: (fields, call) => forward('completion', fields, call) }] },
      embedding: without.has('embedding') ? undefined : embedding,
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
