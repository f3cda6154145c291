import type { ProviderError } from '../../canonical/chat-reply.ts';
import { readFailure, retryAfterOf, wholeSeconds } from '../../canonical/kit/failure.ts';
import { recordOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import type { UpstreamFailure } from '../../canonical/provider.ts';
import { geminiError } from './decode-parts.ts';

/** `retryDelay: "34s"` of the RetryInfo detail, in whole seconds. */
function retryDelay(body: unknown): number | undefined {
  const root = recordOf(Array.isArray(body) ? body[0] : body);
  for (const detail of recordsOf(recordOf(root?.error)?.details)) {
    const seconds = wholeSeconds(Number.parseFloat(textOf(detail.retryDelay) ?? ''));
    if (seconds !== undefined) return seconds;
  }
  return undefined;
}

/**
 * Google's failures: a bad key comes as 400 and counts as 401
 * (docs/rules/providers.md#gemini-failures).
 */
export function readGoogleFailure(failure: UpstreamFailure): ProviderError {
  const error = readFailure(failure);
  const own = geminiError(failure.body);
  return {
    ...error,
    status: own.status === 401 ? 401 : failure.status,
    code: own.code,
    retryAfter: retryAfterOf(failure.headers) ?? retryDelay(failure.body),
    accountFault: own.accountFault ?? error.accountFault,
  };
}

/** With an API key a 403 concerns the key too (docs/rules/routing.md#channel-fault). */
export function readGeminiFailure(failure: UpstreamFailure): ProviderError {
  const error = readGoogleFailure(failure);
  return failure.status === 403 ? { ...error, accountFault: true } : error;
}
