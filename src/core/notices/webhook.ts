/** Webhook notices: signed, and sent to public https addresses only (docs/rules/notices.md#webhooks). */
import { createHmac } from 'node:crypto';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { type GuardPolicy, guardedConnector, isWebhookAddress } from '../upstream/guard.ts';
import { createUpstream } from '../upstream/send.ts';
import { fillContent, type Notice } from './notice.ts';

export interface WebhookTarget {
  readonly url: string;
  /** '': not signed. */
  readonly secret: string;
}

export interface Webhooks {
  /** Tries three times. Throws AppError webhook_url_invalid, address_not_allowed, or the error of the last try. */
  post(notice: Notice, target: WebhookTarget, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface WebhookDeps {
  readonly guard: GuardPolicy;
  readonly clock: Clock;
  /** Milliseconds between tries. */
  readonly pauses?: readonly number[];
}

/** Milliseconds for one try, and the largest response that is read, in bytes. */
const timeout = 5000;
const maxReplyBytes = 64 * 1024;

export function createWebhooks({ guard, clock, pauses = [1000, 5000] }: WebhookDeps): Webhooks {
  const upstream = createUpstream({ connect: guardedConnector(guard) });

  /** Redirects are not followed: a 3xx status counts as a failure. */
  const attempt = async (url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<void> => {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
    const request = { method: 'POST', url, headers, body, firstByteTimeout: timeout, idleTimeout: timeout } as const;
    const { status } = await upstream.collect(request, maxReplyBytes, limited);
    if (status < 200 || status > 299) throw new AppError('bad_response_status_code', { status });
  };

  return {
    post: async (notice, { url, secret }, signal) => {
      if (!isWebhookAddress(url, guard)) throw new AppError('webhook_url_invalid');
      const { type, title, values } = notice;
      const content = fillContent(notice, (value) => value);
      const body = JSON.stringify({ type, title, content, values, timestamp: nowSeconds(clock) });
      const headers = { 'content-type': 'application/json', ...signatureOf(body, secret) };
      for (let tried = 0; ; tried += 1) {
        try {
          return await attempt(url, headers, body, signal);
        } catch (error) {
          const pause = pauses[tried];
          if (pause === undefined || signal.aborted || isRefusal(error)) throw error;
          await clock.sleep(pause, signal);
        }
      }
    },
    close: () => upstream.close(),
  };
}

function signatureOf(body: string, secret: string): Record<string, string> {
  if (secret === '') return {};
  return {
    'x-webhook-signature': createHmac('sha256', secret).update(body).digest('hex'),
    authorization: `Bearer ${secret}`,
  };
}

/** An address that the guard rejects is not tried again. */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === 'address_not_allowed';
}
