/** One call of the API, however it arrived: rights, input, handler, envelope (design, examples 3.6). */
import type { App } from '../core/app.ts';
import type { Endpoint } from '../core/contract/endpoint.ts';
import { failureBody, failureStatus, type RawReply, Reply, successBody } from '../core/contract/envelope.ts';
import { type Language, translate } from '../core/i18n/translate.ts';
import { AppError } from '../core/kernel/errors.ts';
import { isObject } from '../core/kernel/json.ts';
import { isRoot, roles } from '../core/vocabulary/roles.ts';
import type { CallContext } from './handlers/context.ts';

/** A reply with the seconds after which asking again may help. */
export interface CallReply extends RawReply {
  readonly retryAfter?: number;
}

export type AnyHandler = (input: never, context: CallContext) => unknown;

const leastRole = { visitor: 0, user: roles.user, admin: roles.admin, root: roles.root } as const;

/** Throws AppError not_signed_in, forbidden, not_set_up, demo_site. */
function checkAccess(app: App, call: Endpoint, context: CallContext): void {
  const { actor } = context;
  if (call.access !== 'visitor') {
    if (actor === null) throw new AppError('not_signed_in');
    if (actor.role < leastRole[call.access]) throw new AppError('forbidden');
  }
  const changes = call.method !== 'GET' || call.changes === true;
  // Before the setup the operator has all rights but no account: nothing of one's own can be changed.
  if (changes && call.access === 'user' && actor?.id === 0) throw new AppError('not_set_up');
  // In demo mode everything may be looked at; only the owner, who must be able to end it, changes anything.
  if (changes && call.access !== 'visitor' && app.options.get('DemoSiteEnabled') && !isRoot(actor?.role ?? 0)) {
    throw new AppError('demo_site');
  }
}

/** Throws AppError invalid_parameter naming the first field that does not fit. */
function readInput(call: Endpoint, raw: unknown): never {
  if (!isObject(raw)) throw new AppError('invalid_parameter');
  const parsed = call.input.safeParse(raw);
  if (parsed.success) return parsed.data as never;
  throw new AppError('invalid_parameter', { field: parsed.error.issues[0]?.path.map(String).join('.') ?? '' });
}

/** Runs the call and resolves with its reply, failures included; only what is no AppError is thrown on. */
export async function performCall(
  app: App,
  call: Endpoint,
  handler: AnyHandler,
  raw: unknown,
  context: CallContext,
): Promise<CallReply> {
  try {
    checkAccess(app, call, context);
    const answer = await handler(readInput(call, raw), context);
    const { output, message } = answer instanceof Reply ? answer : { output: answer, message: '' };
    const shape = call.shape ?? 'data';
    const total = shape === 'list' ? (output as { total: number }).total : undefined;
    return { status: 200, body: successBody(shape, output, message), total, requestId: context.requestId };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal_error') throw error;
    return { ...failureReply(call, error, context.language), requestId: context.requestId };
  }
}

/** The input field or the option that an error is about. */
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
  const body = call?.shape === 'code' ? { code: error.status, message } : failureBody(error.code, message, fieldOf(error));
  return error.code === 'rate_limited' ? { status, body, retryAfter: Number(error.params.seconds ?? 1) } : { status, body };
}
