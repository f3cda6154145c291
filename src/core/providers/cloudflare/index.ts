/** Type 39, Workers AI (docs/rules/providers.md#cloudflare). */

import { getJson, namesIn } from '../../canonical/kit/account.ts';
import { recordOf } from '../../canonical/kit/read-json.ts';
import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { PassThrough } from '../../canonical/pass-through.ts';
import type { Call, Effects, OperationAdapter, Provider } from '../../canonical/provider.ts';
import { bareModelName, factsOf } from '../../models/known-models.ts';
import { bearerHeaders, openaiCompatible } from '../openai-compatible/index.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { type CloudflareTask, runAddress, taskAddress } from './address.ts';
import { inOpenAi, replyInOpenAi } from './decode.ts';
import { writeCompletion } from './encode-completion.ts';
import { readCloudflareFailure } from './failure.ts';
import { cloudflareFields } from './fields.ts';
import { image } from './image.ts';
import { cloudflareModels } from './models.ts';
import { transcription } from './transcription.ts';

type ChatAdapter = OperationAdapter<'chat', OpenAiSettings>;

const common = openaiCompatible({
  slug: 'cloudflare',
  channelTypes: [39],
  defaultBaseUrl: 'https://api.cloudflare.com',
  keyFormat: { example: 'API token' },
  other: { label: cloudflareFields.other.label.en, required: true, pattern: /^[\w-]+$/ },
  models: cloudflareModels,
  without: ['completion'],
  also: ['responses'],
  chatServesAll: true,
  operations: { image, transcription },
  address: (task, call) => taskAddress(task as CloudflareTask, call),
  // Chunks of a stream have names of their own and begin without a role.
  mustTranslate: (fields) => fields.get('stream') === true,
  developerRole: false,
  readFailure: readCloudflareFailure,
});

/** Responses are known to OpenAI's open models only; others chat. */
function forOpenModels(entry: PassThrough<OpenAiSettings>): PassThrough<OpenAiSettings> {
  if (entry.format !== 'openai-responses') return entry;
  return {
    ...entry,
    target: (fields, call) =>
      factsOf(bareModelName(call.model)).vendor === 'openai'
        ? entry.target(fields, call)
        : undefined,
  };
}

/** Completions go to the model's own interface. */
function withCompletions(chat: ChatAdapter): ChatAdapter {
  const { createStreamDecoder } = chat;
  return {
    ...chat,
    passThrough: chat.passThrough?.map(forOpenModels),
    encode(request, call) {
      if (request.origin !== 'openai-completions') return chat.encode(request, call);
      const headers = { ...jsonHeaders(request.stream), ...bearerHeaders(call) };
      return { method: 'POST', url: runAddress(call), headers, body: writeCompletion(request) };
    },
    decode: (body, call, request) => chat.decode(replyInOpenAi(body), call, request),
    createStreamDecoder:
      createStreamDecoder && ((call, request) => inOpenAi(createStreamDecoder(call, request))),
  };
}

async function listModels(call: Call, effects: Effects): Promise<string[]> {
  const body = recordOf(await getJson(effects, taskAddress('models', call), bearerHeaders(call)));
  return namesIn(body?.result, 'name');
}

const { chat } = common.operations;

export const cloudflare: Provider<OpenAiSettings> = {
  ...common,
  operations: {
    ...common.operations,
    chat: chat === undefined ? undefined : withCompletions(chat),
  },
  account: { listModels },
};
