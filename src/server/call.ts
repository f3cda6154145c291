/**
 * Executes one call of the API over any transport: permissions, input, handler, envelope
 * (docs/rules/console-api.md#declared-once).
 */
import { requireCallAllowed } from '../core/accounts/call-access.ts';
import type { App } from '../core/app.ts';
import type { Endpoint, FileOutput } from '../core/contract/endpoint.ts';
import {
  codeFailureBody,
  failureBody,
  failureData,
  type RawReply,
  Reply,
  successBody,
} from '../core/contract/envelope.ts';
import { failureStatus } from '../core/contract/failure-status.ts';
import { type Language, translate } from '../core/i18n/translate.ts';
import { AppError } from '../core/kernel/errors.ts';
import { hasPrototypeEntry, isObject } from '../core/kernel/json.ts';
import { hasNul } from '../core/kernel/nul.ts';
import type { CallContext } from './handlers/context.ts';

/** A reply, with the seconds after which a retry may succeed. */
export interface CallReply extends RawReply {
  readonly retryAfter?: number;
}

export type AnyHandler = (input: never, context: CallContext) => unknown;

/** Throws AppError invalid_parameter with the first invalid field. */
function readInput(call: Endpoint, raw: unknown): never {
  if (!isObject(raw)) throw new AppError('invalid_parameter');
  const lossy = Object.keys(raw).find((field) => hasPrototypeEntry(raw[field]));
  if (lossy !== undefined) throw new AppError('invalid_parameter', { field: lossy });
  const parsed = call.input.safeParse(raw);
  if (!parsed.success) {
    throw new AppError('invalid_parameter', {
      field: parsed.error.issues[0]?.path.map(String).join('.') ?? '',
    });
  }
  for (const [field, value] of Object.entries(parsed.data)) {
    if (hasNul(value)) throw new AppError('invalid_parameter', { field });
  }
  return parsed.data as never;
}

/** Runs a part of a call that does not wait, and notes what it takes. */
export type Measure = <T>(work: () => T) => T;

/** Runs the call and returns its reply, also for an AppError. Rethrows other errors. */
export async function performCall(
  app: App,
  call: Endpoint,
  handler: AnyHandler,
  raw: unknown,
  context: CallContext,
  measure: Measure = (work) => work(),
): Promise<CallReply> {
  try {
    requireCallAllowed({
      access: call.access,
      changes: call.method !== 'GET' || call.changes === true,
      actor: context.actor,
      isDemoSite: app.site.options.get('DemoSiteEnabled'),
    });
    await app.accounts.checkFactors({
      call,
      actor: context.actor,
      hasSession: context.session !== undefined,
    });
    const answer = await measure(() => handler(readInput(call, raw), context));
    const { output, message } = answer instanceof Reply ? answer : { output: answer, message: '' };
    const shape = call.shape ?? 'data';
    if (shape === 'file')
      return {
        status: 200,
        body: undefined,
        file: output as FileOutput,
        requestId: context.requestId,
      };
    const total = shape === 'list' ? (output as { total: number }).total : undefined;
    const body = measure(() => successBody(shape, output, message));
    return { status: 200, body, total, requestId: context.requestId };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal_error') throw error;
    return { ...failureReply(call, error, context.language), requestId: context.requestId };
  }
}

/** The input field or option that caused an error. */
function fieldOf({ params }: AppError): string | undefined {
  const field = params['field'] ?? params['key'];
  return typeof field === 'string' ? field : undefined;
}

/** The reply to an AppError, in the envelope of the call. */
export function failureReply(
  call: Pick<Endpoint, 'shape' | 'keepsStatus'> | undefined,
  error: AppError,
  language: Language,
): CallReply {
  const message = translate(language, `error.${error.code}`, error.params);
  const status = call?.keepsStatus ? error.status : failureStatus(error.code);
  const { shape } = call ?? {};
  const data = failureData(error);
  const plain =
    shape === 'code'
      ? codeFailureBody(error, message, fieldOf(error))
      : failureBody(error.code, message, fieldOf(error), shape);
  const body = data === undefined ? plain : { ...plain, data };
  const passes = status === 429 || status === 503;
  return passes
    ? { status, body, retryAfter: Number(error.params.seconds ?? 1) }
    : { status, body };
}
