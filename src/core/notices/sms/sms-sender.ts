import { AppError } from '../../kernel/errors.ts';
import type { Upstream } from '../../upstream/send.ts';

/** A code for a phone. */
export interface CodeMessage {
  /** E.164. */
  readonly phone: string;
  readonly code: string;
  readonly minutes: number;
}

/** One provider of text messages. */
export interface SmsSender {
  isConfigured(): boolean;
  /**
   * Returns the provider's id of the message, '' without one. Throws what went wrong, for the log.
   */
  send(message: CodeMessage, signal: AbortSignal): Promise<string>;
}

const timeout = 5000;
export const limits = { firstByteTimeout: timeout, idleTimeout: timeout } as const;
export const maxReplyBytes = 64 * 1024;

/** Posts and returns the status and the text of the reply. Redirects are not followed. */
export async function post(
  upstream: Pick<Upstream, 'collect'>,
  request: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  },
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly text: string }> {
  const { status, bytes } = await upstream.collect(
    { method: 'POST', ...request, ...limits },
    maxReplyBytes,
    signal,
  );
  return { status, text: bytes.toString('utf8') };
}

/**
 * The provider did not take the message; `reason` is its error code, for the log. Its text may
 * repeat the message.
 */
export function notTaken(status: number, reason?: unknown): AppError {
  return new AppError('bad_response_status_code', {
    status,
    reason: String(reason ?? '').slice(0, 200),
  });
}

/** The variables of a template by name. */
export const templateValues = ({ code, minutes }: CodeMessage) => ({
  code,
  minutes: String(minutes),
});
