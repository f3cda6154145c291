/** The limits of fields, for the services that enforce them and for the forms that announce them. */
import { AppError, type ErrorCode } from '../kernel/errors.ts';
import { toQuota } from '../kernel/quota.ts';
import { rowName } from './convert.ts';
import type { Field, Fields, WritableRow, Written } from './field.ts';

export interface Problem {
  readonly code: ErrorCode;
  readonly params: Readonly<Record<string, number>>;
}

/** Why a value is not valid for a field; undefined: it is. Texts are measured as stored, trimmed if so declared. */
export function findProblem({ trim, limits }: Field, value: unknown): Problem | undefined {
  if (limits === undefined) return undefined;
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, error, empty = error } = limits;
  const size = typeof value === 'string' ? [...(trim ? value.trim() : value)].length : value;
  if (typeof size === 'number' && Number.isSafeInteger(size) && size >= min && size <= max) return undefined;
  const params = {
    ...(limits.min !== undefined && { min: limits.min }),
    ...(limits.max !== undefined && { max: limits.max }),
  };
  return { code: typeof value === 'string' && size === 0 ? empty : error, params };
}

interface FieldCheck<F extends Fields> {
  (values: Written<F>): WritableRow<F>;
  (values: Partial<Written<F>>): Partial<WritableRow<F>>;
}

/**
 * A function that checks the given fields and returns them as they are stored. Absent fields stay absent. It throws the
 * AppError that the declaration names, with the field's name on the wire as `field`. Services check rules that need more than one field, or the time.
 */
export function createFieldCheck<F extends Fields>(fields: F): FieldCheck<F> {
  const written = Object.entries(fields).flatMap(([name, field]) =>
    field.input === undefined ? [] : [{ wireName: name, name: rowName(name), field }],
  );
  const check = (values: Readonly<Record<string, unknown>>) => {
    const checked: Record<string, unknown> = {};
    for (const { wireName, name, field } of written) {
      const value = values[name];
      if (value === undefined) continue;
      const problem = findProblem(field, value);
      if (problem !== undefined) throw new AppError(problem.code, { ...problem.params, field: wireName });
      checked[name] = storedValue(field, value);
    }
    return checked;
  };
  return check as unknown as FieldCheck<F>;
}

function storedValue({ kind, trim }: Field, value: unknown): unknown {
  if (typeof value === 'string') return trim ? value.trim() : value;
  return kind === 'quota' ? toQuota(value as number) : value;
}

/**
 * A time limit must lie in the future or be the field's `never`; an unchanged one is not checked. Throws
 * AppError expiry_invalid.
 */
export function checkExpiry(
  { never }: Field,
  time: number | undefined,
  { now, current }: { readonly now: number; readonly current: number | undefined },
): void {
  if (time === undefined || time === never || time === current || time > now) return;
  throw new AppError('expiry_invalid');
}
