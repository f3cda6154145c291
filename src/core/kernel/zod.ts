/**
 * zod, whose schemas are made when one is first used. The program declares some thousand of them
 * where a module is loaded, and a command or an idle gateway uses a few: making all took a third of
 * a start. All of `src` takes `z` from here.
 */
import {
  array,
  base64,
  boolean,
  coerce,
  custom,
  email,
  enum as enumOf,
  int,
  iso,
  literal,
  looseObject,
  nullish,
  number,
  object,
  partialRecord,
  record,
  strictObject,
  string,
  toJSONSchema,
  tuple,
  undefined as undefinedOnly,
  union,
  unknown,
  url,
  uuid,
  ZodArray,
  ZodObject,
  type ZodType,
  ZodUndefined,
  type z as zod,
} from 'zod';

/** Types as zod names them. */
export declare namespace z {
  type infer<T> = zod.infer<T>;
  type input<T> = zod.input<T>;
  type output<T> = zod.output<T>;
  type ZodType<Output = unknown, Input = unknown> = zod.ZodType<Output, Input>;
  type ZodObject<
    Shape extends zod.core.$ZodShape = zod.core.$ZodLooseShape,
    Config extends zod.core.$ZodObjectConfig = zod.core.$strip,
  > = zod.ZodObject<Shape, Config>;
  type ZodArray<T extends zod.core.SomeType = zod.core.$ZodType> = zod.ZodArray<T>;
  type ZodOptional<T extends zod.core.SomeType = zod.core.$ZodType> = zod.ZodOptional<T>;
  type ZodNullable<T extends zod.core.SomeType = zod.core.$ZodType> = zod.ZodNullable<T>;
  type ZodDefault<T extends zod.core.SomeType = zod.core.$ZodType> = zod.ZodDefault<T>;
  type ZodPipe<
    A extends zod.core.SomeType = zod.core.$ZodType,
    B extends zod.core.SomeType = zod.core.$ZodType,
  > = zod.ZodPipe<A, B>;
  type ZodTransform<Output = unknown, Input = unknown> = zod.ZodTransform<Output, Input>;
  type ZodCoercedNumber<T = unknown> = zod.ZodCoercedNumber<T>;
  type ZodNumber = zod.ZodNumber;
  type ZodString = zod.ZodString;
  type ZodBoolean = zod.ZodBoolean;
  type ZodUndefined = zod.ZodUndefined;
  type ZodError<T = unknown> = zod.ZodError<T>;
}

/** The property of a stand-in that is what answers for it. */
const behind = Symbol('stand-in');

type Shape = Readonly<Record<string, unknown>>;

/** Stands for a schema, and makes it at the first question that is no further declaration. */
class StandIn implements ProxyHandler<object> {
  #schema: object | undefined;
  readonly #make: () => object;
  readonly #fields: (() => Shape) | undefined;

  /** `fields`: of an object, as they were declared, so that others can take them over. */
  constructor(make: () => object, fields?: () => Shape) {
    this.#make = make;
    this.#fields = fields;
  }

  schema(): object {
    this.#schema ??= this.#make();
    return this.#schema;
  }

  get(_: object, key: string | symbol): unknown {
    if (key === behind) return this;
    const declare = further.get(key);
    if (declare !== undefined) return declare;
    if (key === 'shape' && this.#fields !== undefined) return this.#fields();
    const schema = this.schema();
    const value: unknown = Reflect.get(schema, key, schema);
    // What a list is made of may be declared further with stand-ins, too.
    return key === 'element' ? later(() => value as object) : value;
  }

  set(_: object, key: string | symbol, value: unknown): boolean {
    return Reflect.set(this.schema(), key, value);
  }

  has(_: object, key: string | symbol): boolean {
    return Reflect.has(this.schema(), key);
  }

  ownKeys(): (string | symbol)[] {
    return Reflect.ownKeys(this.schema());
  }

  getOwnPropertyDescriptor(_: object, key: string | symbol): PropertyDescriptor | undefined {
    const descriptor = Reflect.getOwnPropertyDescriptor(this.schema(), key);
    // A proxy may not say of what its target lacks that it stays.
    return descriptor && { ...descriptor, configurable: true };
  }

  getPrototypeOf(): object | null {
    return Reflect.getPrototypeOf(this.schema());
  }
}

function later(make: () => object, fields?: () => Shape): object {
  return new Proxy({}, new StandIn(make, fields));
}

const isObject = (given: unknown): given is { [behind]?: StandIn } =>
  typeof given === 'object' && given !== null;

/** The schema itself, where zod compares by identity; anything else as it is. */
export function schemaOf(given: unknown): unknown {
  return isObject(given) ? (given[behind]?.schema() ?? given) : given;
}

/** What zod is given: schemas for their stand-ins, also those of a list or a shape. */
function withSchemas(given: unknown): unknown {
  if (!isObject(given)) return given;
  if (given[behind] !== undefined) return schemaOf(given);
  if (!Object.values(given).some((value) => isObject(value) && value[behind] !== undefined))
    return given;
  if (Array.isArray(given)) return given.map(schemaOf);
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, schemaOf(value)]));
}

