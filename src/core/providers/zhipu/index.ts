/**
 * Type 16 (docs/rules/providers.md#zhipu-choice): the old `chatglm_*` models use v3, with a signed
 * token; every other model of such a channel uses v4, like type 26.
 */
import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { Call, OperationAdapter, Provider } from '../../canonical/provider.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { zhipuToken } from './jwt.ts';
import { chatGlmModels } from './models.ts';
import { readV3Reply, V3StreamDecoder } from './v3-decode.ts';
import { writeV3Chat } from './v3-encode.ts';
import { zhipu4v } from './v4.ts';

export { zhipu4v } from './v4.ts';

type ChatAdapter = OperationAdapter<'chat', OpenAiSettings>;

function usesV3({ model }: Call): boolean {
  return model.toLowerCase().startsWith('chatglm');
}

const v3: ChatAdapter = {
  encode: (request, call) => ({
    method: 'POST',
    url: `${call.baseUrl}/api/paas/v3/model-api/${encodeURIComponent(call.model)}/${request.stream ? 'sse-invoke' : 'invoke'}`,
    headers: jsonHeaders(request.stream),
    body: writeV3Chat(request),
  }),
  decode: readV3Reply,
  framing: 'sse',
  createStreamDecoder: () => new V3StreamDecoder(),
};

/** One adapter or the other, by the model of the call. */
function byModel(v4: ChatAdapter): ChatAdapter {
  const adapterFor = (call: Call) => (usesV3(call) ? v3 : v4);
  return {
    passThrough: v4.passThrough?.map((entry) => ({
      ...entry,
      target: (fields, call) => (usesV3(call) ? undefined : entry.target(fields, call)),
    })),
    streamOnly: v4.streamOnly,
    encode: (request, call) => adapterFor(call).encode(request, call),
    decode: (body, call, request) => adapterFor(call).decode(body, call, request),
    framing: 'sse',
    createStreamDecoder: (call, request) =>
      adapterFor(call).createStreamDecoder?.(call, request) ?? new V3StreamDecoder(),
  };
}

const { chat } = zhipu4v.operations;

export const zhipu: Provider<OpenAiSettings> = {
  ...zhipu4v,
  slug: 'zhipu',
  // GLM has a type of its own.
  serves: [],
  channelTypes: [16],
  planNames: undefined,
  endUser: undefined,
  models: chatGlmModels,
  operations: { ...zhipu4v.operations, chat: chat === undefined ? undefined : byModel(chat) },
  async authorize(request, call, effects) {
    if (!usesV3(call)) return request;
    return {
      ...request,
      headers: { ...request.headers, authorization: await zhipuToken(call, effects) },
    };
  },
};
