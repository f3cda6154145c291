/**
 * The message pusher of One API, which reaches WeChat and others
 * (docs/rules/notices.md#message-pusher).
 */
import { AppError } from '../kernel/errors.ts';
import { isObject, parseJson } from '../kernel/json.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Upstream } from '../upstream/send.ts';
import { fillContent, type Notice } from './notice.ts';

const timeout = 5000;
const maxReplyBytes = 64 * 1024;

/**
 * Throws AppError if the message cannot be sent. The owner sets the address, so it may be a private
 * one.
 */
export async function pushMessage(
  notice: Notice,
  options: Pick<OptionStore, 'get'>,
  upstream: Pick<Upstream, 'collect'>,
  signal: AbortSignal,
): Promise<void> {
  const text = fillContent(notice, (value) => value);
  const message = {
    title: notice.title,
    description: text,
    content: text,
    url: notice.link ?? '',
    channel: '',
  };
  const reply = await upstream.collect(
    {
      method: 'POST',
      url: options.get('MessagePusherAddress'),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...message, token: options.get('MessagePusherToken') }),
      firstByteTimeout: timeout,
      idleTimeout: timeout,
    },
    maxReplyBytes,
    AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
  );
  const answer = parseJson(reply.bytes.toString('utf8'));
  if (reply.status !== 200 || !isObject(answer) || answer['success'] !== true) {
    throw new AppError('bad_response_status_code', { status: reply.status });
  }
}
