/** A request's body, read once, as JSON or as a form. */

import { compare, zero } from '../../kernel/decimal.ts';
import { AppError } from '../../kernel/errors.ts';
import { groupRatioFor } from '../../pricing/find-price.ts';
import { type Body, readCallerBody } from '../body/body-fields.ts';
import { isForm, readForm } from '../body/form-body.ts';
import { type BodyLimits, readRequestBody } from '../body/read-body.ts';
import type { RequestBody } from '../body/request-body.ts';
import type { CallerContext } from '../context.ts';
import type { CallerFormat } from '../formats/shared/caller-format.ts';

/**
 * Bytes that a body may have although nothing is left to pay with: some models are free, and the
 * body names the model (docs/rules/relay.md#body-without-balance).
 */
const freeBodyBytes = 4 * 1024 * 1024;

/** Whether the body's declared size is its size, and small. */
function isKnownSmall({ headers }: CallerContext['request']): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  return (
    encoding === 'identity' && Number(headers['content-length'] ?? Number.NaN) <= freeBodyBytes
  );
}

function isFree({ policy, caller, group }: CallerContext): boolean {
  return compare(groupRatioFor(caller.userGroup, group, policy.prices), zero) === 0;
}

/**
 * The balance is looked up only where a body may turn out to be large. Throws AppError not_found.
 */
export function bodyLimits(context: CallerContext): BodyLimits | Promise<BodyLimits> {
  const { client, request, deps, memory } = context;
  const limits = {
    maxBytes: deps.limits.maxBodyBytes,
    claim: (bytes: number) => memory.takeBody(bytes),
    client,
  };
  return isKnownSmall(request) || isFree(context) ? limits : limitsByBalance(context, limits);
}

async function limitsByBalance(
  { deps, caller }: CallerContext,
  limits: BodyLimits,
): Promise<BodyLimits> {
  const { quota } = await deps.ledger.balance(caller.userId);
  if (quota > 0) return limits;
  const tooLarge = () => new AppError('insufficient_user_quota');
  return { ...limits, maxBytes: Math.min(limits.maxBytes, freeBodyBytes), tooLarge };
}

/** Reads the body as JSON fields. Throws AppError. */
export async function readJsonBody(context: CallerContext): Promise<Body> {
  const lend = (bytes: number) => context.memory.lend(bytes);
  return readCallerBody(
    await readRequestBody(context.request, await bodyLimits(context), lend),
    lend,
  );
}

/** A body as JSON or as a form, as the format allows. Throws AppError. */
export function readFormatBody(
  context: CallerContext,
  { form }: Pick<CallerFormat, 'form'>,
): Promise<RequestBody> {
  if (form === 'allowed') return readJsonOrForm(context);
  return form === undefined ? readJsonBody(context) : readFormBody(context);
}

/** A body as a form where it says that it is one, else as JSON. Throws AppError. */
export function readJsonOrForm(context: CallerContext): Promise<RequestBody> {
  return isForm(context.request.headers['content-type'])
    ? readFormBody(context)
    : readJsonBody(context);
}

async function readFormBody(context: CallerContext): Promise<RequestBody> {
  const contentType = context.request.headers['content-type'];
  const bytes = await readRequestBody(context.request, await bodyLimits(context));
  if (!isForm(contentType))
    throw new AppError('invalid_form', { detail: 'multipart/form-data is expected' });
  return readForm(bytes, contentType);
}

/** A large body is not parsed to check it: malformed JSON inside shows when a field is read. */
export function fieldError(error: unknown): unknown {
  return error instanceof SyntaxError || error instanceof RangeError
    ? new AppError('invalid_json', {}, { cause: error })
    : error;
}
