/**
 * Schemas of tools as Kimi takes them (docs/rules/providers.md#moonshot-schemas): it refuses some that
 * are valid elsewhere, and with them the whole request.
 */
import { mapChanged } from '../../canonical/kit/map-changed.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';

const combinators = ['anyOf', 'oneOf', 'allOf'] as const;
/** Members that hold schemas by name, and those that hold one or a list of them. */
const named = ['properties', '$defs', 'definitions', 'patternProperties'] as const;
const single = ['items', 'additionalProperties', 'not', 'if', 'then', 'else'] as const;

/** No schema of use is deeper; deeper ones are sent as they came. */
const mostLevels = 60;

function mapMembers(node: JsonObject, write: (schema: JsonValue) => JsonValue): JsonObject {
  let written = node;
  const set = (name: string, value: JsonValue | undefined) => {
    if (value !== undefined && value !== written[name]) written = { ...written, [name]: value };
  };
  for (const name of single) if (isObject(node[name])) set(name, write(node[name] as JsonValue));
  for (const name of [...combinators, 'prefixItems', 'items'])
    set(name, mapChanged(node[name], write));
  for (const name of named) {
    const schemas = node[name];
    if (!isObject(schemas)) continue;
    const entries = Object.entries(schemas as JsonObject);
    const mapped = entries.map(([key, schema]) => [key, write(schema)] as const);
    if (mapped.some(([key, schema]) => schema !== schemas[key]))
      set(name, Object.fromEntries(mapped));
  }
  return written;
}

/** A type beside alternatives is that of each alternative; a tuple is a list of first items. */
function fitNode(value: JsonValue, level: number): JsonValue {
  if (!isObject(value) || level > mostLevels) return value;
  const node = mapMembers(value as JsonObject, (schema) => fitNode(schema, level + 1));
  const { items, ...listed } = node;
  const fitted: JsonObject = Array.isArray(items)
    ? { ...listed, prefixItems: items as JsonValue }
    : node;
  const used = combinators.filter((name) => Array.isArray(fitted[name]));
  if (fitted.type === undefined || used.length === 0) return fitted;
  const { type, ...rest } = fitted;
  const typed = (schema: JsonValue): JsonValue =>
    isObject(schema) && schema.type === undefined && !('$ref' in schema)
      ? ({ type, ...schema } as JsonValue)
      : schema;
  const lists = used.map((name) => [name, (rest[name] as readonly JsonValue[]).map(typed)]);
  return { ...rest, ...Object.fromEntries(lists) };
}

/**
 * The root is an object, without alternatives: what they describe are properties that may be given.
 */
function fitRoot(root: JsonObject): JsonObject {
  const used = combinators.filter((name) => Array.isArray(root[name]));
  if (used.length === 0) return fitNode(root, 0) as JsonObject;
  const rest: Record<string, JsonValue> = { ...root, type: 'object' };
  for (const name of used) delete rest[name];
  const properties: Record<string, JsonValue> = {};
  for (const schema of used.flatMap((name) => root[name] as readonly JsonValue[]))
    if (isObject(schema) && isObject(schema.properties))
      Object.assign(properties, schema.properties);
  Object.assign(properties, root.properties);
  return fitNode({ ...rest, properties }, 0) as JsonObject;
}

function fitTool(tool: JsonValue, place: 'function' | 'input_schema'): JsonValue {
  if (!isObject(tool)) return tool;
  const holder = place === 'function' ? tool.function : tool;
  const field = place === 'function' ? 'parameters' : place;
  if (!isObject(holder) || !isObject(holder[field])) return tool;
  const schema = holder[field] as JsonObject;
  const fitted = fitRoot(schema);
  if (fitted === schema) return tool;
  const written = { ...holder, [field]: fitted } as JsonObject;
  return place === 'function' ? ({ ...tool, function: written } as JsonValue) : written;
}

/** Tools of chats or of messages; undefined where nothing changes. */
export function fitToolSchemas(
  tools: JsonValue | undefined,
  place: 'function' | 'input_schema',
): readonly JsonValue[] | undefined {
  return mapChanged(tools, (tool) => fitTool(tool, place));
}
