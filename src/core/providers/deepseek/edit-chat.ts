/** Differences of DeepSeek's chats from OpenAI's (docs/rules/providers.md#deepseek). */

import { listOf, recordOf } from '../../canonical/kit/read-json.ts';
import { bareBase } from '../../canonical/kit/request-target.ts';
import type { BodyFields, Call } from '../../canonical/provider.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { schemaAsInstructions } from '../openai-compatible/json-schema.ts';
import { dropFields, type EditFields } from '../openai-compatible/model-rules.ts';

/**
 * A final assistant message that is to be continued (`prefix`) is supported by the beta interface
 * only.
 */
export function chatAddress(fields: BodyFields, call: Call): string | undefined {
  if (fields.contains?.('"prefix"') !== true) return undefined;
  const last = recordOf(listOf(fields.get('messages')).at(-1));
  return last?.prefix === true ? `${bareBase(call.baseUrl)}/beta/chat/completions` : undefined;
}

export const editForDeepSeek: EditFields = (field, model) => {
  const dropped = model.includes('reasoner') ? dropFields(field, ['logprobs', 'top_logprobs']) : {};
  return {
    model,
    edits: { ...dropped, ...schemaAsInstructions(field, listOf(field('messages')) as JsonValue[]) },
  };
};
