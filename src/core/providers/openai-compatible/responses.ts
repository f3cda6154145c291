/**
 * A vendor's Responses interface: for which chats it is used, and what bodies need there
 * (docs/rules/providers.md#openai-responses).
 */

import type { ChatRequest } from '../../canonical/chat.ts';
import { foreignSignature, stripForeignReasoning } from '../../canonical/kit/foreign-signature.ts';
import { compact, listOf, textOf } from '../../canonical/kit/read-json.ts';
import { effortOf } from '../../canonical/kit/reasoning.ts';
import { effortFor, openAiFacts } from '../../canonical/models/openai.ts';
import type { BodyFields } from '../../canonical/pass-through.ts';
import type { Call } from '../../canonical/provider.ts';
import { takesTool as takesResponsesTool } from '../../canonical/wires/openai-responses/tools.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { writeResponsesBody } from '../openai-responses/encode-request.ts';
import { askEffort, takesTool as takesChatTool, writeEffort } from './encode-chat.ts';
import { type EditFields, editForOpenAi, type FieldEdits, splitEffort } from './model-rules.ts';
import type { OpenAiSettings } from './settings.ts';

/** What of a chat decides whether chat completions serves it. */
export interface ChatNeeds {
  /** It has functions to call. */
  readonly tools: boolean;
  readonly effort: JsonValue | undefined;
}

const functionFields = ['tools', 'functions'] as const;

/** The same of a chat caller's body. */
export function needsInBody(fields: BodyFields): ChatNeeds {
  return {
    tools: functionFields.some((name) => listOf(fields.get(name)).length > 0),
    effort: fields.get('reasoning_effort'),
  };
}

/** Whether Responses has a tool of the request that chat completions do not: a search, for one. */
export function hasToolOfResponses(request: ChatRequest | undefined, model: string): boolean {
  return (
    request?.tools?.some(
      (tool) =>
        tool.type !== 'function' &&
        takesResponsesTool(tool) &&
        !takesChatTool(tool, request, model),
    ) === true
  );
}

/** `request` undefined: nobody knows it any more. */
export function needsInRequest(request: ChatRequest | undefined): ChatNeeds {
  return {
    tools: (request?.tools ?? []).length > 0,
    effort: effortOf(request?.reasoning),
  };
}

/**
 * Whether a chat with this model is translated to Responses
 * (docs/rules/providers.md#openai-responses). The channel's `use_responses` decides, else the model
 * and what the chat needs, which is looked into only where its model makes a difference of it.
 */
export function chatsByResponses(
  settings: OpenAiSettings | undefined,
  named: string,
  needsOf: () => ChatNeeds,
): boolean {
  if (settings?.use_responses !== undefined) return settings.use_responses;
  const { model, effort } = splitEffort(named);
  const { responses } = openAiFacts(model);
  if (responses === undefined || responses === 'always') return responses === 'always';
  const needs = needsOf();
  if (!needs.tools) return false;
  const fitted = effortFor(model, effort ?? needs.effort);
  return fitted !== 'none' && (responses === 'tools' || fitted !== undefined);
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
  if (!('reasoning_effort' in edits)) return { model, edits };
  const { reasoning_effort: effort, ...others } = edits;
  return { model, edits: { ...others, reasoning: compact({ ...requested, effort }) } };
};

/** A chat as Responses body, before the edits its model needs. */
export function writeChatAsResponses(request: ChatRequest, model: string): JsonObject {
  const effort = writeEffort(request, model) ?? textOf(askEffort(request, model).reasoning_effort);
  return writeResponsesBody(request, model, effort);
}
