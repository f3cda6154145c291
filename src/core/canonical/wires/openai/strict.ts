import type { ChatRequest, FunctionTool, ResponseFormat } from '../../chat.ts';
import { innerSchemas, propertiesOf } from '../../kit/inner-schemas.ts';
import { type Loose, listOf } from '../../kit/read-json.ts';

/**
 * OpenAI's rules for strict schemas: no object has other properties than those it names, and each
 * of these is required.
 */
function isClosed(schema: Loose): boolean {
  const names = Object.keys(propertiesOf(schema));
  const isObjectSchema = schema.type === 'object' || schema.properties !== undefined;
  const required = new Set(listOf(schema.required));
  if (
    isObjectSchema &&
    (schema.additionalProperties !== false || names.some((name) => !required.has(name)))
  )
    return false;
  return innerSchemas(schema).every(isClosed);
}

/**
 * `strict` as OpenAI takes it: Claude's callers may leave properties open, which it refuses in a
 * strict function.
 */
export function strictFor(
  { strict, parameters = {} }: FunctionTool,
  { origin }: Pick<ChatRequest, 'origin'>,
): boolean | undefined {
  if (strict !== true || origin !== 'anthropic-messages') return strict;
  return parameters.type === 'object' && isClosed(parameters) ? true : undefined;
}

/** The same for the schema of structured output. */
export function strictFormat(
  { strict, schema }: Extract<ResponseFormat, { type: 'json-schema' }>,
  { origin }: Pick<ChatRequest, 'origin'>,
): boolean | undefined {
  if (strict !== true || origin !== 'anthropic-messages') return strict;
  return isClosed(schema) ? true : undefined;
}
