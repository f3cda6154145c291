/**
 * Dify's error codes, of failed replies and of `error` events alike
 * (docs/rules/providers.md#dify-replies).
 */
import type { ProviderError } from '../../canonical/chat-reply.ts';
import { readFailure } from '../../canonical/kit/failure.ts';
import { countOf, type Loose, textOf } from '../../canonical/kit/read-json.ts';
import type { UpstreamFailure } from '../../canonical/provider.ts';

/** What comes with status 400 although the application, not the request, is at fault. */
const meanings: Readonly<Record<string, Pick<ProviderError, 'status' | 'accountFault'>>> = {
  unauthorized: { status: 401, accountFault: true },
  provider_quota_exceeded: { status: 402, accountFault: true },
  provider_not_initialize: { status: 403, accountFault: true },
  app_unavailable: { status: 503 },
};

function judged(error: ProviderError): ProviderError {
  return { ...error, ...meanings[error.code ?? ''] };
}

/** An error that came with status 200: `{status, code, message}`. */
export function difyError({ status, code, message }: Loose): ProviderError {
  const reported = countOf(status) ?? 0;
  return judged({
    status: reported >= 400 && reported <= 599 ? reported : 502,
    code: textOf(code),
    message: textOf(message),
  });
}

export function readDifyFailure(failure: UpstreamFailure): ProviderError {
  return judged(readFailure(failure));
}
