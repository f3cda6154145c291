/**
 * Failures that a Responses upstream reports behind status 200
 * (docs/rules/providers.md#openai-responses-streams).
 */
import type { ProviderError } from '../../chat-reply.ts';
import { errorFromBody } from '../../kit/failure.ts';
import { type Loose, recordOf, textOf } from '../../kit/read-json.ts';

/** Codes of faults in the request: no other channel of this type would serve it. */
const requestFaults =
  /^(?:invalid_|context_length|image_|failed_to_download_image|empty_image|unsupported_|cyber_policy)/;

function isRequestFault(code: string | undefined): boolean {
  return code !== undefined && requestFaults.test(code);
}

/**
 * The error in a response object, an `error` event (its fields flat or nested) or a plain error
 * body.
 */
export function readResponsesFailure(holder: Loose): ProviderError {
  const nested = recordOf(holder.error);
  // In an event `type` names the event, not the error.
  const error = nested ?? { code: holder.code, message: holder.message, param: holder.param };
  const read = errorFromBody({ error });
  return read.status === 502 && isRequestFault(textOf(error.code))
    ? { ...read, status: 400 }
    : read;
}

/** The failure that a stream event reports; undefined where it reports none. */
export function failureOfEvent(event: Loose): ProviderError | undefined {
  if (event.type === 'response.failed') return readResponsesFailure(recordOf(event.response) ?? {});
  if (event.type === 'error') return readResponsesFailure(event);
  return event.type === undefined && recordOf(event.error) !== undefined
    ? readResponsesFailure(event)
    : undefined;
}
