/** Ark's error codes (docs/rules/providers.md#ark-failures). */
import type { ProviderError } from '../../canonical/chat-reply.ts';
import { readFailure } from '../../canonical/kit/failure.ts';
import type { UpstreamFailure } from '../../canonical/provider.ts';

type Meaning = Pick<ProviderError, 'status' | 'accountFault'>;

/**
 * Codes have details behind them: `RateLimitExceeded.EndpointTPMExceeded`,
 * `InputTextSensitiveContentDetected`.
 */
const meanings: readonly (readonly [word: string, meaning: Meaning])[] = [
  ['AuthenticationError', { status: 401, accountFault: true }],
  ['AccountOverdueError', { status: 402, accountFault: true }],
  ['RateLimitExceeded', { status: 429 }],
  ['QuotaExceeded', { status: 429 }],
  ['SensitiveContentDetected', { status: 400 }],
  ['ModelNotOpen', { status: 404 }],
];

export function readArkFailure(failure: UpstreamFailure): ProviderError {
  const error = readFailure(failure);
  return { ...error, ...meanings.find(([word]) => error.code?.includes(word) === true)?.[1] };
}
