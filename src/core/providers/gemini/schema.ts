/**
 * JSON Schema → the OpenAPI subset of older Gemini models (docs/rules/providers.md#gemini-schemas).
 */
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';

const kept = new Set([
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'minItems',
  'maxItems',
  'required',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'example',
  'propertyOrdering',
  'default',
  'minimum',
  'maximum',
]);
/** Schemas nest at most this deep. */
const maxDepth = 24;
/**
 * One inside another, the same reference is followed so often: what refers to itself is cut here.
 */
const maxRepeats = 3;
/** Schemas that are written at most: a few references to each other would be endless. */
const maxSchemas = 5000;
/**
 * Characters that are written out for references in all: many to one long definition would fill the
 * memory.
 */
const maxWritten = 1_000_000;

type Schema = Record<string, unknown>;

/** One conversion. */
interface Scope {
  readonly root: Schema;
  /** Schemas that may still be written. */
  left: number;
  /** Characters that references may still stand for. */
  room: number;
  /** Lengths of what was referred to. */
  readonly lengths: Map<unknown, number>;
}

/** A step of a JSON pointer in a URI fragment; one that is not well formed names itself. */
function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}

/**
 * Whether there is room for what is referred to. The first that is too much is the last that is
 * looked at.
 */
function takeRoom(target: Schema, scope: Scope): boolean {
  if (scope.room <= 0) return false;
  const length = scope.lengths.get(target) ?? JSON.stringify(target).length;
  scope.lengths.set(target, length);
  scope.room = length > scope.room ? 0 : scope.room - length;
  return scope.room > 0;
}

/** Follows `#/$defs/Name`, with what stands beside the reference laid over it. */
function resolve(schema: Schema, scope: Scope): Schema {
  const reference = schema.$ref;
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return schema;
  let target: unknown = scope.root;
  for (const step of reference.slice(2).split('/')) {
    target = isObject(target) ? target[decodeStep(step)] : undefined;
  }
  const { $ref: _, ...beside } = schema;
  return isObject(target) && takeRoom(target, scope) ? { ...target, ...beside } : beside;
}

/** `allOf` as one schema: properties and required are merged, other keywords of later ones win. */
function mergeAll(schema: Schema, scope: Scope): Schema {
  if (!Array.isArray(schema.allOf)) return schema;
  const { allOf, ...own } = schema;
  const parts = [
    own,
    ...(allOf as unknown[]).filter(isObject).map((entry) => resolve(entry, scope)),
  ];
  const properties = parts.flatMap((part) =>
    isObject(part.properties) ? Object.entries(part.properties) : [],
  );
  const required = parts.flatMap((part) => asList(part.required));
  const merged: Schema = {};
  for (const part of parts) Object.assign(merged, part);
  if (properties.length > 0) merged.properties = Object.fromEntries(properties);
  if (required.length > 0) merged.required = required;
  return merged;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A list of types: null becomes `nullable`, several others alternatives. */
function splitTypes(schema: Schema): Schema {
  if (!Array.isArray(schema.type)) return schema;
  const types = schema.type.filter((type) => type !== 'null');
  const nullable = types.length < schema.type.length ? { nullable: true } : {};
  const { type: _, ...rest } = schema;
  if (types.length === 1) return { ...rest, type: types[0], ...nullable };
  return { ...rest, anyOf: types.map((type) => ({ type })), ...nullable };
}

/** `path`: the references within which this schema stands. */
function convert(value: unknown, scope: Scope, depth: number, path: readonly string[]): JsonValue {
  if (!isObject(value) || depth > maxDepth || --scope.left < 0) return { type: 'string' };
  const reference = typeof value.$ref === 'string' ? value.$ref : undefined;
  if (path.filter((one) => one === reference).length >= maxRepeats) return { type: 'string' };
  const within = reference === undefined ? path : [...path, reference];
  const inner = (one: unknown) => convert(one, scope, depth + 1, within);
  const schema = splitTypes(mergeAll(resolve(value, scope), scope));
  const result: Record<string, JsonValue> = {};
  for (const [key, entry] of Object.entries(schema))
    if (kept.has(key) && entry !== undefined) result[key] = entry as JsonValue;
  if (result.format !== 'enum' && result.format !== 'date-time' && schema.type === 'string')
    delete result.format;
  if (schema.const !== undefined) result.enum = [schema.const as JsonValue];
  const alternatives = Array.isArray(schema.anyOf) ? schema.anyOf : schema.oneOf;
  if (Array.isArray(alternatives)) {
    const real = alternatives.filter((one) => !(isObject(one) && one.type === 'null'));
    if (real.length < alternatives.length) result.nullable = true;
    result.anyOf = real.map(inner);
  }
  if (schema.items !== undefined) {
    result.items = inner(Array.isArray(schema.items) ? schema.items[0] : schema.items);
  } else if (schema.type === 'array') result.items = { type: 'string' };
  if (isObject(schema.properties)) {
    const properties: JsonObject = Object.fromEntries(
      Object.entries(schema.properties).map(([name, one]) => [name, inner(one)]),
    );
    result.properties = properties;
    const required = asList(schema.required).filter(
      (name) => typeof name === 'string' && Object.hasOwn(properties, name),
    );
    if (required.length > 0) result.required = required as string[];
    else delete result.required;
  } else delete result.required;
  // Enumerations of numbers are refused.
  if (Array.isArray(result.enum) && result.enum.some((one) => typeof one !== 'string'))
    delete result.enum;
  return result;
}

/** The schema with only the keywords Gemini's own schema type knows; references are written out. */
export function toGeminiSchema(schema: JsonObject): JsonObject {
  return convert(
    schema,
    { root: schema, left: maxSchemas, room: maxWritten, lengths: new Map() },
    0,
    [],
  ) as JsonObject;
}

/**
 * Parameters of a function; undefined where there are none, as an object without properties is
 * refused.
 */
export function toGeminiParameters(schema: JsonObject | undefined): JsonObject | undefined {
  if (schema === undefined) return undefined;
  const converted = toGeminiSchema(schema);
  return isObject(converted.properties) && Object.keys(converted.properties).length > 0
    ? converted
    : undefined;
}
