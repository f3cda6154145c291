/** The schemas of the API that derive from the declared fields of an entity. */
import { z } from 'zod';
import { defaultInput, emptyValue, isText } from '../entities/convert.ts';
import type { Field, Fields, InputName, VisibleName } from '../entities/field.ts';
import { findProblem } from '../entities/limits.ts';

type Base<F extends Field> = F extends { kind: 'flag' }
  ? z.ZodBoolean
  : F extends { kind: 'text' | 'list' | 'json' | 'secret' }
    ? z.ZodString
    : z.ZodNumber;
type Value<F extends Field> = z.output<Base<F>>;
type Nullish<F extends Field, Absent> = z.ZodPipe<
  z.ZodOptional<z.ZodNullable<Base<F>>>,
  z.ZodTransform<Value<F> | Absent, Value<F> | null | undefined>
>;

type EntityShape<F extends Fields> = { [N in VisibleName<F>]: Base<F[N]> };
type NewShape<F extends Fields> = {
  [N in InputName<F>]: F[N] extends { input: { required: true } }
    ? Base<F[N]>
    : F[N] extends { input: { nullable: true } }
      ? Nullish<F[N], never>
      : z.ZodDefault<Base<F[N]>>;
};
type EditShape<F extends Fields> = {
  [N in InputName<F>]: F[N] extends { input: { nullable: true } } ? Nullish<F[N], undefined> : z.ZodOptional<Base<F[N]>>;
};

/** The schema of replies. */
export function entitySchema<F extends Fields>(fields: F) {
  const visible = Object.entries(fields).filter(([, field]) => field.hidden !== true);
  return z.object(Object.fromEntries(visible.map(([name, field]) => [name, baseOf(field)])) as EntityShape<F>);
}

/** The input of a call that creates. Absent fields get their defaults. */
export function newEntitySchema<F extends Fields>(fields: F) {
  const newField = (field: Field) => {
    if (field.input?.required) return limited(field);
    const schema = limited(field);
    if (field.input?.nullable) return z.nullish(schema).transform((value) => value ?? defaultInput(field));
    return schema.default(defaultInput(field));
  };
  return z.object(writable(fields, newField) as NewShape<F>);
}

/** The input of a call that edits. Absent fields stay unchanged, so none has a default. */
export function entityEditSchema<F extends Fields>(fields: F) {
  const editField = (field: Field) => {
    const schema = limited(field);
    if (!field.input?.nullable) return schema.optional();
    return z.nullish(schema).transform((value) => (value === null ? emptyValue(field.kind) : value));
  };
  return z.object(writable(fields, editField) as EditShape<F>);
}

/**
 * The limits that forms check before the call. The message of an issue is the error code that the server would return.
 */
export function entityRules(fields: Fields) {
  const rules = Object.entries(fields).filter(([, { input, limits }]) => input !== undefined && limits !== undefined);
  return z.object(Object.fromEntries(rules.map(([name, field]) => [name, ruleOf(field)])));
}

function ruleOf(field: Field): z.ZodType {
  return z.unknown().superRefine((value, context) => {
    const problem = findProblem(field, value);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem.code });
  });
}

function writable(fields: Fields, schemaOf: (field: Field) => z.ZodType): Record<string, z.ZodType> {
  const inputs = Object.entries(fields).filter(([, field]) => field.input !== undefined);
  return Object.fromEntries(inputs.map(([name, field]) => [name, schemaOf(field)]));
}

function baseOf({ kind }: Field): z.ZodBoolean | z.ZodString | z.ZodNumber {
  if (kind === 'flag') return z.boolean();
  if (isText(kind)) return z.string();
  return kind === 'decimal' ? z.number() : z.number().int();
}

/**
 * Limits are named in the OpenAPI document only: the services enforce them, with an error that says which limit it was
 * (entities/limits.ts). JSON Schema counts characters as we do.
 */
function limited(field: Field): z.ZodType {
  if (field.kind === 'bit') return z.number().int().min(0).max(1);
  const base = baseOf(field);
  const { min, max } = field.limits ?? {};
  const [least, most] = base instanceof z.ZodString ? ['minLength', 'maxLength'] : ['minimum', 'maximum'];
  const limits = { ...(min !== undefined && { [least]: min }), ...(max !== undefined && { [most]: max }) };
  return Object.keys(limits).length === 0 ? base : base.meta(limits);
}
