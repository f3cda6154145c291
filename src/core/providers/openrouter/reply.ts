/** OpenRouter's answers and errors (docs/rules/providers.md#openrouter-replies). */

import type { ProviderError } from '../../canonical/chat-reply.ts';
import { failureMessage, readFailure as readCommonFailure } from '../../canonical/kit/failure.ts';
import { recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { UpstreamFailure } from '../../canonical/provider.ts';
import { isObject, type JsonObject, parseJson } from '../../kernel/json.ts';
import { changeChoices, rewriteReplies } from '../openai-compatible/rewrite.ts';

/** Characters of an upstream's own error that are passed on. */
const maxRaw = 1000;

/** The message of the provider behind OpenRouter, as text or as an error of its own format. */
function rawMessage(raw: unknown): string | undefined {
  const parsed = typeof raw === 'string' ? parseJson(raw) : raw;
  const words =
    failureMessage(parsed) ?? textOf(raw) ?? (isObject(raw) ? JSON.stringify(raw) : undefined);
  return words?.slice(0, maxRaw);
}

/**
 * `{error: {code, message, metadata: {provider_name, raw}}}`: "Provider returned error" alone does
 * not help.
 */
export function readFailure(failure: UpstreamFailure): ProviderError {
  const error = readCommonFailure(failure);
  const words = rawMessage(recordOf(recordOf(recordOf(failure.body)?.error)?.metadata)?.raw);
  if (words === undefined || error.message?.includes(words) === true) return error;
  return { ...error, message: error.message === undefined ? words : `${error.message}: ${words}` };
}

/** Thinking also under the name that clients read. */
function nameReasoning(choice: JsonObject): JsonObject {
  const place = isObject(choice.delta) ? 'delta' : 'message';
  const message = recordOf(choice[place]) as JsonObject | undefined;
  const reasoning = textOf(message?.reasoning);
  if (message === undefined || reasoning === undefined || message.reasoning_content !== undefined)
    return choice;
  return { ...choice, [place]: { ...message, reasoning_content: reasoning } };
}

/** Gateways of enterprises wrap what they got: `{success, data}`. */
function unwrap(body: JsonObject): JsonObject {
  const data = recordOf(body.data);
  return body.choices === undefined && data?.choices !== undefined ? (data as JsonObject) : body;
}

export const rewrite = rewriteReplies(['"reasoning"'], (body) =>
  changeChoices(unwrap(body), nameReasoning),
);
