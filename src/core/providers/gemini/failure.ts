import type { ProviderError } from '../canonical.ts';
import { readFailure, retryAfterOf } from '../kit/failure.ts';
import { recordOf, recordsOf, textOf } from '../kit/read-json.ts';
import type { UpstreamFailure } from '../provider.ts';
import { geminiError } from './decode-parts.ts';

/** `retryDelay: "34s"` of the RetryInfo detail, in whole seconds. */
function retryDelay(body: unknown): number | undefined {
  const root = recordOf(Array.isArray(body) ? body[0] : body);
  for (const detail of recordsOf(recordOf(root?.error)?.details)) {
    const seconds = Number.parseFloat(textOf(detail.retryDelay) ?? '');
    if (seconds >= 0) return Math.ceil(seconds);
  }
  return undefined;
}

/** A bad key comes as 400 and counts as 401; a 403 concerns the key too (spec, providers-international 3.8; relay 9). */
export function readGeminiFailure(failure: UpstreamFailure): ProviderError {
  const error = readFailure(failure);
  const own = geminiError(failure.body);
  const status = own.status === 401 ? 401 : failure.status;
  const accountFault = own.accountFault === true || failure.status === 403 ? true : error.accountFault;
  return {
    ...error,
    status,
    code: own.code,
    retryAfter: retryAfterOf(failure.headers) ?? retryDelay(failure.body),
    accountFault,
  };
}
