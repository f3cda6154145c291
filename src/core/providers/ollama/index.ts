/**
 * Type 4 (docs/rules/providers.md#ollama-interfaces). OpenAI chat bodies are forwarded to Ollama's
 * compatible interface. All others, and those with images that are not data URIs, are written for
 * its own interface, which supports more: thinking, context length.
 */

import type { ChatRequest } from '../../canonical/chat.ts';
import { getJson, namesIn } from '../../canonical/kit/account.ts';
import { type Loose, recordOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import { bareBase, jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { BodyFields, PassThrough } from '../../canonical/pass-through.ts';
import type {
  Call,
  Effects,
  OperationAdapter,
  Provider,
  UpstreamRequest,
} from '../../canonical/provider.ts';
import { z } from '../../kernel/zod.ts';
import { bearerHeaders, openaiCompatible } from '../openai-compatible/index.ts';
import { type OpenAiSettings, openAiSettings } from '../openai-compatible/settings.ts';
import { OllamaStreamDecoder, readOllamaReply } from './decode.ts';
import { embedding } from './embedding.ts';
import { writeOllamaChat, writeOllamaGenerate } from './encode-chat.ts';

interface OllamaSettings extends OpenAiSettings {
  readonly native_api?: boolean;
}

const settings = openAiSettings.extend({
  /**
   * Every chat and completion uses Ollama's own interface, where `param_override` reaches
   * `options`: by default the context length (`num_ctx`) is small.
   */
  native_api: z.boolean().optional(),
});

function usesNative({ settings: given }: Call<OllamaSettings>): boolean {
  return given?.native_api === true;
}

function isNoDataUri({ image_url: image }: Loose): boolean {
  const address = textOf(image) ?? textOf(recordOf(image)?.url);
  return address !== undefined && !address.startsWith('data:');
}

/**
 * Whether an image prevents forwarding: Ollama fetches none, and its compatible interface accepts
 * data URIs only.
 */
function rewritesImages(fields: BodyFields): boolean {
  if (fields.contains?.('"image_url"') !== true) return false;
  return recordsOf(fields.get('messages')).some(({ content }) =>
    recordsOf(content).some(isNoDataUri),
  );
}

const compatible = openaiCompatible({
  slug: 'ollama',
  channelTypes: [4],
  defaultBaseUrl: 'http://localhost:11434',
  keyFormat: { example: 'any text', optional: true },
  settings,
  models: ['llama3-7b', 'llama3.2', 'qwen3', 'gemma3', 'gpt-oss:20b', 'nomic-embed-text'],
  // The templates of its models know no role `developer`.
  developerRole: false,
  mustTranslate: (fields, call) => usesNative(call) || rewritesImages(fields),
});

/** Completions: what fills a gap in a text (`suffix`) is known to OpenAI's wire only. */
function limitPassThrough(entry: PassThrough<OpenAiSettings>): PassThrough<OpenAiSettings> {
  return {
    ...entry,
    target: (fields, call) =>
      usesNative(call) && !fields.get('suffix') ? undefined : entry.target(fields, call),
  };
}

function encode(request: ChatRequest, call: Call): UpstreamRequest {
  const completes = request.origin === 'openai-completions';
  return {
    method: 'POST',
    url: `${bareBase(call.baseUrl)}/api/${completes ? 'generate' : 'chat'}`,
    headers: { ...jsonHeaders(false), ...bearerHeaders(call) },
    body: completes
      ? writeOllamaGenerate(request, call.model)
      : writeOllamaChat(request, call.model),
  };
}

const chat: OperationAdapter<'chat', OpenAiSettings> = {
  passThrough: compatible.operations.chat?.passThrough,
  needsInlineImages: true,
  encode,
  decode: readOllamaReply,
  framing: 'ndjson',
  createStreamDecoder: () => new OllamaStreamDecoder(),
};

async function listModels(call: Call, effects: Effects): Promise<string[]> {
  const body = recordOf(
    await getJson(effects, `${bareBase(call.baseUrl)}/api/tags`, bearerHeaders(call)),
  );
  return namesIn(body?.models, 'name');
}

const completions = compatible.operations.completion?.passThrough ?? [];

export const ollama: Provider<OpenAiSettings> = {
  ...compatible,
  operations: { chat, completion: { passThrough: completions.map(limitPassThrough) }, embedding },
  account: { listModels },
};
