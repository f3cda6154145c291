/** Fields of OpenRouter's chats besides OpenAI's (docs/rules/providers.md#openrouter-requests). */

import type { AssistantMessage, ChatRequest, Reasoning } from '../../canonical/chat.ts';
import { compact, countOf } from '../../canonical/kit/read-json.ts';
import { missingSignature, thinksByLevel } from '../../canonical/models/gemini.ts';
import {
  writeClaudeDetails,
  writeGeminiDetails,
} from '../../canonical/wires/openai/reasoning-details.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import type { EditFields, FieldEdits, FieldReader } from '../openai-compatible/model-rules.ts';

const thinkingSuffix = '-thinking';

/** Model series whose servers support cache marks; for others the marks are removed. */
export function takesCacheControl(model: string): boolean {
  return model.startsWith('anthropic/') || model.startsWith('google/gemini');
}

export function isClaude(model: string): boolean {
  return model.startsWith('anthropic/');
}

/** Others than OpenAI's models may not know the role. */
export function takesDeveloperRole(model: string): boolean {
  return model.startsWith('openai/');
}

/**
 * Claude's thinking is sent back with its signatures, and calls of Gemini 3 with theirs, without
 * which they are refused.
 */
export function reasoningDetails(
  model: string,
): ((message: AssistantMessage) => JsonObject[]) | undefined {
  if (isClaude(model)) return writeClaudeDetails;
  const gemini = model.startsWith('google/') && thinksByLevel(model.slice('google/'.length));
  return gemini ? (message) => writeGeminiDetails(message, missingSignature) : undefined;
}

/** Thinking tokens that Anthropic's own field requests. */
function budgetOf(thinking: JsonValue | undefined): number | undefined {
  return isObject(thinking) && thinking.type === 'enabled'
    ? countOf(thinking.budget_tokens)
    : undefined;
}

/**
 * All thinking settings in the one field that OpenRouter reads; what the caller wrote into it wins.
 */
function editReasoning(field: FieldReader, suffixed: boolean): FieldEdits {
  const given = field('reasoning');
  const effort = field('reasoning_effort');
  const thinking = field('thinking');
  const reported: JsonObject = isObject(given) ? (given as JsonObject) : {};
  const budget = budgetOf(thinking);
  const open = reported.effort === undefined && reported.max_tokens === undefined;
  const requested = compact({
    enabled: suffixed ? true : undefined,
    max_tokens: open ? budget : undefined,
    effort: open && budget === undefined && typeof effort === 'string' ? effort : undefined,
  });
  const edits: FieldEdits = {};
  if (effort !== undefined) edits.reasoning_effort = undefined;
  if (thinking !== undefined) edits.thinking = undefined;
  if (Object.keys(requested).length > 0) edits.reasoning = { ...requested, ...reported };
  return edits;
}

export const editForOpenRouter: EditFields = (field, given) => {
  const suffixed = given.endsWith(thinkingSuffix);
  const model = suffixed ? given.slice(0, -thinkingSuffix.length) : given;
  return { model, edits: { ...editReasoning(field, suffixed), usage: { include: true } } };
};

/** Efforts that OpenRouter names; the highest of others is its highest. */
function writeEffort(effort: NonNullable<Reasoning['effort']>): string {
  return effort === 'max' ? 'xhigh' : effort;
}

/**
 * Claude Code's effort concerns the length of the text as well as thinking: it is sent as
 * verbosity.
 */
function writeReasoning({ reasoning, origin }: ChatRequest): FieldEdits {
  if (reasoning === undefined) return {};
  const { effort, budgetTokens, adaptive, include } = reasoning;
  const asVerbosity = origin === 'anthropic-messages' && effort !== undefined && effort !== 'none';
  const thinks = compact({
    enabled: adaptive === true || budgetTokens === -1 ? true : undefined,
    max_tokens: budgetTokens !== undefined && budgetTokens > 0 ? budgetTokens : undefined,
    effort:
      effort === undefined || asVerbosity || (budgetTokens ?? 0) > 0
        ? undefined
        : writeEffort(effort),
    exclude: include === false ? true : undefined,
  });
  return {
    ...(Object.keys(thinks).length > 0 ? { reasoning: thinks } : {}),
    ...(asVerbosity ? { verbosity: effort === 'minimal' ? 'low' : effort } : {}),
  };
}

/**
 * Settings of callers of other formats. OpenRouter accepts `top_k` and passes it to models that
 * support it.
 */
export function writeOwnFields(request: ChatRequest): FieldEdits {
  if (request.origin === 'openai-chat') return {};
  return { ...writeReasoning(request), top_k: request.topK };
}
