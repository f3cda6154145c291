/**
 * The reply envelopes of the console API (docs/rules/console-api.md#envelopes), written and read in
 * one place.
 */

import type { AppError, ErrorCode } from '../kernel/errors.ts';
import { isObject } from '../kernel/json.ts';
import type { Endpoint, FileOutput, Shape } from './endpoint.ts';

/** A reply's human-readable message. */
/** The header that names the build of the console that this gateway serves. */
export const buildHeader = 'X-Turnpike-Build';

export class Reply<T> {
  readonly output: T;
  readonly message: string;
  constructor(output: T, message = '') {
    this.output = output;
    this.message = message;
  }
}

/**
 * `code` and `field` are additions to the envelope of One API and New API: scripts, forms and the
 * command line read them. `field` names the input field or the option that was refused.
 */
export function failureBody(
  code: ErrorCode,
  message: string,
  field?: string,
  shape?: Shape,
): Record<string, unknown> {
  const added = { code, ...(field !== undefined && { field }) };
  // Clients show `data`. Without the key `success`, because they would show `message` too.
  if (shape === 'payment') return { message: 'error', data: message, ...added };
  return { success: false, message, ...(shape === 'order' && { data: message }), ...added };
}

/**
 * The failure of a call of shape `code`. `reason`, `field` and the seconds until a retry are
 * additions that our clients read.
 */
export function codeFailureBody(
  { code, status, params }: AppError,
  message: string,
  field?: string,
): Record<string, unknown> {
  const { seconds } = params;
  return {
    code: status,
    message,
    reason: code,
    ...(field !== undefined && { field }),
    ...(seconds !== undefined && { seconds }),
  };
}

/**
 * What callers need to go on after a failure: the challenge of a second step, and the ways to prove
 * oneself.
 */
export interface FailureData {
  readonly challenge?: string;
  readonly methods: readonly string[];
}

export function failureData({
  code,
  params,
}: Pick<AppError, 'code' | 'params'>): FailureData | undefined {
  if (code !== 'second_factor_required' && code !== 'step_up_required') return undefined;
  const methods = String(params['methods'] ?? '')
    .split(',')
    .filter(Boolean);
  return {
    methods,
    ...(params['challenge'] !== undefined && { challenge: String(params['challenge']) }),
  };
}

/** The data of a failure in a reply, where its code has some. */
function readFailureData(code: ErrorCode | undefined, data: unknown): FailureData | undefined {
  if ((code !== 'second_factor_required' && code !== 'step_up_required') || !isObject(data))
    return undefined;
  const { methods, challenge } = data;
  return {
    methods: Array.isArray(methods) ? methods.map(String) : [],
    ...(typeof challenge === 'string' && { challenge }),
  };
}

export function successBody(
  shape: Exclude<Shape, 'file'>,
  output: unknown,
  message: string,
): Record<string, unknown> {
  switch (shape) {
    case 'flat':
      return { success: true, message, ...(output as object) };
    case 'code':
      return { code: 200, message, data: output };
    case 'payment':
      return { success: true, message: 'success', ...(output as object) };
    case 'order':
      return { success: true, message: 'success', data: output };
    case 'list':
      return { success: true, message, data: (output as { items: unknown }).items };
    case 'data':
      return output === undefined
        ? { success: true, message }
        : { success: true, message, data: output };
  }
}

/**
 * A failed call, as its client sees it. `code` is undefined if the server sent none. A server of
 * another release may send one that is not in the table of errors: it is not looked up here, so
 * that the console does without the table.
 */
export class CallError extends Error {
  readonly code: ErrorCode | undefined;
  readonly status: number;
  readonly requestId: string | undefined;
  /** The input field or the option that was refused, where the server names one. */
  readonly field: string | undefined;
  /** When a retry may succeed, where the server says so. */
  readonly seconds: number | undefined;
  readonly data: FailureData | undefined;
  constructor(
    message: string,
    status: number,
    code?: ErrorCode,
    requestId?: string,
    options?: {
      cause?: unknown;
      field?: string | undefined;
      seconds?: number | undefined;
      data?: FailureData | undefined;
    },
  ) {
    super(message, options);
    this.name = 'CallError';
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.field = options?.field;
    this.seconds = options?.seconds;
    this.data = options?.data;
  }
}

export interface RawReply {
  readonly status: number;
  readonly body: unknown;
  readonly total?: number | undefined;
  readonly requestId?: string | undefined;
  /** The download of a call of shape `file` that succeeded; there is no body then. */
  readonly file?: FileOutput | undefined;
}

/**
 * Unwraps the output of a call. Throws {@link CallError} on failures and on replies without an
 * envelope.
 */
export function openEnvelope(
  call: Pick<Endpoint, 'shape'>,
  reply: RawReply,
): { output: unknown; message: string } {
  if (reply.file !== undefined) return { output: reply.file, message: '' };
  const { body } = reply;
  const fail = (message: string, code?: unknown): never => {
    const field = isObject(body) && typeof body['field'] === 'string' ? body['field'] : undefined;
    const known =
      typeof code === 'string' && /^[a-z0-9_]+$/.test(code) ? (code as ErrorCode) : undefined;
    const seconds =
      isObject(body) && typeof body['seconds'] === 'number' ? body['seconds'] : undefined;
    const data = isObject(body) ? readFailureData(known, body['data']) : undefined;
    const text = message || `HTTP ${reply.status}`;
    throw new CallError(text, reply.status, known, reply.requestId, { field, seconds, data });
  };
  if (!isObject(body)) return fail(`HTTP ${reply.status}`);
  if (isObject(body['error']))
    return fail(String(body['error']['message'] ?? `HTTP ${reply.status}`), body['error']['code']);
  const message = typeof body['message'] === 'string' ? body['message'] : '';
  const shape = call.shape ?? 'data';
  if (shape === 'code') {
    return body['code'] === 200 ? { output: body['data'], message } : fail(message, body['reason']);
  }
  if (shape === 'payment') {
    const { success, message: _, ...output } = body;
    return success === true
      ? { output, message }
      : fail(String(output['data'] ?? message), output['code']);
  }
  if (shape === 'flat' && reply.status < 400 && body['code'] === undefined)
    return { output: body, message };
  if (body['success'] !== true) return fail(message, body['code']);
  if (shape === 'list') {
    const items = Array.isArray(body['data']) ? body['data'] : [];
    return { output: { items, total: reply.total ?? items.length }, message };
  }
  return { output: body['data'], message };
}
