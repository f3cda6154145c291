/**
 * Payment notices of providers (docs/rules/payments.md#notices). They are no calls of the console
 * API: their format and their replies are the provider's. No rate limit applies, since a provider
 * sends all notices from a few addresses; nothing is read from the database before the signature is
 * verified.
 */
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type Response,
} from 'express';
import type { App } from '../core/app.ts';
import { AppError } from '../core/kernel/errors.ts';
import { isObject } from '../core/kernel/json.ts';

const maxNoticeBytes = 64 * 1024;
const epayPath = '/api/user/epay/notify';

const wechatPayPath = '/api/user/wechatpay/notify';

export function mountPaymentNotices(server: Express, app: App): void {
  mountEpay(server, app);
  mountWechatPay(server, app);
}

/** Every reply is a text: `success`, or `fail` for a notice that the gateway should send again. */
function mountEpay(server: Express, app: App): void {
  const form = express.urlencoded({ extended: false, limit: maxNoticeBytes });
  const answer = async (request: Request, response: Response) => {
    response.setHeader('Cache-Control', 'no-store');
    try {
      await app.payments.epay.notice(
        readFields(request.method === 'POST' ? request.body : request.query),
      );
      response.type('text/plain').send('success');
    } catch (error) {
      logRefusal(app, 'epay', error);
      response.type('text/plain').send('fail');
    }
  };
  server.get(epayPath, answer);
  server.post(epayPath, form, answer);
  const unreadable: ErrorRequestHandler = (_error, _request, response, _next) => {
    response.setHeader('Connection', 'close'); // the rest of the body is not read
    response.type('text/plain').send('fail');
  };
  server.use(epayPath, unreadable);
}

/** 204, or `{code: "FAIL"}` with a status that makes WeChat Pay send the notice again. */
function mountWechatPay(server: Express, app: App): void {
  const fail = (response: Response, status: number, message: string): void => {
    response.status(status).json({ code: 'FAIL', message });
  };
  server.post(
    wechatPayPath,
    express.raw({ type: () => true, limit: maxNoticeBytes }),
    async (request, response) => {
      response.setHeader('Cache-Control', 'no-store');
      try {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        await app.payments.wechatPay.notice({ headers: request.headers, body });
        response.status(204).end();
      } catch (error) {
        logRefusal(app, 'wechatpay', error);
        if (error instanceof AppError && error.status < 500)
          fail(response, error.status, error.code);
        else fail(response, 500, 'internal_error');
      }
    },
  );
  const unreadable: ErrorRequestHandler = (_error, _request, response, _next) => {
    response.setHeader('Connection', 'close'); // the rest of the body is not read
    fail(response, 400, 'payment_notice_invalid');
  };
  server.use(wechatPayPath, unreadable);
}

/** Throws AppError payment_notice_invalid where a field occurs twice. */
function readFields(sent: unknown): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(isObject(sent) ? sent : {})) {
    if (typeof value !== 'string') throw new AppError('payment_notice_invalid');
    fields[name] = value;
  }
  return fields;
}

/** Anybody can send a forged notice, so only errors of this process count as errors. */
function logRefusal({ logger }: App, provider: string, error: unknown): void {
  if (error instanceof AppError && error.status < 500)
    logger.warn({ provider, code: error.code }, 'a payment notice was refused');
  else logger.error({ provider, error }, 'a payment notice could not be processed');
}