/** A function of zod as it is called here: its own type is kept. */
type Make = (...given: unknown[]) => object;

function late<M>(make: M): M {
  const declare: Make = (...given) => later(() => (make as Make)(...given.map(withSchemas)));
  return declare as M;
}

function lateObject<M>(make: M): M {
  const declare: Make = (...given) =>
    later(
      () => (make as Make)(...given.map(withSchemas)),
      () => (given[0] ?? {}) as Shape,
    );
  return declare as M;
}

/** Methods of schemas that only make another one. */
const furtherNames = [
  'and',
  'array',
  'brand',
  'catch',
  'catchall',
  'check',
  'default',
  'describe',
  'email',
  'endsWith',
  'extend',
  'gt',
  'gte',
  'int',
  'length',
  'lt',
  'lte',
  'max',
  'meta',
  'min',
  'multipleOf',
  'nonempty',
  'nonnegative',
  'nullable',
  'nullish',
  'omit',
  'optional',
  'or',
  'partial',
  'pick',
  'pipe',
  'positive',
  'readonly',
  'refine',
  'regex',
  'startsWith',
  'superRefine',
  'toLowerCase',
  'transform',
  'trim',
  'unwrap',
] as const;
/** The fields of an object that is made of another one. */
const fieldsAfter: Readonly<Record<string, (before: Shape, given: Shape) => Shape>> = {
  extend: (before, given) => ({ ...before, ...given }),
  pick: (before, given) => only(before, Object.keys(given)),
  omit: (before, given) =>
    only(
      before,
      Object.keys(before).filter((name) => !(name in given)),
    ),
};
const only = (shape: Shape, names: readonly string[]): Shape =>
  Object.fromEntries(names.map((name) => [name, shape[name]]));

const further: ReadonlyMap<string | symbol, unknown> = new Map(
  furtherNames.map((name) => [
    name,
    function (this: { readonly shape: Shape }, ...given: unknown[]) {
      const declare = () =>
        (schemaOf(this) as Record<typeof name, Make>)[name](...given.map(withSchemas));
      const fields = fieldsAfter[name];
      if (fields !== undefined) return later(declare, () => fields(this.shape, given[0] as Shape));
      // Without data it reads what is known.
      return name === 'meta' && given.length === 0 ? declare() : later(declare);
    },
  ]),
);

export const z = {
  array: late(array),
  base64: late(base64),
  boolean: late(boolean),
  coerce: { number: late(coerce.number), string: late(coerce.string) },
  custom: late(custom),
  email: late(email),
  enum: late(enumOf),
  int: late(int),
  iso: { date: late(iso.date), datetime: late(iso.datetime) },
  literal: late(literal),
  looseObject: lateObject(looseObject),
  nullish: late(nullish),
  number: late(number),
  object: lateObject(object),
  partialRecord: late(partialRecord),
  record: late(record),
  strictObject: lateObject(strictObject),
  string: late(string),
  toJSONSchema: ((schema: ZodType, ...rest: []) =>
    toJSONSchema(schemaOf(schema) as ZodType, ...rest)) as typeof toJSONSchema,
  tuple: late(tuple),
  undefined: late(undefinedOnly),
  union: late(union),
  unknown: late(unknown),
  url: late(url),
  uuid: late(uuid),
  ZodArray,
  ZodObject,
  ZodUndefined,
};
