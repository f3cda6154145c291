/**
 * What differs from OpenAI's wire in MiniMax's chats (docs/rules/providers.md#minimax-chat):
 * failures in `base_resp`, and streams whose last event is the whole answer once more, with the
 * only figures of usage that count.
 */

import { parseEventData } from '../../canonical/kit/event-data.ts';
import { countOf, type Loose, recordOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import { wrapDecoder } from '../../canonical/kit/wrapped-decoder.ts';
import type { PassThrough, StreamDecoder } from '../../canonical/pass-through.ts';
import type { OperationAdapter } from '../../canonical/provider.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import type { EditFields, FieldEdits, FieldReader } from '../openai-compatible/model-rules.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { reportFailure } from './failure.ts';

/** MiniMax refuses 0. */
const lowestTemperature = 0.01;

export function isAbab(model: string): boolean {
  return model.startsWith('abab');
}

/** Servers of the abab models require a tool's parameters as JSON text. */
function writeTools(field: FieldReader): FieldEdits {
  const tools = field('tools');
  if (!Array.isArray(tools)) return {};
  const written = (tools as readonly JsonValue[]).map((tool): JsonValue => {
    const target = recordOf(recordOf(tool)?.function);
    if (!isObject(target?.parameters)) return tool;
    return {
      ...(tool as JsonObject),
      function: { ...(target as JsonObject), parameters: JSON.stringify(target.parameters) },
    };
  });
  return { tools: written };
}

/** Temperatures lie above 0 and go up to 1; only what the caller sent is brought there. */
export function fitTemperature(field: FieldReader): FieldEdits {
  const temperature = field('temperature');
  if (typeof temperature !== 'number' || (temperature > 0 && temperature <= 1)) return {};
  return { temperature: temperature > 1 ? 1 : lowestTemperature };
}

export const editForMiniMax: EditFields = (field, model) => ({
  model,
  edits: { ...(isAbab(model) ? writeTools(field) : {}), ...fitTemperature(field) },
});

function speaks(delta: Loose): boolean {
  const texts = [delta.content, delta.reasoning_content];
  return texts.some((text) => textOf(text) !== undefined) || recordsOf(delta.tool_calls).length > 0;
}

/** Puts the chunks of one stream into OpenAI's form. */
class ChunkStream {
  #hasOutput = false;
  #finished = false;

  put(given: JsonObject): JsonObject {
    const chunk = reportFailure(given);
    if (chunk.error !== undefined || !Array.isArray(chunk.choices)) return chunk;
    const choices = recordsOf(chunk.choices).flatMap((choice) =>
      isObject(choice.delta) ? [this.#step(choice)] : this.#end(choice),
    );
    // Counts of zero stand in every chunk until the last.
    const reported = (countOf(recordOf(chunk.usage)?.total_tokens) ?? 0) > 0;
    const { usage, ...rest } = chunk;
    return {
      ...rest,
      object: 'chat.completion.chunk',
      choices,
      ...(reported && usage !== undefined ? { usage } : {}),
    };
  }

  #step(choice: Loose): JsonObject {
    const { role, ...rest } = recordOf(choice.delta) ?? {};
    const delta = textOf(role) === undefined ? rest : { role, ...rest };
    this.#hasOutput ||= speaks(delta);
    this.#finished ||= textOf(choice.finish_reason) !== undefined;
    return { ...choice, delta } as JsonObject;
  }

  /** The whole reply again, as `message`: ignored, unless nothing came before. */
  #end({ message, ...choice }: Loose): JsonObject[] {
    if (!this.#hasOutput) return [this.#step({ ...choice, delta: message })];
    return this.#finished ? [] : [this.#step({ ...choice, delta: {} })];
  }

  /** The JSON texts in an event's data, put right; `[DONE]` stays. */
  putData(data: string): string[] {
    if (data === '[DONE]') return [data];
    return parseEventData(data).map((value) =>
      JSON.stringify(isObject(value) ? this.put(value as JsonObject) : value),
    );
  }
}

/** Corrections of forwarded replies that callers would misread. */
export const rewriteChat: NonNullable<PassThrough<OpenAiSettings>['rewrite']> = {
  framing: 'sse',
  create() {
    const chunks = new ChunkStream();
    return {
      push: ({ data }) =>
        chunks
          .putData(data)
          .map((text) => `data: ${text}\n\n`)
          .join(''),
    };
  },
  reply: reportFailure,
};

function repairStream(decoder: StreamDecoder): StreamDecoder {
  const chunks = new ChunkStream();
  return wrapDecoder(decoder, {
    push: ({ event, data }) =>
      chunks.putData(data).flatMap((text) => decoder.push({ event, data: text })),
    end: () => decoder.end(),
  });
}

type ChatAdapter = OperationAdapter<'chat', OpenAiSettings>;

/** The same for replies that are read. */
export function withMiniMaxReplies(chat: ChatAdapter): ChatAdapter {
  const { createStreamDecoder } = chat;
  return {
    ...chat,
    decode: (body, call, request) =>
      chat.decode(isObject(body) ? reportFailure(body as JsonObject) : body, call, request),
    createStreamDecoder:
      createStreamDecoder && ((call, request) => repairStream(createStreamDecoder(call, request))),
  };
}
