/** Moonshot's error codes (docs/rules/providers.md#moonshot-account). */
import type { ProviderError } from '../../canonical/chat-reply.ts';
import { readFailure } from '../../canonical/kit/failure.ts';
import type { UpstreamFailure } from '../../canonical/provider.ts';

/** An empty account comes with status 429, like a limit. */
const meanings: Readonly<Record<string, Pick<ProviderError, 'status' | 'accountFault'>>> = {
  exceeded_current_quota_error: { status: 402, accountFault: true },
  invalid_authentication_error: { status: 401, accountFault: true },
  rate_limit_reached_error: { status: 429 },
  engine_overloaded_error: { status: 429 },
  content_filter: { status: 400 },
};

export function readMoonshotFailure(failure: UpstreamFailure): ProviderError {
  const error = readFailure(failure);
  return { ...error, ...meanings[error.type ?? ''] };
}
