import type { ProviderError } from '../../canonical/chat-reply.ts';
import { countOf, recordOf, textOf } from '../../canonical/kit/read-json.ts';

/**
 * The error in a reply or event, whose number is type and code alike
 * (docs/rules/providers.md#ai-proxy).
 */
export function libraryError(body: unknown): ProviderError | undefined {
  const root = recordOf(body);
  const number = countOf(root?.errCode);
  if (number === undefined || number === 0) return undefined;
  const code = String(number);
  return { status: 500, message: textOf(root?.message), type: code, code };
}
