/**
 * Flags for the input fields of an API call, derived from its schema. Separate from flags.ts, so
 * that help does not load zod.
 */

import type { Endpoint } from '../../core/contract/endpoint.ts';
import type { Field, Fields, InputName } from '../../core/entities/field.ts';
import { z } from '../../core/kernel/zod.ts';
import type { Flag, FlagKind } from '../base/flags.ts';
import type { Text } from '../base/text.ts';
import { readJsonObject, readTime } from './common-flags.ts';

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
}

const kinds: Readonly<Record<string, FlagKind>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'switch',
};

/**
 * The flag for an input field: kind and choices from the schema; `base_url` becomes `--base-url`.
 */
export function fieldFlag(
  call: Pick<Endpoint, 'path' | 'input'>,
  field: string,
  summary: Text,
  more: Partial<Flag> = {},
): Flag {
  const declared = call.input.shape[field];
  if (declared === undefined) throw new Error(`${call.path} has no field ${field}`);
  const schema = z.toJSONSchema(declared, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const types = [schema, ...(schema.anyOf ?? [])];
  const kind = types.map((one) => kinds[one.type ?? '']).find((one) => one !== undefined) ?? 'text';
  const choices = types.find((one) => one.enum !== undefined)?.enum;
  return {
    name: field.replaceAll('_', '-'),
    kind,
    summary,
    field,
    ...(choices === undefined ? {} : { choices }),
    ...more,
  };
}

/**
 * The flags of the fields that a call accepts, in their declared order. Fields without help have
 * none. `own` adds to some.
 */
export function entityFlags<F extends Fields>(
  call: Endpoint,
  fields: F,
  own?: Readonly<Partial<Record<InputName<F>, Partial<Flag>>>>,
): readonly Flag[] {
  const flags: Readonly<Record<string, Partial<Flag> | undefined>> = own ?? {};
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.help === undefined || !(name in call.input.shape)) return [];
    const flag = field.flag ?? name.replaceAll('_', '-');
    return [
      fieldFlag(call, name, field.help, {
        name: flag,
        ...boundsOf(field),
        ...readingOf(field, flag),
        ...flags[name],
      }),
    ];
  });
}

/** The bounds of a number; those of a text are its length. */
function boundsOf({ kind, limits }: Field): Partial<Flag> {
  if (kind !== 'integer' && kind !== 'decimal' && kind !== 'quota') return {};
  const { min, max } = limits ?? {};
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

/** Lists are given with commas, times as dates, bits as on or off. */
function readingOf({ kind, never, separator = ',' }: Field, flag: string): Partial<Flag> {
  if (kind === 'list') {
    const entries = (text: string) => text.split(',').map((entry) => entry.trim());
    return { placeholder: 'A,B', read: (text) => entries(text).filter(Boolean).join(separator) };
  }
  if (kind === 'json') return { placeholder: 'JSON', read: readJsonObject(flag) };
  if (kind === 'bit')
    return { kind: 'text', choices: ['on', 'off'], read: (text) => (text === 'on' ? 1 : 0) };
  if (kind !== 'time') return {};
  const read = (text: string) => {
    if (never === undefined) return readTime(flag, text);
    return text === 'never' ? never : readTime(flag, text, { ahead: true });
  };
  return { kind: 'text', placeholder: never === undefined ? 'DATE' : 'DATE|never', read };
}
