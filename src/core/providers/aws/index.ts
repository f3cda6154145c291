/**
 * Type 33, Amazon Bedrock: Claude in its own format, everything else by Converse
 * (docs/rules/providers.md#bedrock-models).
 */

import type { ChatRequest } from '../../canonical/chat.ts';
import type { ChatReply } from '../../canonical/chat-reply.ts';
import { stripForeignSignatures } from '../../canonical/kit/foreign-signature.ts';
import { countOf, recordOf, replyObject, textOf } from '../../canonical/kit/read-json.ts';
import {
  fitToolNames,
  restoreNamesInReply,
  restoreNamesInStream,
} from '../../canonical/kit/tool-names.ts';
import type { PassThrough, StreamDecoder } from '../../canonical/pass-through.ts';
import type { Call, Provider, UpstreamRequest } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { z } from '../../kernel/zod.ts';
import {
  createClaudeDecoder,
  readClaudeReply,
  readTokenCount,
  writeClaudeBody,
} from '../anthropic/claude.ts';
import { editMessages } from '../anthropic/edit-messages.ts';
import { splitSuffix } from '../anthropic/model-rules.ts';
import { hasAddressSources } from '../anthropic/sources.ts';
import { readMessageReply } from '../anthropic-messages/decode-chat.ts';
import { MessageStreamDecoder } from '../anthropic-messages/decode-stream.ts';
import { applyEdits } from '../openai-compatible/model-rules.ts';
import { bedrockAddress, bedrockHeaders, regionOf } from './address.ts';
import { claudeEdits, takesInvokedTool, wireEdits } from './claude-body.ts';
import { authorizeRequest, keyExample } from './credentials.ts';
import { BedrockNativeStream, BedrockStreamDecoder } from './decode-stream.ts';
import { conversesByTool, writeConverseBody } from './encode-converse.ts';
import { readBedrockFailure } from './failure.ts';
import { isMantle, mantle } from './mantle.ts';
import { baseId, bedrockId, bedrockModels, generationName, isClaude } from './models.ts';
import { messageOfConverse } from './read-converse.ts';
import { titanEmbedding } from './titan.ts';

/** Names of functions in Converse. */
const toolNames = { limit: 64 };

/** The call as rules that look at Claude's names read it. */
function namedCall(call: Call): Call {
  return { ...call, model: generationName(call.model) };
}

function idOf(call: Call): string {
  return bedrockId(splitSuffix(call.model, call.options).model, regionOf(call));
}

/**
 * A native caller's body, changed where Bedrock differs; images by address need the translation.
 */
const passThrough: PassThrough<unknown> = {
  format: 'anthropic-messages',
  target(fields, call) {
    if (!isClaude(call.model) || hasAddressSources(fields)) return undefined;
    const requested = textOf(fields.get('model'));
    const stream = fields.get('stream') === true;
    const { edits } = editMessages(fields, namedCall(call));
    const current = {
      get: (name: string) => (Object.hasOwn(edits, name) ? edits[name] : fields.get(name)),
      contains: fields.contains?.bind(fields),
    };
    return {
      url: bedrockAddress(call, idOf(call), stream ? 'invoke-with-response-stream' : 'invoke'),
      headers: bedrockHeaders(stream),
      edits: { ...edits, ...claudeEdits(current, call, requested) },
      wireEdits: wireEdits(fields, call, requested),
      modelInUrl: true,
    };
  },
  rewrite: { framing: 'aws-event-stream', create: () => new BedrockNativeStream() },
};

function encodeClaude(request: ChatRequest, call: Call): UpstreamRequest {
  const body = writeClaudeBody(request, namedCall(call)) as Record<string, JsonValue>;
  return {
    method: 'POST',
    url: bedrockAddress(
      call,
      idOf(call),
      request.stream ? 'invoke-with-response-stream' : 'invoke',
    ),
    headers: bedrockHeaders(request.stream),
    body: applyEdits(body, claudeEdits({ get: (name) => body[name] }, call, request.model)),
  };
}

function encodeConverse(request: ChatRequest, call: Call): UpstreamRequest {
  const id = idOf(call);
  return {
    method: 'POST',
    url: bedrockAddress(call, id, request.stream ? 'converse-stream' : 'converse'),
    headers: bedrockHeaders(request.stream),
    body: writeConverseBody(fitToolNames(request, toolNames), id),
  };
}

function decode(body: unknown, call: Call, request: ChatRequest | undefined): ChatReply {
  if (isClaude(call.model)) return readClaudeReply(body, namedCall(call), request);
  const reply = readMessageReply(messageOfConverse(replyObject(body)), conversesByTool(request));
  return restoreNamesInReply(reply, request, toolNames);
}

function createDecoder(call: Call, request: ChatRequest | undefined): StreamDecoder {
  if (isClaude(call.model))
    return new BedrockStreamDecoder(createClaudeDecoder(namedCall(call), request));
  const decoder = new BedrockStreamDecoder(new MessageStreamDecoder(conversesByTool(request)));
  return restoreNamesInStream(decoder, request, toolNames);
}

/** A caller's messages body as it would be sent to the model, which is what is counted. */
function countedBody(body: JsonValue, call: Call): JsonObject {
  const { messages = [], ...rest } = (isObject(body) ? body : {}) as Record<string, JsonValue>;
  const given: JsonObject = { ...rest, messages: stripForeignSignatures(messages) ?? [] };
  const field = (name: string) => given[name];
  const written = applyEdits(given, claudeEdits({ get: field }, call, textOf(field('model'))));
  // A limit is demanded, and it has to be above the budget for thinking.
  return { max_tokens: (countOf(recordOf(written.thinking)?.budget_tokens) ?? 0) + 1, ...written };
}

export const aws: Provider = {
  slug: 'aws',
  serves: ['anthropic'],
  sharedSignatures: ['anthropic-messages'],
  channelTypes: [33],
  defaultBaseUrl: '',
  measuresUsage: true,
  keyFormat: { example: keyExample },
  settings: z.object({
    /** The makers' own wires, at another host: see `mantle.ts`. */
    use_mantle: z.boolean().optional(),
  }),
  models: bedrockModels,
  operations: {
    chat: {
      passThrough: [passThrough],
      needsInlineImages: true,
      takesTool: (tool, _request, call) => isClaude(call.model) && takesInvokedTool(tool),
      encode: (request, call) =>
        isClaude(call.model) ? encodeClaude(request, call) : encodeConverse(request, call),
      decode,
      framing: 'aws-event-stream',
      createStreamDecoder: createDecoder,
    },
    embedding: titanEmbedding,
    countTokens: {
      encode(body, call) {
        if (!isClaude(call.model))
          throw new AppError('unsupported_operation', { operation: 'count_tokens' });
        const invoked = Buffer.from(JSON.stringify(countedBody(body, call))).toString('base64');
        return {
          method: 'POST',
          url: bedrockAddress(call, baseId(idOf(call)), 'count-tokens'),
          headers: bedrockHeaders(false),
          body: { input: { invokeModel: { body: invoked } } },
        };
      },
      decode: (body) => readTokenCount({ input_tokens: recordOf(body)?.inputTokens }),
    },
  },
  authorize: (request, call, effects) => authorizeRequest(request, call.key, effects.now()),
  variants: [{ fits: isMantle, provider: mantle }],
  readFailure: readBedrockFailure,
};
