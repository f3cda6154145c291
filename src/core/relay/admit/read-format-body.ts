/** A request's body, read once, as JSON or as a form. */
import { AppError } from '../../kernel/errors.ts';
import { type Body, readCallerBody } from '../body/body-fields.ts';
import { isForm, readForm } from '../body/form-body.ts';
import { readRequestBody } from '../body/read-body.ts';
import type { RequestBody } from '../body/request-body.ts';
import type { CallerContext } from '../context.ts';
import type { CallerFormat } from '../formats/shared/caller-format.ts';
import { bodyLimits } from './body-limits.ts';

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
