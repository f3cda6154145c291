import type { ProviderError } from '../../canonical/chat-reply.ts';
import { readFailure } from '../../canonical/kit/failure.ts';
import { recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { UpstreamFailure } from '../../canonical/provider.ts';

/**
 * `{code, statusText, message, data}` (docs/rules/providers.md#fastgpt). Codes and messages differ
 * between versions, so `statusText` is matched loosely.
 */
export function readFastGptFailure(failure: UpstreamFailure): ProviderError {
  const error = readFailure(failure);
  const status = textOf(recordOf(failure.body)?.statusText);
  const type = status ?? error.type;
  if (status?.startsWith('unAuth') === true)
    return { ...error, type, status: 401, accountFault: true };
  if (status !== undefined && /quota|balance/i.test(status))
    return { ...error, type, status: 402, accountFault: true };
  return { ...error, type };
}
