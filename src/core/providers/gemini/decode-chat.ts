/** A generateContent reply → the canonical reply (docs/rules/providers.md#gemini-replies). */

import type { AssistantPart, TextPart } from '../../canonical/chat.ts';
import type { ChatChoice, ChatReply } from '../../canonical/chat-reply.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { finishFromGemini } from '../../canonical/kit/finish-reasons.ts';
import { usageFromGemini } from '../../canonical/kit/gemini-usage.ts';
import { groundingCalls, withToolCalls } from '../../canonical/kit/hosted-tools.ts';
import { audioFormat } from '../../canonical/kit/media.ts';
import {
  countOf,
  type Loose,
  recordOf,
  recordsOf,
  replyObject,
  textOf,
} from '../../canonical/kit/read-json.ts';
import { argumentsToText, callIdFor } from '../../canonical/kit/tool-calls.ts';
import { AppError } from '../../kernel/errors.ts';
import {
  answerText,
  blockedPrompt,
  blockReason,
  brokenFinish,
  candidateLogprobs,
  geminiError,
  isBrokenFinish,
  partMedia,
  partText,
  refusalOf,
  usageOfImages,
} from './decode-parts.ts';
import { groundingAnnotations } from './grounding.ts';

/**
 * Text parts are joined until a signature ends them, which may come in a later part without text.
 */
function readWords(part: Loose, signature: string | undefined, content: AssistantPart[]): void {
  const text = partText(part) ?? '';
  const last = content.at(-1);
  if (part.thought === true) {
    if (last?.type === 'reasoning')
      content[content.length - 1] = { ...last, text: last.text + text };
    else if (text !== '') content.push({ type: 'reasoning', text, origin: 'gemini-generate' });
  } else if (last?.type === 'text' && last.signature === undefined) {
    content[content.length - 1] = signed({ ...last, text: last.text + text }, signature);
  } else if (text !== '') content.push(signed({ type: 'text', text }, signature));
}

function signed(part: TextPart, signature: string | undefined): TextPart {
  return signature === undefined ? part : { ...part, signature };
}

function readParts(parts: readonly Loose[], replyId: string): AssistantPart[] {
  const content: AssistantPart[] = [];
  let calls = 0;
  for (const part of parts) {
    const call = recordOf(part.functionCall);
    const signature = textOf(part.thoughtSignature);
    const name = textOf(call?.name);
    if (call !== undefined && name !== undefined) {
      const id = textOf(call.id) ?? callIdFor(replyId, calls++);
      content.push({
        type: 'tool-call',
        id,
        name,
        arguments: argumentsToText(call.args),
        signature,
      });
      continue;
    }
    const media = partMedia(part);
    if (media?.mediaType.startsWith('image/')) content.push({ type: 'image', ...media });
    else if (media !== undefined)
      content.push({ type: 'audio', data: media.data, format: audioFormat(media.mediaType) });
    readWords(part, signature, content);
  }
  return content;
}

function readCandidate(candidate: Loose, position: number, replyId: string): ChatChoice {
  const parts = recordsOf(recordOf(candidate.content)?.parts);
  const content = readParts(parts, replyId);
  const raw = textOf(candidate.finishReason);
  if (content.length === 0 && isBrokenFinish(raw)) throw new ReplyFailure(brokenFinish(candidate));
  const refusal = refusalOf(candidate);
  if (refusal !== undefined) content.push({ type: 'refusal', text: refusal });
  const finish = finishFromGemini(raw ?? 'STOP');
  const called = content.some((part) => part.type === 'tool-call');
  const annotations = groundingAnnotations([candidate.groundingMetadata], parts.map(answerText));
  return {
    index: countOf(candidate.index) ?? position,
    content,
    finish: called && finish === 'stop' ? 'tool-calls' : finish,
    rawFinish: raw ?? null,
    annotations: annotations.length > 0 ? annotations : undefined,
    logprobs: candidateLogprobs(candidate),
  };
}

/**
 * `fallbackId` names calls where Google gives neither an id of the reply nor of the call. Throws
 * ReplyFailure, and AppError('empty_response' | 'bad_response_body').
 */
export function readGenerateReply(body: unknown, fallbackId: string): ChatReply {
  const reply = replyObject(Array.isArray(body) ? body[0] : body);
  if (reply.error !== undefined) throw new ReplyFailure(geminiError(reply));
  const candidates = recordsOf(reply.candidates);
  if (candidates.length === 0) {
    const reason = blockReason(reply);
    if (reason !== undefined) throw new ReplyFailure(blockedPrompt(reason));
    throw new AppError('empty_response');
  }
  const id = textOf(reply.responseId);
  const choices = candidates.map((candidate, position) =>
    readCandidate(candidate, position, `${id ?? fallbackId}${position || ''}`),
  );
  const images = choices.flatMap(({ content }) =>
    content.filter((part) => part.type === 'image'),
  ).length;
  const usage = withToolCalls(
    usageFromGemini(reply.usageMetadata) ?? usageOfImages(images),
    groundingCalls(candidates),
  );
  return { id, model: textOf(reply.modelVersion), choices, usage };
}
