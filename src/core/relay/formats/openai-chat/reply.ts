import type { AudioPart, ImagePart } from '../../../canonical/chat.ts';
import type {
  Annotation,
  ChatChoice,
  ChatReply,
  FinishReason,
} from '../../../canonical/chat-reply.ts';
import { writeDataUri } from '../../../canonical/kit/media.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import { writeDetail } from '../../../canonical/wires/openai/reasoning-details.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import type { ReplyContext } from '../shared/chat-translation.ts';
import { writeOpenAiUsage } from '../shared/openai-usage.ts';
import { effectiveFinish, openAiFinish, prefixedId } from '../shared/reply-fields.ts';

export function writeAnnotation({ url, title, startIndex, endIndex }: Annotation): JsonObject {
  return {
    type: 'url_citation',
    url_citation: compact({ url, title, start_index: startIndex, end_index: endIndex }),
  };
}

/**
 * Gemini's thinking signature, of a call or of the message, where Google's own chat interface has
 * it.
 */
function extraContent(signature: string | undefined): JsonObject | undefined {
  return signature === undefined ? undefined : { google: { thought_signature: signature } };
}

export function extraField(signature: string | undefined): string {
  return signature === undefined
    ? ''
    : `,"extra_content":${JSON.stringify(extraContent(signature))}`;
}

/** An image that the model made, as OpenRouter writes it. */
export function writeImage({ url, mediaType, data }: Omit<ImagePart, 'type'>): JsonObject {
  const address = url ?? writeDataUri(mediaType ?? 'image/png', data ?? '');
  return { type: 'image_url', image_url: { url: address } };
}

export function writeAudio({ id, data, transcript, expiresAt }: AudioPart): JsonObject {
  return compact({ id, data: data === '' ? undefined : data, transcript, expires_at: expiresAt });
}

/** Callers that sent the older `functions` read their call, the only one, in `function_call`. */
export function usesFunctions({ request }: ReplyContext): boolean {
  return (
    request?.tools?.some(
      (tool) => tool.type === 'function' && tool.source?.origin === 'openai-chat',
    ) === true
  );
}

export function finishReason(reason: FinishReason, called: boolean, functions: boolean): string {
  const finish = effectiveFinish(reason, called);
  return functions && finish === 'tool-calls' ? 'function_call' : openAiFinish[finish];
}

function writeMessage(choice: ChatChoice, functions: boolean): JsonObject {
  let text = '';
  let reasoning = '';
  let refusal: string | null = null;
  let audio: JsonObject | undefined;
  let signature: string | undefined;
  const calls: JsonObject[] = [];
  const details: JsonObject[] = [];
  const images: JsonObject[] = [];
  for (const part of choice.content) {
    switch (part.type) {
      case 'text':
        text += part.text;
        signature = part.signature ?? signature;
        break;
      case 'reasoning': {
        reasoning += part.text;
        const detail = writeDetail(part, details.length);
        if (detail !== undefined) details.push(detail);
        break;
      }
      case 'refusal':
        refusal = (refusal ?? '') + part.text;
        break;
      case 'image':
        images.push(writeImage(part));
        break;
      case 'audio':
        audio = { ...writeAudio(part), format: part.format };
        break;
      case 'tool-call': {
        const target = { name: part.name, arguments: part.arguments };
        calls.push(
          compact({
            id: part.id,
            type: 'function',
            function: target,
            extra_content: extraContent(part.signature),
          }),
        );
      }
    }
  }
  return compact({
    role: 'assistant',
    content: text === '' && (calls.length > 0 || refusal !== null) ? null : text,
    reasoning_content: reasoning === '' ? undefined : reasoning,
    reasoning_details: details.length > 0 ? details : undefined,
    refusal,
    ...(functions
      ? { function_call: calls[0]?.function }
      : { tool_calls: calls.length > 0 ? calls : undefined }),
    annotations: choice.annotations?.map(writeAnnotation),
    audio,
    images: images.length > 0 ? images : undefined,
    extra_content: extraContent(signature),
  });
}

function writeChoice(choice: ChatChoice, functions: boolean): JsonObject {
  const called = choice.content.some((part) => part.type === 'tool-call');
  return {
    index: choice.index,
    message: writeMessage(choice, functions),
    logprobs: choice.logprobs ?? null,
    finish_reason: finishReason(choice.finish, called, functions),
  };
}

export function writeReply(reply: ChatReply, context: ReplyContext): JsonObject {
  return compact({
    id: prefixedId('chatcmpl-', reply.id, context),
    object: 'chat.completion',
    created: context.created,
    model: context.model,
    choices: reply.choices.map((choice) => writeChoice(choice, usesFunctions(context))),
    usage: reply.usage === undefined ? undefined : writeOpenAiUsage(reply.usage),
  });
}
