/**
 * Which functions of callers of other formats Claude takes as strict. It compiles the strict
 * schemas of a request into one grammar and refuses the whole request where they are too much for
 * that, so that what exceeds its documented limits is a plain function (platform.claude.com,
 * structured outputs: schema limitations).
 */

import type { FunctionTool } from '../../canonical/chat.ts';
import { definitionsOf, innerSchemas, propertiesOf } from '../../canonical/kit/inner-schemas.ts';
import { type Loose, listOf, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { inputSchema, outputSchema } from './schema.ts';

interface Weight {
  readonly tools: number;
  readonly optional: number;
  readonly unions: number;
}

/** Of one request. */
const limits: Weight = { tools: 20, optional: 24, unions: 16 };

function sum(a: Weight, b: Weight): Weight {
  return {
    tools: a.tools + b.tools,
    optional: a.optional + b.optional,
    unions: a.unions + b.unions,
  };
}

function isUnion(schema: unknown): boolean {
  const read = recordOf(schema);
  return read !== undefined && (read.anyOf !== undefined || Array.isArray(read.type));
}

/** Properties that may be missing, and those of several types, at any depth. */
function weigh(schema: Loose): Weight {
  const properties = Object.entries(propertiesOf(schema));
  const required = new Set(listOf(schema.required));
  const own: Weight = {
    tools: 0,
    optional: properties.filter(([name]) => !required.has(name)).length,
    unions: properties.filter(([, property]) => isUnion(property)).length,
  };
  return innerSchemas(schema).map(weigh).reduce(sum, own);
}

function referencesIn(schema: Loose, found = new Set<string>()): ReadonlySet<string> {
  const own = textOf(schema.$ref);
  if (own !== undefined) found.add(own);
  for (const inner of innerSchemas(schema)) referencesIn(inner, found);
  return found;
}

/** Whether all it refers to is defined in it, and nothing refers to itself. */
function isBounded(schema: Loose): boolean {
  const definitions = definitionsOf(schema);
  const bounded = new Set<string>();
  const open = new Set<string>();
  const ends = (reference: string): boolean => {
    if (bounded.has(reference)) return true;
    const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference)?.[1];
    const definition = name === undefined ? undefined : recordOf(definitions[name]);
    // What does not end is the end of the search: nothing is closed again then.
    if (definition === undefined || open.has(reference)) return false;
    open.add(reference);
    for (const next of referencesIn(definition)) if (!ends(next)) return false;
    open.delete(reference);
    bounded.add(reference);
    return true;
  };
  for (const reference of referencesIn(schema)) if (!ends(reference)) return false;
  return true;
}

/**
 * Schemas of the functions that are strict, as Claude takes them; the first ones where there are
 * too many.
 */
export function strictSchemas(
  tools: readonly FunctionTool[],
): ReadonlyMap<FunctionTool, JsonObject> {
  const schemas = new Map<FunctionTool, JsonObject>();
  let total: Weight = { tools: 0, optional: 0, unions: 0 };
  for (const tool of tools) {
    if (tool.strict !== true) continue;
    const schema = outputSchema(inputSchema(tool.parameters));
    const next = sum(total, { ...weigh(schema), tools: 1 });
    if (
      !isBounded(schema) ||
      next.tools > limits.tools ||
      next.optional > limits.optional ||
      next.unions > limits.unions
    )
      continue;
    total = next;
    schemas.set(tool, schema);
  }
  return schemas;
}
