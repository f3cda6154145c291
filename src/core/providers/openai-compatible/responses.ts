/**
 * A vendor's Responses interface: for which chats it is used, and what bodies need there
 * (docs/rules/providers.md#openai-responses).
 */

import type { ChatRequest } from '../../canonical/chat.ts';
import { foreignSignature, stripForeignReasoning } from '../../canonical/kit/foreign-signature.ts';
import type { BodyFields, Call } from '../../canonical/provider.ts';
import { isObject, type JsonObject } from '../../kernel/json.ts';
import { writeResponsesBody } from '../openai-responses/encode-request.ts';
import { writeEffort } from './encode-chat.ts';
import { type EditFields, editForOpenAi, type FieldEdits } from './model-rules.ts';
import type { OpenAiSettings } from './settings.ts';

/** Models that `/v1/chat/completions` does not know. */
const onlyResponses =
  /(?:^|[-/])codex|^o[13]-pro|^gpt-\d+(?:\.\d+)?-pro|-deep-research|^computer-use-preview/;

/**
 * Whether a chat with this model is translated to Responses. The channel's `use_responses` decides,
 * else the model.
 */
export function chatsByResponses(settings: OpenAiSettings | undefined, model: string): boolean {
  return settings?.use_responses ?? onlyResponses.test(model);
}

/** A Responses body that passes through leaves out the thinking of other providers. */
export function withoutForeignReasoning(fields: BodyFields): FieldEdits {
  return fields.contains?.(foreignSignature) === true
    ? { input: stripForeignReasoning(fields.get('input')) }
    : {};
}

/** Without these fields the upstream might not understand the body. */
const forwardedHeaderNames = ['openai-beta', 'x-openai-internal-codex-responses-lite'];

/** The caller's headers that are forwarded with its body. */
export function forwardedHeaders({ clientHeaders }: Call): Record<string, string> {
  return Object.fromEntries(
    Object.entries(clientHeaders).filter(([name]) => forwardedHeaderNames.includes(name)),
  );
}

const sameAsInChat = new Set(['temperature', 'top_p', 'top_logprobs']);

/** OpenAI's rules for models that think, where effort and limit have other names than in chat. */
export const editResponsesForOpenAi: EditFields = (field, given, call) => {
  const reasoning = field('reasoning');
  const requested: JsonObject = isObject(reasoning) ? (reasoning as JsonObject) : {};
  const asInChat = (name: string) => {
    if (name === 'reasoning_effort') return requested.effort;
    return sameAsInChat.has(name) ? field(name) : undefined;
  };
  const { model, edits } = editForOpenAi(asInChat, given, call);
  const { reasoning_effort: effort, ...others } = edits;
  return {
    model,
    edits: effort === undefined ? others : { ...others, reasoning: { ...requested, effort } },
  };
};

/** A chat as Responses body, before the edits its model needs. */
export function writeChatAsResponses(request: ChatRequest, model: string): JsonObject {
  return writeResponsesBody(request, model, writeEffort(request, model));
}
