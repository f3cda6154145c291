/** A response object → the canonical reply (docs/rules/providers.md#openai-responses-streams). */

import type { AssistantPart, Phase } from '../../canonical/chat.ts';
import type { Annotation, ChatReply, FinishReason } from '../../canonical/chat-reply.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { usageOfResponse } from '../../canonical/kit/hosted-tools.ts';
import {
  countOf,
  type Loose,
  listOf,
  recordOf,
  recordsOf,
  replyObject,
  textOf,
} from '../../canonical/kit/read-json.ts';
import { characters } from '../../canonical/kit/text-places.ts';
import { argumentsToText, callIdFor } from '../../canonical/kit/tool-calls.ts';
import { readResponsesFailure } from '../../canonical/wires/openai-responses/failure.ts';
import { phaseOf } from '../../canonical/wires/openai-responses/phase.ts';
import { reasoningText } from '../../canonical/wires/openai-responses/reasoning.ts';
import { freeformArguments, functionName } from '../../canonical/wires/openai-responses/tools.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';

const origin = 'openai-responses';

/**
 * `from`: characters of the reply before the text that the indexes refer to. Zeros mean that no
 * position is known.
 */
export function readAnnotation(raw: unknown, from: number): Annotation | undefined {
  const citation = recordOf(raw);
  const url = textOf(citation?.url);
  if (citation?.type !== 'url_citation' || url === undefined) return undefined;
  const title = textOf(citation.title);
  const end = countOf(citation.end_index) || undefined;
  if (end === undefined) return { url, title };
  return {
    url,
    title,
    startIndex: from + (countOf(citation.start_index) ?? 0),
    endIndex: from + end,
  };
}

function readAnnotations(words: readonly Loose[]): Annotation[] {
  let length = 0;
  return words.flatMap((part) => {
    const from = length;
    length += characters(textOf(part.text) ?? '');
    return listOf(part.annotations).flatMap((raw) => readAnnotation(raw, from) ?? []);
  });
}

/** A call of either kind; undefined for items that are none. */
export function readCall(
  item: Loose,
): { readonly id?: string; readonly name: string; readonly arguments: string } | undefined {
  const name = textOf(item.name);
  if (name === undefined || (item.type !== 'function_call' && item.type !== 'custom_tool_call'))
    return undefined;
  const input = typeof item.input === 'string' ? item.input : '';
  const text = argumentsToText(item.arguments ?? '');
  return {
    id: textOf(item.call_id) ?? textOf(item.id),
    name: functionName(name, textOf(item.namespace)),
    arguments:
      item.type === 'custom_tool_call'
        ? freeformArguments(input)
        : text.trim() === ''
          ? '{}'
          : text,
  };
}

export function readImage(
  item: Loose,
): { readonly mediaType: string; readonly data: string } | undefined {
  const data = textOf(item.result);
  if (item.type !== 'image_generation_call' || data === undefined) return undefined;
  return { mediaType: `image/${textOf(item.output_format) ?? 'png'}`, data };
}

function readReasoning(item: Loose): AssistantPart[] {
  const text = reasoningText(item);
  const signature = textOf(item.encrypted_content);
  if (signature === undefined) return text === '' ? [] : [{ type: 'reasoning', text }];
  const id = textOf(item.id);
  return [
    text === ''
      ? { type: 'reasoning', text, redacted: signature, origin, id }
      : { type: 'reasoning', text, signature, origin, id },
  ];
}

function readWords(part: Loose, phase: Phase | undefined): AssistantPart[] {
  const refusal = textOf(part.refusal);
  if (refusal !== undefined) return [{ type: 'refusal', text: refusal }];
  const text = textOf(part.text);
  if (text === undefined) return [];
  return [phase === undefined ? { type: 'text', text } : { type: 'text', text, phase }];
}

function readItem(item: Loose, position: number, replyId: string): AssistantPart[] {
  if (item.type === 'message')
    return recordsOf(item.content).flatMap((part) => readWords(part, phaseOf(item)));
  if (item.type === 'reasoning') return readReasoning(item);
  const call = readCall(item);
  if (call !== undefined)
    return [{ type: 'tool-call', ...call, id: call.id ?? callIdFor(replyId, position) }];
  const image = readImage(item);
  return image === undefined ? [] : [{ type: 'image', ...image }];
}

/** The finish reason, and the provider's own name for it. */
export function readFinish(
  response: Loose,
  called: boolean,
): { readonly reason: FinishReason; readonly raw: string | null } {
  const cause = textOf(recordOf(response.incomplete_details)?.reason);
  const raw = cause ?? textOf(response.status) ?? null;
  if (response.status === 'incomplete')
    return { reason: cause === 'content_filter' ? 'content-filter' : 'length', raw };
  return { reason: called ? 'tool-calls' : 'stop', raw };
}

/** Log probabilities as chat has them: one list for the whole text. */
function readLogprobs(messages: readonly Loose[]): JsonValue | undefined {
  const content = messages.flatMap((part) => listOf(part.logprobs));
  return content.length === 0 ? undefined : ({ content } as JsonValue);
}

/**
 * Throws ReplyFailure on a failed response and AppError('bad_response_body') on a body that is
 * none.
 */
export function readResponsesReply(body: unknown): ChatReply {
  const root = replyObject(body);
  if (recordOf(root.error) !== undefined || root.status === 'failed')
    throw new ReplyFailure(readResponsesFailure(root));
  if (!Array.isArray(root.output))
    throw new AppError('bad_response_body', { detail: 'the reply has no output' });
  const id = textOf(root.id);
  const items = recordsOf(root.output);
  const content = items.flatMap((item, position) => readItem(item, position, id ?? 'reply'));
  const words = items
    .filter((item) => item.type === 'message')
    .flatMap((item) => recordsOf(item.content));
  const annotations = readAnnotations(words);
  const { reason, raw } = readFinish(
    root,
    content.some((part) => part.type === 'tool-call'),
  );
  const choice = {
    index: 0,
    content,
    finish: reason,
    rawFinish: raw,
    annotations: annotations.length > 0 ? annotations : undefined,
    logprobs: readLogprobs(words),
  };
  return { id, model: textOf(root.model), choices: [choice], usage: usageOfResponse(root) };
}
