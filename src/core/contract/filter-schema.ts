/** The query of a list's calls, which derives from its declared filters. */

import {
  type Filter,
  type Filters,
  filtersFor,
  type Reader,
  type SingleFilter,
  type SingleName,
  type TimeParameter,
  type Wire,
} from '../entities/filters.ts';
import { z } from '../kernel/zod.ts';
import { code, queryBoolean, quotaBound, seconds } from './endpoint.ts';

type NumberSchema = z.ZodCoercedNumber<number>;
type SchemaOf<X> = X extends { kind: 'switch' }
  ? z.ZodDefault<typeof queryBoolean>
  : X extends { kind: 'text' }
    ? Lenient<X, z.ZodString>
    : Lenient<X, NumberSchema>;
type Lenient<X, S extends z.ZodType> = X extends { optional: true }
  ? z.ZodOptional<S>
  : z.ZodDefault<S>;
type FilterShape<F extends Filters, Who extends Reader> = {
  [N in SingleName<F, Who> as Wire<F, N>]: SchemaOf<F[N]>;
} & { [P in TimeParameter<F>]: z.ZodDefault<NumberSchema> };

/**
 * Parameters that are absent do not filter: unless they are `optional`, texts are '' then, numbers
 * and times 0.
 */
export function filterSchema<F extends Filters, Who extends Reader>(filters: F, who: Who) {
  const shape = Object.fromEntries(filtersFor(filters, who).flatMap(([, filter]) => of(filter)));
  return z.object(shape as FilterShape<F, Who>);
}

function of(filter: Filter): readonly (readonly [string, z.ZodType])[] {
  if (filter.kind === 'time') return filter.wire.map((name) => [name, seconds.default(0)]);
  const { wire, optional } = filter;
  if (filter.kind === 'switch') return [[wire, queryBoolean.default(false)]];
  if (filter.kind === 'text') {
    const text = textSchema(filter);
    return [[wire, optional ? text.optional() : text.default('')]];
  }
  const number = numberSchema(filter);
  return [[wire, optional ? number.optional() : number.default(0)]];
}

function textSchema({ choices, only, trim }: Extract<SingleFilter, { kind: 'text' }>) {
  if (only && choices !== undefined) return z.enum(['', ...choices]);
  return trim ? z.string().trim() : z.string();
}

function numberSchema(filter: Exclude<SingleFilter, { kind: 'text' | 'switch' }>) {
  const { kind, choices, only, optional } = filter;
  if (kind === 'quota') return quotaBound;
  // Ids are whole numbers from 0 on, as seconds are; where 0 does not stand for all, there is none.
  if (kind === 'id') return optional ? seconds.min(1) : seconds;
  if (kind === 'moment') return seconds;
  if (!only || choices === undefined) return code;
  const numbers = Object.values(choices);
  return code.min(Math.min(...numbers)).max(Math.max(...numbers));
}
