/**
 * Webhook notices: signed, and sent to public https addresses only
 * (docs/rules/notices.md#webhooks).
 */
import { createHmac } from 'node:crypto';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { type GuardPolicy, isWebhookAddress } from '../upstream/guard.ts';
import { createCalls } from '../upstream/open-upstream.ts';
import type { Upstream } from '../upstream/send.ts';
import { fillContent, type Notice } from './notice.ts';

export interface WebhookTarget {
  readonly url: string;
  /** '': not signed. */
  readonly secret: string;
}

export interface Webhooks {
  /**
   * Tries three times. Throws AppError webhook_url_invalid, address_not_allowed, or the error of
   * the last try.
   */
  post(notice: Notice, target: WebhookTarget, signal: AbortSignal): Promise<void>;
  /** The same with a body of its own, which is JSON. */
  send(body: string, target: WebhookTarget, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The operator's service that sends webhooks in our place (`WorkerUrl`). */
export interface WebhookWorker {
  readonly url: string;
  /** The key it expects. */
  readonly key: string;
}

export interface WebhookDeps {
  readonly guard: GuardPolicy;
  readonly clock: Clock;
  /** Undefined: webhooks are sent directly. */
  readonly worker?: () => WebhookWorker | undefined;
  /** Without the guard, for the worker. */
  readonly unguarded?: Pick<Upstream, 'deliver'>;
  /** Milliseconds between tries. */
  readonly pauses?: readonly number[];
}

interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Milliseconds for one try, and how much of a reply is read, in bytes. */
const timeout = 5000;
const maxReplyBytes = 64 * 1024;

export function createWebhooks({
  guard,
  clock,
  pauses = [1000, 5000],
  worker,
  unguarded,
}: WebhookDeps): Webhooks {
  const upstream = createCalls(guard);

  /**
   * The worker takes https addresses only; http to a host that the operator allowed is sent
   * directly.
   */
  const requestFor = (message: Message): Message & { readonly by: Pick<Upstream, 'deliver'> } => {
    const service = worker?.();
    if (service === undefined || unguarded === undefined || !/^https:/i.test(message.url))
      return { ...message, by: upstream };
    const { url, headers, body } = message;
    const order = {
      url,
      key: service.key,
      method: 'POST',
      headers,
      body: JSON.parse(body) as unknown,
    };
    return {
      url: service.url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
      by: unguarded,
    };
  };

  /** Redirects are not followed: a 3xx status counts as a failure. */
  const attempt = async (message: Message, signal: AbortSignal): Promise<void> => {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
    const { by, ...request } = requestFor(message);
    const limits = { method: 'POST', firstByteTimeout: timeout, idleTimeout: timeout } as const;
    const status = await by.deliver({ ...request, ...limits }, maxReplyBytes, limited);
    if (status < 200 || status > 299) throw new AppError('bad_response_status_code', { status });
  };

  const send: Webhooks['send'] = async (body, { url, secret }, signal) => {
    if (!isWebhookAddress(url, guard)) throw new AppError('webhook_url_invalid');
    const headers = { 'content-type': 'application/json', ...signatureOf(body, secret) };
    for (let tried = 0; ; tried += 1) {
      try {
        return await attempt({ url, headers, body }, signal);
      } catch (error) {
        const pause = pauses[tried];
        if (pause === undefined || signal.aborted || isRefusal(error)) throw error;
        await clock.sleep(pause, signal);
      }
    }
  };

  return {
    send,
    post: (notice, target, signal) => {
      const { type, title, values } = notice;
      const content = fillContent(notice, (value) => value);
      return send(
        JSON.stringify({ type, title, content, values, timestamp: nowSeconds(clock) }),
        target,
        signal,
      );
    },
    close: () => upstream.close(),
  };
}

/** The headers by which the receiver knows the sender; none without a secret. */
export function signatureOf(body: string, secret: string): Record<string, string> {
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
