/** Writes all errors of the console and its API. */
import type { ErrorRequestHandler, Request, Response } from 'express';
import type { App } from '../../core/app.ts';
import type { Endpoint } from '../../core/contract/endpoint.ts';
import { translate } from '../../core/i18n/translate.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { type CallReply, failureReply } from '../call.ts';
import { isBodyError } from './read-json.ts';
import { factsOf } from './request-facts.ts';

/** E4 (docs/rules/console-api.md#unknown-paths): unknown paths and crashes. */
function sendOpenAiError(response: Response, status: number, message: string, type: string): void {
  response.status(status).json({ error: { message, type, param: '', code: '' } });
}

export function sendUnknownPath(request: Request, response: Response): void {
  const path = request.originalUrl.split('?')[0] ?? '';
  sendOpenAiError(
    response,
    404,
    `Invalid URL (${request.method} ${path})`,
    'invalid_request_error',
  );
}

/** Writes a reply, with `Retry-After` if the call can be retried. */
export function sendReply(response: Response, reply: CallReply): void {
  if (reply.retryAfter !== undefined) response.setHeader('Retry-After', String(reply.retryAfter));
  response.status(reply.status).json(reply.body);
}

/** An error in the envelope of its call. */
function sendRefusal(response: Response, request: Request, error: AppError, call?: Endpoint): void {
  sendReply(response, failureReply(call, error, factsOf(request).language));
}

/** Converts an error of the body parser to an AppError; undefined for other errors. */
function asBodyError(
  error: unknown,
  call: Endpoint | undefined,
): { error: AppError; status?: number } | undefined {
  const { type, limit } = error as { type?: unknown; limit?: unknown };
  switch (type) {
    case 'entity.too.large':
      return {
        error: new AppError(
          'request_too_large',
          { limit: Math.round((Number(limit ?? 0) / (1024 * 1024)) * 100) / 100 },
          { cause: error },
        ),
      };
    case 'entity.too.complex':
      return {
        error: new AppError('request_too_complex', { most: Number(limit) }, { cause: error }),
      };
    case 'entity.parse.failed':
    case 'charset.unsupported':
    case 'encoding.unsupported':
    case 'request.aborted':
    case 'request.size.invalid':
      return {
        error: new AppError('invalid_parameter', {}, { cause: error }),
        status: call?.malformedStatus,
      };
    default:
      // A decoder failed: the body is not what its Content-Encoding says, or breaks off.
      return isBodyError(error)
        ? { error: new AppError('invalid_encoding', {}, { cause: error }) }
        : undefined;
  }
}

export function handleErrors(
  app: App,
  callOf: (request: Request) => Endpoint | undefined,
): ErrorRequestHandler {
  return (thrown: unknown, request, response, next) => {
    if (response.headersSent) return next(thrown);
    const call = callOf(request);
    const body = asBodyError(thrown, call);
    if (body !== undefined) {
      // the rest of the body is not read
      if (!request.complete) response.setHeader('Connection', 'close');
      if (body.status !== undefined)
        response
          .status(body.status)
          .json(failureReply(call, body.error, factsOf(request).language).body);
      else sendRefusal(response, request, body.error, call);
      return;
    }
    if (thrown instanceof AppError && thrown.code !== 'internal_error')
      return sendRefusal(response, request, thrown, call);
    if (thrown instanceof URIError) return sendUnknownPath(request, response);
    const { requestId, language } = factsOf(request);
    app.logger.error({ error: thrown, requestId, path: request.path }, 'a request failed');
    const message = `${translate(language, 'error.internal_error')} (request id: ${requestId})`;
    sendOpenAiError(response, 500, message, 'new_api_error');
  };
}
