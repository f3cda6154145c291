import type { AssistantPart, ReasoningPart } from '../../../canonical/chat.ts';
import type { ChatChoice, ChatReply, FinishReason } from '../../../canonical/chat-reply.ts';
import { carryBytes } from '../../../canonical/kit/foreign-signature.ts';
import { audioMediaType } from '../../../canonical/kit/media.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import { argumentsToObject } from '../../../canonical/kit/tool-calls.ts';
import type { Usage } from '../../../canonical/usage.ts';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import type { ReplyContext } from '../shared/chat-translation.ts';
import { writeGrounding } from './grounding.ts';

const finishReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  'content-filter': 'SAFETY',
};

/**
 * `candidatesTokenCount` does not include the tokens of thinking, which have a count of their own.
 */
export function writeGeminiUsage(usage: Usage): JsonObject {
  const prompt = usage.promptTokens ?? 0;
  const completion = usage.completionTokens ?? 0;
  const thoughts = usage.reasoningTokens;
  return compact({
    promptTokenCount: prompt,
    cachedContentTokenCount: usage.cachedTokens,
    candidatesTokenCount: Math.max(0, completion - (thoughts ?? 0)),
    thoughtsTokenCount: thoughts,
    totalTokenCount: prompt + completion,
  });
}

export function callPart(call: {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly signature?: string;
}): JsonObject {
  const functionCall = { id: call.id, name: call.name, args: argumentsToObject(call.arguments) };
  return compact({ functionCall, thoughtSignature: call.signature });
}

export function inlinePart(mediaType: string, data: string): JsonObject {
  return { inlineData: { mimeType: mediaType, data } };
}

function writePart(part: AssistantPart): JsonObject[] {
  switch (part.type) {
    case 'text':
      return textPart(part.text, part.signature);
    // Its place is `finishMessage`.
    case 'refusal':
      return [];
    case 'reasoning':
      return thoughtPart(part);
    case 'tool-call':
      return [callPart(part)];
    case 'image':
      return part.data === undefined ? [] : [inlinePart(part.mediaType ?? 'image/png', part.data)];
    case 'audio':
      return part.data === '' ? [] : [inlinePart(audioMediaType(part.format), part.data)];
  }
}

/** A thought. A signature of another vendor stands where Google's SDK keeps it. */
export function thoughtPart(part: Omit<ReasoningPart, 'type'>): JsonObject[] {
  const isSigned = (part.signature ?? part.redacted) !== undefined;
  if (part.text === '' && !isSigned) return [];
  const thoughtSignature = isSigned ? carryBytes(part) : undefined;
  return [compact({ text: part.text, thought: true, thoughtSignature })];
}

export function textPart(text: string, signature?: string): JsonObject[] {
  return text === '' && signature === undefined
    ? []
    : [compact({ text, thoughtSignature: signature })];
}

/**
 * Consecutive texts are joined into one part, up to a signature; the places of sources refer to the
 * joined text.
 */
function writeParts(content: readonly AssistantPart[]): JsonObject[] {
  const parts: JsonObject[] = [];
  for (const part of content.flatMap(writePart)) {
    const last = parts.at(-1);
    const continues =
      last !== undefined && isText(last) && last.thoughtSignature === undefined && isText(part);
    if (continues) parts[parts.length - 1] = { ...part, text: `${last.text}${part.text}` };
    else parts.push(part);
  }
  return parts;
}

function isText(
  part: JsonObject,
): part is { readonly text: string; readonly thoughtSignature?: JsonValue } {
  return typeof part.text === 'string' && part.thought !== true;
}

/**
 * Why and how a candidate ended. The explanation of a refusal is no part of the answer
 * (docs/rules/formats.md#finish-reasons).
 */
export function writeFinish(finish: FinishReason, refusal: string): JsonObject {
  if (refusal === '') return { finishReason: finishReasons[finish] };
  return { finishReason: finishReasons['content-filter'], finishMessage: refusal };
}

function writeCandidate({ index, content, finish, annotations = [] }: ChatChoice): JsonObject {
  const refusal = content.map((part) => (part.type === 'refusal' ? part.text : '')).join('');
  const parts = writeParts(content);
  const texts = parts.map((part) => (isText(part) ? part.text : undefined));
  return compact({
    index,
    content: { role: 'model', parts },
    ...writeFinish(finish, refusal),
    safetyRatings: [],
    groundingMetadata: writeGrounding(annotations, texts),
  });
}

export function writeReply(reply: ChatReply, context: ReplyContext): JsonObject {
  return {
    candidates: reply.choices.map(writeCandidate),
    usageMetadata: writeGeminiUsage(reply.usage ?? {}),
    modelVersion: context.model,
    responseId: reply.id ?? context.id,
  };
}
