/**
 * A chat completion → the canonical reply, for OpenAI and everything that looks like it
 * (docs/rules/providers.md#openai-lookalikes).
 */

import type { AssistantPart, AudioPart, ToolCallPart } from '../../canonical/chat.ts';
import type {
  Annotation,
  ChatChoice,
  ChatReply,
  ProviderError,
} from '../../canonical/chat-reply.ts';
import { append } from '../../canonical/kit/append.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import {
  finishFromOpenAi,
  isBreakdown,
  isFailureFinish,
} from '../../canonical/kit/finish-reasons.ts';
import { readDataUri } from '../../canonical/kit/media.ts';
import {
  countOf,
  type Loose,
  listOf,
  recordOf,
  recordsOf,
  replyObject,
  textOf,
} from '../../canonical/kit/read-json.ts';
import { argumentsToText, callIdFor } from '../../canonical/kit/tool-calls.ts';
import { withTier, withTimings } from '../../canonical/kit/usage.ts';
import type { Usage } from '../../canonical/usage.ts';
import { readSignedReasoning } from '../../canonical/wires/openai/reasoning-details.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonValue } from '../../kernel/json.ts';

/** Text and thinking of a `content`, which some servers write as a list of typed parts. */
export function readContent(content: unknown): {
  readonly text: string;
  readonly thinking: string;
} {
  if (typeof content === 'string') return { text: content, thinking: '' };
  let text = '';
  let thinking = '';
  for (const part of recordsOf(content)) {
    if (part.type === 'thinking') {
      thinking +=
        typeof part.thinking === 'string' ? part.thinking : readContent(part.thinking).text;
    } else if (typeof part.text === 'string') text += part.text;
  }
  return { text, thinking };
}

/**
 * Thinking text beside the content: `reasoning_content`, or `reasoning` where a server calls it so.
 */
export function readReasoning(message: Loose): string | undefined {
  return textOf(message.reasoning_content) ?? textOf(message.reasoning);
}

/** Gemini's signature of a call, or of a message's text. */
export function readSignature(owner: Loose): string | undefined {
  return textOf(recordOf(recordOf(owner.extra_content)?.google)?.thought_signature);
}

/** Audio or a chunk of it: data, transcript and id come together or one by one. */
export function readAudio({ audio }: Loose, usualFormat: string): AudioPart[] {
  if (!isObject(audio)) return [];
  const reported = {
    transcript: textOf(audio.transcript),
    id: textOf(audio.id),
    expiresAt: countOf(audio.expires_at),
  };
  const data = textOf(audio.data) ?? '';
  if (data === '' && Object.values(reported).every((value) => value === undefined)) return [];
  return [{ type: 'audio', data, format: textOf(audio.format) ?? usualFormat, ...reported }];
}

export function readImages(
  message: Loose,
): { readonly mediaType: string; readonly data: string }[] {
  return recordsOf(message.images).flatMap((image) => {
    const uri = readDataUri(textOf(recordOf(image.image_url)?.url) ?? '');
    return uri === undefined ? [] : [uri];
  });
}

export function readAnnotations(message: Loose): Annotation[] {
  return recordsOf(message.annotations).flatMap((entry) => {
    const citation = recordOf(entry.url_citation);
    const url = textOf(citation?.url);
    if (url === undefined) return [];
    return [
      {
        url,
        title: textOf(citation?.title),
        startIndex: countOf(citation?.start_index),
        endIndex: countOf(citation?.end_index),
      },
    ];
  });
}

/**
 * Sources reported beside the reply: `search_results` (Perplexity, Baidu), Zhipu's `web_search`,
 * else plain URLs (`citations`, xAI's as well).
 */
export function readCitations(reply: Loose): Annotation[] {
  const found = recordsOf(reply.search_results ?? reply.web_search).flatMap((result) => {
    const url = textOf(result.url) ?? textOf(result.link);
    return url === undefined ? [] : [{ url, title: textOf(result.title) }];
  });
  if (found.length > 0) return found;
  return listOf(reply.citations).flatMap((entry) => {
    const url = textOf(entry);
    return url === undefined ? [] : [{ url }];
  });
}

