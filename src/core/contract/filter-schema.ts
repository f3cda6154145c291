/** The query of a list's calls, which derives from its declared filters. */
import { z } from 'zod';
import {
  type Filter,
  type Filters,
  filtersFor,
  type NumberName,
  type Reader,
  type TextName,
  type TimeParameter,
  type Wire,
} from '../entities/filters.ts';
import { code, seconds } from './endpoint.ts';

type NumberSchema = z.ZodDefault<z.ZodCoercedNumber<number>>;
type FilterShape<F extends Filters, Who extends Reader> = {
  [N in TextName<F, Who> as Wire<F, N>]: z.ZodDefault<z.ZodString>;
} & { [N in NumberName<F, Who> as Wire<F, N>]: NumberSchema } & {
  [P in TimeParameter<F>]: NumberSchema;
};

/** Parameters that are absent do not filter: texts are '' then, numbers and times 0. */
export function filterSchema<F extends Filters, Who extends Reader>(filters: F, who: Who) {
  const shape = Object.fromEntries(filtersFor(filters, who).flatMap(([, filter]) => of(filter)));
  return z.object(shape as FilterShape<F, Who>);
}

function of(filter: Filter): readonly (readonly [string, z.ZodType])[] {
  if (filter.kind === 'time') return filter.wire.map((name) => [name, seconds.default(0)]);
  if (filter.kind === 'text') {
    const text = filter.trim ? z.string().trim() : z.string();
    return [[filter.wire, text.default('')]];
  }
  // Ids are whole numbers from 0 on, as seconds are.
  return [[filter.wire, (filter.kind === 'id' ? seconds : code).default(0)]];
}
