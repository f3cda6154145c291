/** The schemas of the API that derive from the declared fields of an entity. */

import { defaultInput, emptyValue, isText, isWritable } from '../entities/convert.ts';
import type { Field, Fields, InputName, VisibleName, WriteCall } from '../entities/field.ts';
import { findProblem } from '../entities/limits.ts';
import { z } from '../kernel/zod.ts';

type Base<F extends Field> = F extends { kind: 'flag' }
  ? z.ZodBoolean
  : F extends { kind: 'text' | 'list' | 'json' | 'secret' | 'instant' }
    ? z.ZodString
    : z.ZodNumber;
type Value<F extends Field> = z.output<Base<F>>;
type Nullish<F extends Field, Absent> = z.ZodPipe<
  z.ZodOptional<z.ZodNullable<Base<F>>>,
  z.ZodTransform<Value<F> | Absent, Value<F> | null | undefined>
>;

type Visible<F extends Field> = F extends { nullAsEmpty: true }
  ? Base<F>
  : F extends { nullable: true }
    ? z.ZodNullable<Base<F>>
    : Base<F>;
type EntityShape<F extends Fields> = { [N in VisibleName<F>]: Visible<F[N]> };
type NewShape<F extends Fields> = {
  [N in InputName<F, 'create'>]: F[N] extends { input: { required: true } }
    ? Base<F[N]>
    : F[N] extends { input: { optional: true } }
      ? z.ZodOptional<Base<F[N]>>
      : F[N] extends { input: { nullable: true } }
        ? Nullish<F[N], never>
        : z.ZodDefault<Base<F[N]>>;
};
type EditShape<F extends Fields, Call extends WriteCall> = {
  [N in InputName<F, Call>]: F[N] extends { input: { nullable: true } }
    ? Nullish<F[N], undefined>
    : z.ZodOptional<Base<F[N]>>;
};

/** The schema of replies. */
export function entitySchema<F extends Fields>(fields: F) {
  const visible = Object.entries(fields).filter(([, field]) => field.hidden !== true);
  return z.object(
    Object.fromEntries(visible.map(([name, field]) => [name, visibleOf(field)])) as EntityShape<F>,
  );
}

function visibleOf(field: Field): z.ZodType {
  return field.nullable && !field.nullAsEmpty ? baseOf(field).nullable() : baseOf(field);
}

/** The input of a call that creates. Absent fields get their defaults. */
export function newEntitySchema<F extends Fields>(fields: F) {
  const newField = (field: Field) => {
    const schema = limited(field, 'create');
    if (field.input?.required) return schema;
    if (field.input?.optional) return schema.optional();
    if (field.input?.nullable)
      return z.nullish(schema).transform((value) => value ?? defaultInput(field));
    return schema.default(defaultInput(field));
  };
  return z.object(writable(fields, 'create', newField) as NewShape<F>);
}

/**
 * The input of a call that edits, by default the edit by administrators. Absent fields stay
 * unchanged, so none has a default.
 */
export function entityEditSchema<F extends Fields, Call extends 'edit' | 'own' = 'edit'>(
  fields: F,
  call?: Call,
) {
  const editField = (field: Field) => {
    const schema = limited(field, call ?? 'edit');
    if (!field.input?.nullable) return schema.optional();
    return z
      .nullish(schema)
      .transform((value) => (value === null ? emptyValue(field.kind) : value));
  };
  return z.object(writable(fields, call ?? 'edit', editField) as EditShape<F, Call>);
}

/**
 * The limits that forms check before a call. The message of an issue is the error code that the
 * server would return.
 */
export function entityRules<F extends Fields, Call extends WriteCall = 'create'>(
  fields: F,
  call?: Call,
) {
  const meant = call ?? 'create';
  const rules = Object.entries(fields).filter(
    ([, field]) => isWritable(field, meant) && field.limits !== undefined,
  );
  return z.object(Object.fromEntries(rules.map(([name, field]) => [name, ruleOf(field, meant)])));
}

function ruleOf(field: Field, call: WriteCall): z.ZodType {
  return z.unknown().superRefine((value, context) => {
    const problem = findProblem(field, value, call);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem.code });
  });
}

function writable(
  fields: Fields,
  call: WriteCall,
  schemaOf: (field: Field) => z.ZodType,
): Record<string, z.ZodType> {
  const inputs = Object.entries(fields).filter(([, field]) => isWritable(field, call));
  return Object.fromEntries(inputs.map(([name, field]) => [name, schemaOf(field)]));
}

function baseOf({ kind }: Field): z.ZodBoolean | z.ZodString | z.ZodNumber {
  if (kind === 'flag') return z.boolean();
  if (isText(kind)) return z.string();
  return kind === 'decimal' ? z.number() : z.number().int();
}

/**
 * Limits are named in the OpenAPI document only: the services enforce them, with an error that says
 * which limit it was (entities/limits.ts). JSON Schema counts characters as we do.
 */
function limited(field: Field, call: WriteCall): z.ZodType {
  if (field.kind === 'bit') return z.number().int().min(0).max(1);
  const base = baseOf(field);
  const limits = Object.fromEntries(
    Object.entries(jsonLimits(field, call)).filter(([, limit]) => limit !== undefined),
  );
  return Object.keys(limits).length === 0 ? base : base.meta(limits);
}

function jsonLimits(
  { kind, limits, input }: Field,
  call: WriteCall,
): Readonly<Record<string, number | string | undefined>> {
  if (limits === undefined || limits.calls?.includes(call) === false) return {};
  const { min, max, maxBytes, pattern } = limits;
  if (!isText(kind)) return { minimum: min, maximum: max };
  // A text of so many bytes has at most as many characters.
  const maxLength = max ?? maxBytes;
  return input?.emptyKeeps?.includes(call)
    ? { maxLength }
    : { minLength: min, maxLength, pattern: pattern?.source };
}
