import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';

/** Keywords that structured outputs refuse (docs/rules/providers.md#claude-schemas). */
const unsupported = new Set([
  '$schema',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'default',
]);

function cleanNamed(schemas: unknown): JsonObject {
  if (!isObject(schemas)) return {};
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, cleanSchema(schema)]),
  );
}

function cleanSchema(schema: unknown): JsonValue {
  if (!isObject(schema)) return (schema ?? {}) as JsonValue;
  const result: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (unsupported.has(key) || (key === 'minItems' && value !== 0 && value !== 1)) continue;
    if (key === 'properties' || key === '$defs' || key === 'definitions')
      result[key] = cleanNamed(value);
    else if (key === 'items') result[key] = cleanSchema(value);
    else if ((key === 'anyOf' || key === 'allOf' || key === 'oneOf') && Array.isArray(value)) {
      result[key === 'oneOf' ? 'anyOf' : key] = value.map(cleanSchema);
    } else if (key !== 'additionalProperties') result[key] = value as JsonValue;
  }
  if (schema.type === 'object' || schema.properties !== undefined)
    result.additionalProperties = false;
  return result;
}

/** A JSON schema as `output_config.format` takes it. */
export function outputSchema(schema: JsonObject): JsonObject {
  return cleanSchema(schema) as JsonObject;
}

/** A tool's `input_schema` has to be an object schema. */
export function inputSchema(parameters: JsonObject | undefined): JsonObject {
  if (parameters === undefined) return { type: 'object', properties: {} };
  if (parameters.type === 'object') return parameters;
  return { properties: {}, ...parameters, type: 'object' };
}