function readCall(call: Loose, index: number, replyId: string): ToolCallPart | undefined {
  const target = recordOf(call.function);
  const name = textOf(target?.name);
  if (name === undefined) return undefined;
  const id = textOf(call.id) ?? callIdFor(replyId, index);
  const text = argumentsToText(target?.arguments);
  return {
    type: 'tool-call',
    id,
    name,
    // Of a call without parameters some servers leave them out.
    arguments: text.trim() === '' ? '{}' : text,
    signature: readSignature(call),
  };
}

function readParts(message: Loose, replyId: string): AssistantPart[] {
  const { text, thinking } = readContent(message.content);
  const parts: AssistantPart[] = [];
  const signed = readSignedReasoning(message);
  const reasoning = readReasoning(message) ?? thinking;
  if (reasoning !== '' && signed.every((part) => part.text === ''))
    parts.push({ type: 'reasoning', text: reasoning });
  append(parts, signed);
  if (text !== '') parts.push({ type: 'text', text, signature: readSignature(message) });
  const refusal = textOf(message.refusal);
  if (refusal !== undefined) parts.push({ type: 'refusal', text: refusal });
  for (const image of readImages(message)) parts.push({ type: 'image', ...image });
  const calls = recordsOf(message.tool_calls).map((call, index) => readCall(call, index, replyId));
  const legacy = recordOf(message.function_call);
  if (calls.length === 0 && legacy !== undefined)
    calls.push(readCall({ function: legacy }, 0, replyId));
  for (const call of calls) if (call !== undefined) parts.push(call);
  parts.push(...readAudio(message, 'wav'));
  return parts;
}

function readChoice(
  choice: Loose,
  position: number,
  replyId: string,
  citations: readonly Annotation[],
): ChatChoice {
  const message = recordOf(choice.message) ?? {};
  const content = readParts(message, replyId);
  const raw = textOf(choice.finish_reason) ?? null;
  const finish = finishFromOpenAi(raw ?? 'stop');
  const called = content.some((part) => part.type === 'tool-call');
  // They belong to the whole reply; streams report them with the first choice.
  const annotations = [...readAnnotations(message), ...(position === 0 ? citations : [])];
  return {
    index: countOf(choice.index) ?? position,
    content,
    finish: called && finish === 'stop' ? 'tool-calls' : finish,
    rawFinish: raw,
    annotations: annotations.length > 0 ? annotations : undefined,
    logprobs: (choice.logprobs ?? undefined) as JsonValue | undefined,
  };
}

/**
 * Throws ReplyFailure on an error behind status 200 and AppError('bad_response_body') on a body
 * without choices.
 */
export function readChatReply(
  body: unknown,
  readUsage: (raw: unknown) => Usage | undefined,
  readError: (raw: unknown) => ProviderError,
): ChatReply {
  const root = replyObject(body);
  // Some enterprise gateways wrap the reply: {success, data}.
  const reply =
    root.choices === undefined && recordOf(root.data)?.choices !== undefined
      ? (root.data as Loose)
      : root;
  if (reply.choices === undefined || reply.choices === null) {
    if (root.error || textOf(root.message) !== undefined) throw new ReplyFailure(readError(root));
    throw new AppError('bad_response_body', { detail: 'the reply has no choices' });
  }
  const id = textOf(reply.id);
  const citations = readCitations(reply);
  const choices = recordsOf(reply.choices).map((choice, position) =>
    readChoice(choice, position, id ?? 'reply', citations),
  );
  const broken = choices.find((choice) => isBreakdown(choice.rawFinish));
  const empty = choices.every(
    (choice) => choice.content.length === 0 && isFailureFinish(choice.rawFinish),
  );
  if (broken !== undefined || (choices.length > 0 && empty)) {
    throw new ReplyFailure({ status: 503, code: (broken ?? choices[0])?.rawFinish ?? undefined });
  }
  if (choices.length === 0)
    throw new AppError(listOf(reply.choices).length > 0 ? 'bad_response_body' : 'empty_response');
  return {
    id,
    model: textOf(reply.model),
    choices,
    usage: withTier(withTimings(readUsage(reply.usage), reply.timings), reply.service_tier),
  };
}
