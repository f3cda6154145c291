/**
 * The limits of fields, for the services that enforce them and for the forms that announce them.
 */
import { AppError, type ErrorCode } from '../kernel/errors.ts';
import { isHeaderText } from '../kernel/header-text.ts';
import { maxAmount, type Quota, toQuota } from '../kernel/quota.ts';
import { isText, isWritable, rowName } from './convert.ts';
import type { Field, Fields, RowOf, WritableRow, WriteCall, Written } from './field.ts';

export interface Problem {
  readonly code: ErrorCode;
  /** The bounds: `min` and `max`. */
  readonly params: Readonly<Record<string, number>>;
}

/**
 * Why a value of a call is not valid for a field; undefined: it is. Texts are measured as stored,
 * trimmed if so declared.
 */
export function findProblem(field: Field, value: unknown, call?: WriteCall): Problem | undefined {
  const { limits, header } = field;
  if (header && typeof value === 'string' && !isHeaderText(String(storedText(field, value))))
    return { code: 'header_text_invalid', params: {} };
  if (limits === undefined || keepsStored(field, value, call)) return undefined;
  if (limits.calls !== undefined && (call === undefined || !limits.calls.includes(call)))
    return undefined;
  const { error, empty = error } = limits;
  const meant = storedText(field, value);
  const isValid = isText(field.kind) ? isTextWithin(meant, field) : isNumberWithin(meant, field);
  if (!isValid) return { code: meant === '' ? empty : error, params: boundsOf(field) };
  const isRefused =
    typeof meant === 'string' && limits.refused?.texts.has(meant.trim().toLowerCase());
  return isRefused && limits.refused !== undefined
    ? { code: limits.refused.error, params: {} }
    : undefined;
}

/** The bounds of a field, as its error names them. */
function boundsOf({
  limits: { min, max, maxBytes } = { error: 'invalid_parameter' },
}: Field): Problem['params'] {
  const most = max ?? maxBytes;
  return { ...(min !== undefined && { min }), ...(most !== undefined && { max: most }) };
}

function isTextWithin(text: unknown, { limits }: Field): boolean {
  if (typeof text !== 'string') return false;
  const {
    min = 0,
    max = Number.POSITIVE_INFINITY,
    maxBytes = Number.POSITIVE_INFINITY,
    pattern,
  } = limits ?? {};
  const length = [...text].length;
  return (
    length >= min &&
    length <= max &&
    new TextEncoder().encode(text).length <= maxBytes &&
    (pattern?.test(text) ?? true)
  );
}

function isNumberWithin(value: unknown, { limits }: Field): boolean {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = limits ?? {};
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
}

/** Whether the value means that the field stays as it is. */
function keepsStored({ input }: Field, value: unknown, call?: WriteCall): boolean {
  return value === '' && call !== undefined && input?.emptyKeeps?.includes(call) === true;
}

/**
 * An amount that is no field of an entity: a top-up, a gift, a new balance. Throws AppError
 * amount_limit beyond ±{@link maxAmount}, and for fractions.
 */
export function checkAmount(amount: number): Quota {
  if (!Number.isSafeInteger(amount) || Math.abs(amount) > maxAmount)
    throw new AppError('amount_limit', { max: maxAmount });
  return toQuota(amount);
}

interface FieldCheck<F extends Fields, Call extends WriteCall> {
  <Given extends Partial<Written<F, Call>>>(values: Given): Checked<WritableRow<F, Call>, Given>;
  (values: Partial<Written<F, Call>>, current: RowOf<F>): Partial<WritableRow<F, Call>>;
}
type Checked<Row, Given> = {
  readonly [N in keyof Given & keyof Row]:
    | Row[N]
    | (undefined extends Given[N] ? undefined : never);
};

/**
 * A function that checks the given fields of a call (absent: of any call) and returns them as they
 * are stored. Absent fields stay absent, and so do empty texts that leave a field unchanged. With
 * `current` the same holds for values that do not change, which therefore may break the limits. It
 * throws the AppError that the declaration names, with the field's name on the wire as `field`.
 * Services check rules that need more than one field, or the time.
 */
export function createFieldCheck<F extends Fields, Call extends WriteCall = WriteCall>(
  fields: F,
  call?: Call,
): FieldCheck<F, Call> {
  const written = Object.entries(fields).flatMap(([name, field]) =>
    isWritable(field, call) ? [{ wireName: name, name: rowName(name), field }] : [],
  );
  const check = (
    values: Readonly<Record<string, unknown>>,
    current?: Readonly<Record<string, unknown>>,
  ) => {
    const checked: Record<string, unknown> = {};
    for (const { wireName, name, field } of written) {
      const value = values[name];
      if (value === undefined || keepsStored(field, value, call)) continue;
      if (current !== undefined && storedText(field, value) === current[name]) continue;
      const problem = findProblem(field, value, call);
      if (problem !== undefined)
        throw new AppError(problem.code, { ...problem.params, field: wireName });
      checked[name] = field.kind === 'quota' ? toQuota(value as number) : storedText(field, value);
    }
    return checked;
  };
  return check as unknown as FieldCheck<F, Call>;
}

function storedText({ trim }: Field, value: unknown): unknown {
  return typeof value === 'string' && trim ? value.trim() : value;
}

/**
 * A time limit must lie in the future or be the field's `never`; an unchanged one is not checked.
 * Throws AppError expiry_invalid.
 */
export function checkExpiry(
  { never }: Field,
  time: number | undefined,
  { now, current }: { readonly now: number; readonly current: number | undefined },
): void {
  if (time === undefined || time === never || time === current || time > now) return;
  throw new AppError('expiry_invalid');
}
