/** What DeepSeek wants otherwise in a chat body (spec, providers-international 3.17). */
import { isObject, type JsonValue } from '../../kernel/json.ts';
import { listOf, recordOf } from '../kit/read-json.ts';
import { bareBase } from '../kit/request-target.ts';
import { dropFields, type EditFields, type FieldEdits, type FieldReader } from '../openai-compatible/model-rules.ts';
import type { BodyFields, Call } from '../provider.ts';

/** An answer at the end that is to be continued (`prefix`) is known to the beta interface only. */
export function chatAddress(fields: BodyFields, call: Call): string | undefined {
  if (fields.contains?.('"prefix"') !== true) return undefined;
  const last = recordOf(listOf(fields.get('messages')).at(-1));
  return last?.prefix === true ? `${bareBase(call.baseUrl)}/beta/chat/completions` : undefined;
}

/** DeepSeek knows `json_object` only, and wants the word JSON in the prompt: a schema goes there as text. */
function writeSchema(field: FieldReader): FieldEdits {
  const format = field('response_format');
  if (!isObject(format) || format.type !== 'json_schema') return {};
  const schema = recordOf(format.json_schema)?.schema ?? {};
  const note = { role: 'system', content: `Answer with JSON that follows this JSON schema:\n${JSON.stringify(schema)}` };
  return { response_format: { type: 'json_object' }, messages: [note, ...(listOf(field('messages')) as JsonValue[])] };
}

export const editForDeepSeek: EditFields = (field, model) => {
  const dropped = model.includes('reasoner') ? dropFields(field, ['logprobs', 'top_logprobs']) : {};
  return { model, edits: { ...dropped, ...writeSchema(field) } };
};
