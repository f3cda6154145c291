/** What can differ between servers that speak OpenAI's wire. */
import type { z } from 'zod';
import type { ChatRequest, ProviderError, Usage } from '../../canonical/chat.ts';
import { joinVersioned } from '../../canonical/kit/request-target.ts';
import type {
  AccountAdapter,
  BodyFields,
  Call,
  KeyFormat,
  PassThrough,
  Provider,
  UpstreamFailure,
} from '../../canonical/provider.ts';
import type { ChannelType } from '../../vocabulary/channel-types.ts';
import type { MessageRules } from './encode-messages.ts';
import type { EditFields, FieldEdits } from './model-rules.ts';
import type { OpenAiSettings } from './settings.ts';

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

/** A rule that holds for all of a vendor's models, or depends on the model's name. */
type ByModel = boolean | ((model: string, call: Call<OpenAiSettings>) => boolean);

export interface OpenAiCompatible {
  readonly slug: string;
  readonly channelTypes: readonly ChannelType[];
  readonly defaultBaseUrl: string | null;
  readonly models: readonly string[];
  readonly keyFormat?: KeyFormat;
  readonly other?: Provider['other'];
  /** Default: the fields of `setting` that all such channels know. */
  readonly settings?: z.ZodType<OpenAiSettings>;
  readonly completeUrl?: boolean;
  /** What the vendor does not offer. */
  readonly without?: readonly CommonTask[];
  /** What the vendor offers beyond chat, completions, embeddings and a model list. */
  readonly also?: readonly RareTask[];
  /** Operations in a form of the vendor's own; they take the place of the common ones. */
  readonly operations?: Provider<OpenAiSettings>['operations'];
  /** Full address of a task; the caller's query is put behind it. Default: the base and OpenAI's path. */
  readonly address?: (task: OpenAiTask, call: Call<OpenAiSettings>, model: string) => string;
  /** Credentials and what else each request carries. Default: Bearer, and the organization where the channel has one. */
  readonly headers?: (call: Call<OpenAiSettings>, stream: boolean) => Record<string, string>;
  /** False: the vendor refuses `stream_options` (Mistral, Cohere, Perplexity). */
  readonly streamOptions?: ByModel;
  /** Edits of a chat body by model. Default: OpenAI's own rules, which only touch OpenAI's model names. */
  readonly edit?: EditFields;
  /** The same for the bodies of other tasks, forms included. */
  readonly edits?: Partial<Record<Exclude<OpenAiTask, 'chat'>, EditFields>>;
  /** The model's name for the upstream where it is not the one the edits leave (Azure's deployments). */
  readonly upstreamModel?: (model: string, call: Call<OpenAiSettings>) => string;
  /** Tasks whose bodies are always read and written anew: the vendor has another form of the answer. */
  readonly translated?: readonly Exclude<OpenAiTask, 'chat' | 'completion'>[];
  /** Of a vendor with Responses: chat completions serve all models, also those that OpenAI serves by Responses alone. */
  readonly chatServesAll?: boolean;
  /** The only fields of a chat body the vendor takes: bodies are always read and written anew. */
  readonly chatFields?: ReadonlySet<string>;
  /** This chat body cannot travel as it is: it is read and written anew. */
  readonly mustTranslate?: (fields: BodyFields, call: Call<OpenAiSettings>) => boolean;
  /** Where a caller's own chat body belongs, if not at the address of chats. */
  readonly chatAddress?: (fields: BodyFields, call: Call<OpenAiSettings>) => string | undefined;
  /** What a translated request asks for in words of the vendor's own: thinking. */
  readonly extend?: (request: ChatRequest, model: string) => FieldEdits;
  /** The model takes earlier thinking back as `reasoning_content`. Default: never. */
  readonly takesReasoning?: ByModel;
  /** Earlier thinking with its proofs, in `reasoning_details`; undefined: the model takes none. Default: none does. */
  readonly reasoningDetails?: (model: string) => MessageRules['reasoningDetails'];
  /** The model's server understands Anthropic's cache marks. Default: never. */
  readonly takesCacheControl?: ByModel;
  /** The server knows the role `developer`. Default: yes. */
  readonly developerRole?: ByModel;
  readonly needsInlineImages?: boolean;
  /** Models of which chats always come as a stream. */
  readonly streamOnly?: (model: string) => boolean;
  readonly readUsage?: (raw: unknown) => Usage | undefined;
  /** How replies to chats and completions that travel as they are have to be put right before they go on. */
  readonly rewrite?: PassThrough<OpenAiSettings>['rewrite'];
  /** Further formats in which a chat body may travel unchanged. */
  readonly passThrough?: readonly PassThrough<OpenAiSettings>[];
  /** Beside the model list, which every one has unless `without` says otherwise. */
  readonly readBalance?: AccountAdapter<OpenAiSettings>['readBalance'];
  /** Also reads chat errors behind status 200; the status is then the one the error itself tells, else 502. */
  readonly readFailure?: (failure: UpstreamFailure) => ProviderError;
}

export function byModel(rule: ByModel | undefined, otherwise: boolean, model: string, call: Call<OpenAiSettings>): boolean {
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
  if (call.organization !== undefined && call.organization !== '') headers['openai-organization'] = call.organization;
  return headers;
}

export function openAiAddress(task: OpenAiTask, call: Call, model = call.model): string {
  const address = joinVersioned(call.baseUrl, paths[task]);
  return task === 'realtime' ? `${address}?model=${encodeURIComponent(model)}` : address;
}
