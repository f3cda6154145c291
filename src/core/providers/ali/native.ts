/**
 * Chats by DashScope's own interface, an option of the channel
 * (docs/rules/providers.md#dashscope-native).
 */

import type { ChatRequest } from '../../canonical/chat.ts';
import type { StreamPart } from '../../canonical/chat-reply.ts';
import { parseEventData } from '../../canonical/kit/event-data.ts';
import { failureInside } from '../../canonical/kit/failure.ts';
import {
  type Loose,
  recordOf,
  recordsOf,
  replyObject,
  textOf,
} from '../../canonical/kit/read-json.ts';
import { usageFromOpenAi } from '../../canonical/kit/usage.ts';
import type { StreamDecoder, StreamEvent } from '../../canonical/pass-through.ts';
import type { Call, OperationAdapter } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { readChatReply } from '../openai-compatible/decode-chat.ts';
import { ChatStreamDecoder } from '../openai-compatible/decode-stream.ts';
import { writeChatBody } from '../openai-compatible/encode-chat.ts';
import { applyEdits } from '../openai-compatible/model-rules.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { editForAli, writeThinking } from './edit-chat.ts';
import { readAliFailure, refuseFailure } from './failure.ts';
import { postTo } from './request.ts';

/** What stays where it is; everything else in a body is a parameter. */
const outside: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'user',
  'reasoning_effort',
]);

function seesImages(model: string): boolean {
  return model.includes('-vl') || model.includes('qvq') || model.includes('vision');
}

/**
 * A message part for models that accept images. Throws AppError('unsupported_feature') for audio
 * and files.
 */
function writePart(part: JsonValue): JsonObject {
  const { text, image_url: image } = recordOf(part) ?? {};
  const address = textOf(recordOf(image)?.url);
  if (address !== undefined) return { image: address };
  if (typeof text !== 'string')
    throw new AppError('unsupported_feature', { detail: 'audio input and files' });
  return { text };
}

function writeParts(message: JsonValue): JsonValue {
  const { content, ...rest } = message as JsonObject;
  const parts: readonly JsonValue[] = Array.isArray(content)
    ? content
    : [{ type: 'text', text: content ?? '' }];
  return { ...rest, content: parts.map(writePart) };
}

/** Effort and user are not known there and left out. */
function writeBody(request: ChatRequest, call: Call<OpenAiSettings>): JsonObject {
  const given = call.model;
  const written = writeChatBody(request, given, {
    reasoning: false,
    developerRole: false,
  });
  const desired = applyEdits(written, writeThinking(request, given));
  const { model, edits } = editForAli((name) => desired[name], given, call);
  const body = applyEdits(desired, edits);
  const messages = Array.isArray(body.messages) ? (body.messages as readonly JsonValue[]) : [];
  return {
    model,
    input: { messages: seesImages(model) ? messages.map(writeParts) : messages },
    parameters: {
      ...Object.fromEntries(Object.entries(body).filter(([name]) => !outside.has(name))),
      result_format: 'message',
      // Else each event holds the whole text so far.
      ...(request.stream ? { incremental_output: true } : {}),
    },
  };
}

/** The text `null` is the finish reason of a choice that is not finished. */
function readFinish(choice: Loose): Loose {
  return choice.finish_reason === 'null' ? { ...choice, finish_reason: null } : choice;
}

/** A reply, or an event of a stream, in OpenAI's form; failures have that already. */
function inOpenAi(reply: Loose): Loose {
  const output = recordOf(reply.output);
  if (output === undefined) return reply;
  return {
    id: reply.request_id,
    choices: recordsOf(output.choices).map(readFinish),
    usage: reply.usage,
  };
}

const readError = (raw: unknown) => failureInside(raw, readAliFailure);

class NativeStreamDecoder implements StreamDecoder {
  readonly #chunks = new ChatStreamDecoder(usageFromOpenAi, readError);

  get ended(): number {
    return this.#chunks.ended;
  }

  push({ data }: StreamEvent): readonly StreamPart[] {
    return parseEventData(data).flatMap((value) =>
      this.#chunks.pushValue(isObject(value) ? inOpenAi(value) : value),
    );
  }

  end(): readonly StreamPart[] {
    return this.#chunks.end();
  }
}

export const nativeChat: OperationAdapter<'chat', OpenAiSettings> = {
  encode(request, call) {
    const body = writeBody(request, call);
    const family = seesImages(call.model) ? 'multimodal-generation' : 'text-generation';
    return postTo(`/api/v1/services/aigc/${family}/generation`, call, body, request.stream);
  },
  decode(body) {
    const root = replyObject(body);
    refuseFailure(root);
    return readChatReply(inOpenAi(root), usageFromOpenAi, readError);
  },
  framing: 'sse',
  createStreamDecoder: () => new NativeStreamDecoder(),
};
