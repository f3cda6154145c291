import { schemaInstructions } from '../../canonical/kit/json-instructions.ts';
import { recordOf } from '../../canonical/kit/read-json.ts';
import { isObject, type JsonValue } from '../../kernel/json.ts';
import type { FieldEdits, FieldReader } from './model-rules.ts';

/**
 * Of servers that know `json_object` only: a schema goes into the instructions. Nothing changes for
 * bodies without one.
 */
export function schemaAsInstructions(
  field: FieldReader,
  messages: readonly JsonValue[],
): FieldEdits {
  const format = field('response_format');
  if (!isObject(format) || format.type !== 'json_schema') return {};
  const schema = (recordOf(format.json_schema)?.schema ?? {}) as JsonValue;
  const note = { role: 'system', content: schemaInstructions(schema) };
  return { response_format: { type: 'json_object' }, messages: [note, ...messages] };
}
