/**
 * Flags for the input fields of an API call, derived from its schema. Separate from flags.ts, so that help does not load
 * zod.
 */
import { z } from 'zod';
import type { Endpoint } from '../../core/contract/endpoint.ts';
import type { Flag, FlagKind } from '../base/flags.ts';
import type { Text } from '../base/text.ts';

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

const kinds: Readonly<Record<string, FlagKind>> = { string: 'text', integer: 'integer', number: 'number', boolean: 'switch' };

/** The flag for an input field: kind and choices from the schema; `base_url` becomes `--base-url`. */
export function fieldFlag(call: Endpoint, field: string, summary: Text, more: Partial<Flag> = {}): Flag {
  const whole = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const schema = whole.properties?.[field];
  if (schema === undefined) throw new Error(`${call.path} has no field ${field}`);
  const types = [schema, ...(schema.anyOf ?? [])];
  const kind = types.map((one) => kinds[one.type ?? '']).find((one) => one !== undefined) ?? 'text';
  const choices = types.find((one) => one.enum !== undefined)?.enum;
  return { name: field.replaceAll('_', '-'), kind, summary, field, ...(choices === undefined ? {} : { choices }), ...more };
}
