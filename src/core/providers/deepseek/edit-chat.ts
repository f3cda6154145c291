/** Differences of DeepSeek's chats from OpenAI's (docs/rules/providers.md#deepseek). */

import { mapChanged } from '../../canonical/kit/map-changed.ts';
import { listOf, recordOf } from '../../canonical/kit/read-json.ts';
import { bareBase } from '../../canonical/kit/request-target.ts';
import type { BodyFields } from '../../canonical/pass-through.ts';
import type { Call } from '../../canonical/provider.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { factsOf } from '../../models/known-models.ts';
import { schemaAsInstructions } from '../openai-compatible/json-schema.ts';
import {
  dropFields,
  type EditFields,
  editEffort,
  type FieldEdits,
  type FieldReader,
} from '../openai-compatible/model-rules.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';

export interface DeepSeekSettings extends OpenAiSettings {
  readonly drop_reasoning_content?: boolean;
}

/**
 * A final assistant message that is to be continued (`prefix`) is supported by the beta interface
 * only.
 */
export function chatAddress(fields: BodyFields, call: Call): string | undefined {
  if (fields.contains?.('"prefix"') !== true) return undefined;
  const last = recordOf(listOf(fields.get('messages')).at(-1));
  return last?.prefix === true ? `${bareBase(call.baseUrl)}/beta/chat/completions` : undefined;
}

/**
 * The effort as the model takes it; `none` is its switch for thinking, which stays as the caller
 * set it.
 */
function editThinking(field: FieldReader, model: string): FieldEdits {
  const { reasoning_effort: fitted = field('reasoning_effort') } = editEffort(field, model);
  if (fitted !== 'none') return editEffort(field, model);
  return { reasoning_effort: undefined, thinking: field('thinking') ?? { type: 'disabled' } };
}

/** Answers without their thinking, which newer models refuse, with an empty one. */
function withThinking(
  messages: JsonValue | undefined,
  model: string,
  call: Call<DeepSeekSettings>,
): JsonValue | undefined {
  const needed = factsOf(model).takes?.thinking_returned === true;
  if (!needed || call.settings?.drop_reasoning_content === true) return undefined;
  return mapChanged(messages, (message) =>
    isObject(message) && message.role === 'assistant' && message.reasoning_content === undefined
      ? ({ ...message, reasoning_content: '' } as JsonObject)
      : message,
  );
}

export const editForDeepSeek: EditFields = (field, model, call) => {
  const given = field('messages');
  const inWords = schemaAsInstructions(field, listOf(given) as JsonValue[]);
  const messages = withThinking(inWords.messages ?? given, model, call);
  return {
    model,
    edits: {
      ...dropFields(field, factsOf(model).drops ?? []),
      ...editThinking(field, model),
      ...inWords,
      ...(messages === undefined ? {} : { messages }),
    },
  };
};
