/**
 * Shapes of JSON values, for readers that also run in the browser, where zod weighs more than all
 * they read.
 */
import { isObject } from './json.ts';

/** Tells whether a value has the shape. */
export type Shape<T> = (value: unknown) => value is T;
export type ShapeOf<S> = S extends Shape<infer T> ? T : never;

type Fields = Readonly<Record<string, Shape<unknown>>>;
type OptionalName<F extends Fields> = {
  [K in keyof F]: undefined extends ShapeOf<F[K]> ? K : never;
}[keyof F];
type ObjectOf<F extends Fields> = { [K in Exclude<keyof F, OptionalName<F>>]: ShapeOf<F[K]> } & {
  [K in OptionalName<F>]?: ShapeOf<F[K]>;
};

export const shape = {
  string: ((value) => typeof value === 'string') as Shape<string>,
  boolean: ((value) => typeof value === 'boolean') as Shape<boolean>,
  number: ((value) => typeof value === 'number' && Number.isFinite(value)) as Shape<number>,
  integer: ((value) => Number.isSafeInteger(value)) as Shape<number>,
  oneOf: <const T>(values: readonly T[]) => ((value) => values.includes(value as T)) as Shape<T>,
  list: <T>(of: Shape<T>) => ((value) => Array.isArray(value) && value.every(of)) as Shape<T[]>,
  optional: <T>(of: Shape<T>) =>
    ((value) => value === undefined || of(value)) as Shape<T | undefined>,
  /** An object with these fields; it may have others. */
  object: <const F extends Fields>(fields: F) =>
    ((value) =>
      isObject(value) && Object.entries(fields).every(([name, of]) => of(value[name]))) as Shape<
      ObjectOf<F>
    >,
};
