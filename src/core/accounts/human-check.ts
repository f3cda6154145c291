/** Cloudflare Turnstile on calls that visitors could flood (docs/rules/accounts.md#human-check). */
import { AppError } from '../kernel/errors.ts';
import { parseObject } from '../kernel/json.ts';
import type { Logger } from '../kernel/logger.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Upstream } from '../upstream/send.ts';
import type { PreLogins } from './pre-logins.ts';

export interface HumanCheckDeps {
  readonly options: Pick<OptionStore, 'get'>;
  readonly preLogins: Pick<PreLogins, 'grantPass' | 'usePass'>;
  readonly upstream: Pick<Upstream, 'collect'>;
  /** Address of siteverify. */
  readonly endpoint: string;
  readonly logger: Logger;
}

/** A browser as it is known before its user has signed in. */
export interface CheckedBrowser {
  readonly read: () => string | undefined;
  readonly open: () => string;
}

/**
 * Lets a call pass while the check is off, on a pass of an earlier check, or with a token of the
 * widget. Throws AppError human_check_missing, human_check_failed, human_check_unavailable.
 */
export type RequireHuman = (browser: CheckedBrowser, token: string, ip: string) => Promise<void>;

/** Milliseconds. */
const timeout = 5000;
const maxReplyBytes = 64 * 1024;
/** Cloudflare's own tokens have at most 2,048 characters. */
const longestToken = 2048;

export function bindRequireHuman({
  options,
  preLogins,
  upstream,
  endpoint,
  logger,
}: HumanCheckDeps): RequireHuman {
  const { usePass: takesCall } = preLogins;

  const verify = async (token: string, ip: string): Promise<boolean> => {
    const form = new URLSearchParams({
      secret: options.get('TurnstileSecretKey'),
      response: token,
      remoteip: ip,
    });
    const { status, bytes } = await upstream.collect(
      {
        method: 'POST',
        url: endpoint,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
        firstByteTimeout: timeout,
        idleTimeout: timeout,
      },
      maxReplyBytes,
      AbortSignal.timeout(timeout),
    );
    const reply = parseObject(bytes.toString('utf8'));
    if (typeof reply?.['success'] !== 'boolean')
      throw new AppError('bad_response_status_code', { status });
    const codes = reply['error-codes'];
    // Wrong settings, in contrast to a visitor's old token, are for the operator to see.
    if (Array.isArray(codes) && codes.some((code) => /input-secret/.test(String(code))))
      logger.error({ codes }, 'Turnstile does not accept the secret key');
    return reply['success'];
  };

  return async (browser, token, ip) => {
    if (!options.get('TurnstileCheckEnabled')) return;
    const known = browser.read();
    if (known !== undefined && (await takesCall(known))) return;
    if (token === '') throw new AppError('human_check_missing');
    let passed: boolean;
    try {
      passed = token.length <= longestToken && (await verify(token, ip));
    } catch (error) {
      logger.error({ error }, 'Turnstile could not verify a token');
      throw new AppError('human_check_unavailable', {}, { cause: error });
    }
    if (!passed) throw new AppError('human_check_failed');
    const opened = browser.open();
    await preLogins.grantPass(opened);
    await takesCall(opened);
  };
}
