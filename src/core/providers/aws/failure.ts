/** What Bedrock's exceptions mean (docs/rules/providers.md#bedrock-failures). */
import type { ProviderError } from '../../canonical/chat-reply.ts';
import { failureMessage, retryAfterOf } from '../../canonical/kit/failure.ts';
import { type Loose, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { UpstreamFailure } from '../../canonical/provider.ts';

/** Statuses of exceptions within a stream, whose HTTP status is already 200. */
const statusByName: Readonly<Record<string, number>> = {
  ValidationException: 400,
  ServiceQuotaExceededException: 400,
  AccessDeniedException: 403,
  ResourceNotFoundException: 404,
  ModelTimeoutException: 408,
  ModelStreamErrorException: 424,
  ModelErrorException: 424,
  ThrottlingException: 429,
  ModelNotReadyException: 429,
  InternalServerException: 500,
  ServiceUnavailableException: 503,
};

/** The key is unknown, revoked or expired. */
const keyFaults = new Set([
  'UnrecognizedClientException',
  'InvalidClientTokenId',
  'MissingAuthenticationToken',
  'ExpiredTokenException',
]);

function messageOf(body: Loose | undefined): string | undefined {
  return textOf(body?.message) ?? textOf(body?.Message) ?? failureMessage(body);
}

/** An exception within a stream. `name` as the frame spells it: `throttlingException`. */
export function bedrockError(name: string, payload: Loose): ProviderError {
  const code = name.slice(0, 1).toUpperCase() + name.slice(1);
  return { status: statusByName[code] ?? 500, message: messageOf(payload), code };
}

/** The exception's name stands in a header, with an address behind it. */
export function readBedrockFailure(failure: UpstreamFailure): ProviderError {
  const body = recordOf(failure.body);
  const name = failure.headers['x-amzn-errortype'] ?? textOf(body?.__type) ?? '';
  const code = textOf(name.split(':')[0]?.split('#').at(-1));
  return {
    status: failure.status,
    message: messageOf(body),
    code,
    retryAfter: retryAfterOf(failure.headers),
    ...(keyFaults.has(code ?? '') || failure.status === 401 ? { accountFault: true } : {}),
  };
}
