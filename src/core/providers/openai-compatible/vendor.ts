/** What can differ between servers of OpenAI's API. */

import type { ChatRequest } from '../../canonical/chat.ts';
import type { ProviderError } from '../../canonical/chat-reply.ts';
import { joinVersioned } from '../../canonical/kit/request-target.ts';
import type { BodyFields, PassThrough } from '../../canonical/pass-through.ts';
import type {
  AccountAdapter,
  Call,
  KeyFormat,
  Provider,
  UpstreamFailure,
} from '../../canonical/provider.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { z } from '../../kernel/zod.ts';
import type { ChannelType } from '../../vocabulary/channel-types.ts';
import type { MessageRules } from './encode-messages.ts';
import type { EditFields, FieldEdits } from './model-rules.ts';
import type { OpenAiSettings } from './settings.ts';

/** What every such server is assumed to offer unless `without` says otherwise. */
type CommonTask = 'chat' | 'completion' | 'embedding' | 'models';
/** What only some offer: listed in `also`. */
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

/** A rule that holds for all of a vendor's models, or depends on the model's name. */
type ByModel = boolean | ((model: string, call: Call<OpenAiSettings>) => boolean);

export interface OpenAiCompatible {
  readonly slug: string;
  readonly channelTypes: readonly ChannelType[];
  readonly defaultBaseUrl: string | null;
  /** As in Provider. */
  readonly measuresUsage?: boolean;
  readonly statesCost?: boolean;
  readonly endUser?: Provider['endUser'];
  readonly answerImages?: Provider['answerImages'];
  readonly ownNames?: Provider['ownNames'];
  readonly serves?: readonly string[];
  readonly models: readonly string[];
  readonly keyFormat?: KeyFormat;
  readonly other?: Provider['other'];
  /** Default: the fields of `setting` that all such channels know. */
  readonly settings?: z.ZodType<OpenAiSettings>;
  readonly completeUrl?: boolean;
  /** The vendor stores responses, and continues them by id. */
  readonly keepsResponses?: boolean;
  /** What the vendor does not offer. */
  readonly without?: readonly CommonTask[];
  /** What the vendor offers beyond chat, completions, embeddings and a model list. */
  readonly also?: readonly RareTask[];
  /** Operations with an interface of the vendor's own; they replace the common ones. */
  readonly operations?: Provider<OpenAiSettings>['operations'];
  /**
   * Full URL of a task; the caller's query is appended. Default: the base URL and OpenAI's path.
   */
  readonly address?: (task: OpenAiTask, call: Call<OpenAiSettings>, model: string) => string;
  /**
   * Credentials and further headers of every request. Default: Bearer, and the organization where
   * the channel has one.
   */
  readonly headers?: (call: Call<OpenAiSettings>, stream: boolean) => Record<string, string>;
  /** False: the vendor refuses `stream_options` (Mistral, Cohere, Perplexity). */
  readonly streamOptions?: ByModel;
  /**
   * Edits of a chat body by model. Default: OpenAI's own rules, which only touch OpenAI's model
   * names.
   */
  readonly edit?: EditFields;
  /** The same for the bodies of other tasks, forms included. */
  readonly edits?: Partial<Record<Exclude<OpenAiTask, 'chat'>, EditFields>>;
  /**
   * The upstream's name of the model where it differs from the one after the edits (Azure's
   * deployments).
   */
  readonly upstreamModel?: (model: string, call: Call<OpenAiSettings>) => string;
  /** Tasks that are always translated: the vendor's replies have another form. */
  readonly translated?: readonly Exclude<OpenAiTask, 'chat' | 'completion'>[];
  /**
   * Embeddings take texts only: bodies with tokens are translated
   * (docs/rules/formats.md#embedding-tokens).
   */
  readonly embedsTextOnly?: boolean;
  /**
   * For vendors with Responses: chat completions serve all models, also those that OpenAI serves by
   * Responses only.
   */
  readonly chatServesAll?: boolean;
  /**
   * Of such a vendor: models whose chats go by Responses all the same, unless the channel's
   * `use_responses` says otherwise.
   */
  readonly byResponses?: (model: string) => boolean;
  /** Each model searches the web for every answer, requested or not. */
  readonly alwaysSearches?: boolean;
  /** The only fields of a chat body that the vendor accepts: chats are always translated. */
  readonly chatFields?: ReadonlySet<string>;
  /** Whether this chat body cannot be forwarded and has to be translated. */
  readonly mustTranslate?: (fields: BodyFields, call: Call<OpenAiSettings>) => boolean;
  /** Where a forwarded chat body is sent, if not to the URL of chats. */
  readonly chatAddress?: (fields: BodyFields, call: Call<OpenAiSettings>) => string | undefined;
  /** Fields of the vendor's own in a translated request: thinking. */
  readonly extend?: (request: ChatRequest, model: string) => FieldEdits;
  /** The model accepts earlier thinking as `reasoning_content`. Default: never. */
  readonly takesReasoning?: ByModel;
  /**
   * Earlier thinking with its signatures, in `reasoning_details`; undefined: the model accepts
   * none. Default: none does.
   */
  readonly reasoningDetails?: (model: string) => MessageRules['reasoningDetails'];
  /** The model's server understands Anthropic's cache marks. Default: never. */
  readonly takesCacheControl?: ByModel;
  /** The server knows the role `developer`. Default: yes. */
  readonly developerRole?: ByModel;
  readonly needsInlineImages?: boolean;
  /** Models whose chats are always streamed. */
  readonly streamOnly?: (model: string) => boolean;
  readonly readUsage?: (raw: unknown) => Usage | undefined;
  /** How forwarded replies to chats and completions are corrected on their way. */
  readonly rewrite?: PassThrough<OpenAiSettings>['rewrite'];
  /** Further formats in which a chat body may be forwarded unchanged. */
  readonly passThrough?: readonly PassThrough<OpenAiSettings>[];
  /** The model list is there for every vendor, unless `without` names it. */
  readonly readBalance?: AccountAdapter<OpenAiSettings>['readBalance'];
  /**
   * Also reads chat errors behind status 200, with the status that the error itself names, else
   * 502.
   */
  readonly readFailure?: (failure: UpstreamFailure) => ProviderError;
}

export function byModel(
  rule: ByModel | undefined,
  otherwise: boolean,
  model: string,
  call: Call<OpenAiSettings>,
): boolean {
  return typeof rule === 'function' ? rule(model, call) : (rule ?? otherwise);
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

export function bearerHeaders(call: Call): Record<string, string> {
  const headers: Record<string, string> = {};
  if (!call.key.isEmpty) headers.authorization = `Bearer ${call.key.reveal()}`;
  if (call.organization !== undefined && call.organization !== '')
    headers['openai-organization'] = call.organization;
  return headers;
}

export function openAiAddress(task: OpenAiTask, call: Call, model = call.model): string {
  const address = joinVersioned(call.baseUrl, paths[task]);
  return task === 'realtime' ? `${address}?model=${encodeURIComponent(model)}` : address;
}
