/** Shapes of JSON as TypeScript types, which are short and known to many. */
import { z } from 'zod';
import { schemaOf } from '../../src/core/kernel/zod.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
}

/**
 * `names`: shapes that are written by their name; `root` is the one that is spelled out although it
 * has one.
 */
export function notationOf(
  shape: z.ZodType,
  names: Readonly<Record<string, z.ZodType>>,
  root?: string,
): string {
  const registry = z.registry<{ id: string }>();
  for (const [id, named] of Object.entries(names))
    if (id !== root) registry.add(schemaOf(named) as z.ZodType, { id });
  return notate(
    z.toJSONSchema(schemaOf(shape) as z.ZodType, {
      io: 'input',
      unrepresentable: 'any',
      metadata: registry,
      reused: 'inline',
    }) as Schema,
  );
}

export function notate(schema: Schema): string {
  const { $ref, anyOf, oneOf, type, items, properties } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? '';
  const options = anyOf ?? oneOf;
  if (options !== undefined) return [...new Set(options.map(notate))].join(' | ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  if (items !== undefined) return arrayOf(notate(items));
  if (properties !== undefined)
    return objectOf(properties, new Set(schema.required), isOpen(schema));
  if (type === 'object' && typeof schema.additionalProperties === 'object')
    return `Record<string, ${notate(schema.additionalProperties)}>`;
  if (type === undefined) return 'unknown';
  return [type]
    .flat()
    .map((name) => (name === 'integer' ? 'number' : name))
    .join(' | ');
}

const isOpen = ({ additionalProperties }: Schema) =>
  additionalProperties !== undefined && additionalProperties !== false;

function objectOf(
  properties: Readonly<Record<string, Schema>>,
  required: ReadonlySet<string>,
  open: boolean,
): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return `${key}${required.has(name) ? '' : '?'}: ${notate(field)}`;
  });
  if (open) fields.push('…');
  return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
}

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));
const arrayOf = (item: string) => (/^\w+$/.test(item) ? `${item}[]` : `(${item})[]`);
