import type { ProviderError } from '../../canonical/chat-reply.ts';
import { failureMessage } from '../../canonical/kit/failure.ts';
import type { UpstreamFailure } from '../../canonical/provider.ts';
import { isObject } from '../../kernel/json.ts';
import { readGeminiFailure } from '../gemini/failure.ts';

/** What stands where PaLM stood is not PaLM any more: the channel cannot serve at this address. */
function interfaceEnded(status: number, reply: string | undefined): ProviderError {
  const words =
    'Google has ended the PaLM API (generateMessage): make a channel of type Gemini with this key, ' +
    'or give this one the address of a host that still serves PaLM';
  const message = reply === undefined ? words : `${words}. The upstream said: ${reply}`;
  return { status, code: 'interface_ended', message, accountFault: true };
}

/**
 * A host without the interface replies with 404, 410 or a page that is not JSON
 * (docs/rules/providers.md#retired-interfaces).
 */
export function readPalmFailure(failure: UpstreamFailure): ProviderError {
  const gone = failure.status === 404 || failure.status === 410;
  if (gone || (failure.status < 500 && !isObject(failure.body)))
    return interfaceEnded(failure.status, failureMessage(failure.body));
  return readGeminiFailure(failure);
}
