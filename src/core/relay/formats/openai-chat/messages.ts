/** Chat messages → canonical ones. */
import type {
  AssistantPart,
  ChatMessage,
  FilePart,
  ImagePart,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../../../canonical/chat.ts';
import { append } from '../../../canonical/kit/append.ts';
import { guessMediaType, readDataUri } from '../../../canonical/kit/media.ts';
import { recordOf } from '../../../canonical/kit/read-json.ts';
import { argumentsToText } from '../../../canonical/kit/tool-calls.ts';
import { readSignedReasoning } from '../../../canonical/wires/openai/reasoning-details.ts';
import { readCacheControl } from '../shared/cache-control.ts';
import type { Fields } from '../shared/fields.ts';

/** On the web, or in Google's storage, which its own models read and others refuse. */
function isAddress(text: string): boolean {
  return /^(?:https?|gs):\/\//.test(text);
}

/** `image_url` as object or plain text; a data URI, an address, or bare base64. */
function readImage(part: Fields): ImagePart {
  const plain = part.raw('image_url');
  const nested = typeof plain === 'string' ? undefined : part.object('image_url');
  const url =
    typeof plain === 'string'
      ? plain
      : (nested?.text('url') ?? part.fail(`${part.path}.image_url is required`));
  const common = {
    type: 'image',
    detail: nested?.text('detail'),
    cacheControl: readCacheControl(part),
  } as const;
  const uri = readDataUri(url);
  if (uri !== undefined) return { ...common, ...uri };
  if (isAddress(url)) return { ...common, url };
  const mediaType = guessMediaType(url);
  return mediaType === undefined
    ? part.fail(`${part.path}.image_url is no address and no image`)
    : { ...common, data: url, mediaType };
}

/** A data URI, plain base64, or an address, as OpenRouter's callers write it. */
function readFileData(data: string): Pick<FilePart, 'data' | 'mediaType' | 'url'> {
  if (isAddress(data)) return { url: data };
  return readDataUri(data) ?? { data, mediaType: guessMediaType(data) ?? 'application/pdf' };
}

function readFile(part: Fields): FilePart {
  const file = part.object('file') ?? part.fail(`${part.path}.file is required`);
  const data = file.text('file_data');
  return {
    type: 'file',
    filename: file.text('filename'),
    fileId: file.text('file_id'),
    ...(data === undefined ? undefined : readFileData(data)),
    cacheControl: readCacheControl(part),
  };
}

/** OpenAI has no videos; servers that do take `video_url`, an object or plain text. */
function readVideo(part: Fields): FilePart {
  const plain = part.raw('video_url');
  const url = typeof plain === 'string' ? plain : part.object('video_url')?.requiredText('url');
  if (url === undefined) return part.fail(`${part.path}.video_url is required`);
  return { type: 'file', ...(readDataUri(url) ?? { url, mediaType: 'video/mp4' }) };
}

/**
 * Parts that results may hold as well as user messages. A part of any type with a `text` is text.
 */
function readResultPart(part: Fields): ToolResultPart {
  const type = part.text('type');
  switch (type) {
    case 'image_url':
      return readImage(part);
    case 'video_url':
      return readVideo(part);
    case 'file':
      return readFile(part);
  }
  const text = part.text('text') ?? (type === 'text' ? '' : undefined);
  if (text === undefined) return part.fail(`${part.path}.type ${type ?? ''} is not known`);
  return { type: 'text', text, cacheControl: readCacheControl(part) };
}

function readUserPart(part: Fields): UserPart {
  if (part.text('type') !== 'input_audio') return readResultPart(part);
  const audio = part.object('input_audio') ?? part.fail(`${part.path}.input_audio is required`);
  return { type: 'audio', data: audio.requiredText('data'), format: audio.text('format') ?? 'wav' };
}

/** Content as text parts: a string, a list of text parts, or nothing. */
function readTexts(message: Fields): TextPart[] {
  const content = message.raw('content');
  if (content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (message.objects('content') ?? []).flatMap((part): TextPart[] => {
    const text = part.text('text') ?? part.text('refusal');
    return text === undefined ? [] : [{ type: 'text', text, cacheControl: readCacheControl(part) }];
  });
}

function readParts<P>(message: Fields, read: (part: Fields) => P): (P | TextPart)[] {
  const content = message.raw('content');
  if (content === undefined) return [];
  return typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : (message.objects('content') ?? []).map(read);
}

/** Results of tools are text at OpenAI; images and files are kept for providers that take them. */
function readResult(message: Fields): ToolResultPart[] {
  return message.raw('content') === '' ? [] : readParts(message, readResultPart);
}

/**
 * Calls of the older interface have no ids: each gets one, and a result belongs to the last call of
 * its name.
 */
class NamedCalls {
  readonly #counts = new Map<string, number>();

  open(name: string): string {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    return this.last(name);
  }

  last(name: string): string {
    const count = this.#counts.get(name) ?? 1;
    return count === 1 ? `call_${name}` : `call_${name}_${count}`;
  }
}

/** Gemini's thinking signature of a call or of a message's text. */
function readSignature(fields: Fields): string | undefined {
  return fields.object('extra_content')?.object('google')?.text('thought_signature');
}

/** An answer's text, with its signature at the last part. */
function readAnswerText(message: Fields): TextPart[] {
  const texts = readTexts(message);
  const last = texts.pop();
  if (last === undefined) return [];
  const signature = readSignature(message);
  return [...texts, signature === undefined ? last : { ...last, signature }];
}

function readCall(call: Fields): ToolCallPart[] {
  const target = call.object('function');
  if (target === undefined) return [];
  const name = target.requiredText('name');
  return [
    {
      type: 'tool-call',
      id: call.text('id') ?? `call_${name}`,
      name,
      arguments: argumentsToText(target.raw('arguments')),
      signature: readSignature(call),
    },
  ];
}

/**
 * As OpenRouter's callers return it, else as LiteLLM's do: the same details in a field of its own, or
 * Claude's own blocks.
 */
function readSignedThinking(message: Fields): ReasoningPart[] {
  const own = readSignedReasoning(message.value);
  const moved = recordOf(message.raw('provider_specific_fields'));
  const details = own.length > 0 || moved === undefined ? own : readSignedReasoning(moved);
  if (details.length > 0) return details;
  const blocks = message.objects('thinking_blocks') ?? [];
  return blocks.flatMap((block): ReasoningPart[] => {
    const signature = block.text('signature');
    const redacted = block.text('data');
    const text = block.text('thinking') ?? '';
    return (signature ?? redacted) === undefined
      ? []
      : [{ type: 'reasoning', text, signature, redacted, origin: 'anthropic-messages' }];
  });
}

/** Thinking without a signature: kept for servers that want it back, left out by all others. */
function readAssistantContent(message: Fields, named: NamedCalls): AssistantPart[] {
  const parts: AssistantPart[] = [];
  const signed = readSignedThinking(message);
  const reasoning = message.text('reasoning_content') ?? '';
  // Signed blocks hold the same text, but for those that are encrypted.
  if (reasoning !== '' && signed.every(({ text }) => text === ''))
    parts.push({ type: 'reasoning', text: reasoning, origin: 'openai-chat' });
  append(parts, signed);
  append(parts, readAnswerText(message));
  append(parts, (message.objects('images') ?? []).map(readImage));
  const refusal = message.text('refusal');
  if (refusal !== undefined && refusal !== '') parts.push({ type: 'refusal', text: refusal });
  const audio = message.object('audio')?.text('id');
  if (audio !== undefined) parts.push({ type: 'audio', data: '', format: 'wav', id: audio });
  for (const call of message.objects('tool_calls') ?? []) parts.push(...readCall(call));
  const legacy = message.object('function_call');
  if (legacy !== undefined) {
    const name = legacy.requiredText('name');
    parts.push({
      type: 'tool-call',
      id: named.open(name),
      name,
      arguments: argumentsToText(legacy.raw('arguments')),
    });
  }
  return parts;
}

function readMessage(message: Fields, named: NamedCalls): ChatMessage {
  const role = message.requiredText('role');
  switch (role) {
    case 'system':
      return { role, content: readTexts(message) };
    case 'developer':
      return { role: 'system', developer: true, content: readTexts(message) };
    case 'user':
      return { role, name: message.text('name'), content: readParts(message, readUserPart) };
    case 'assistant':
      return { role, name: message.text('name'), content: readAssistantContent(message, named) };
    case 'tool':
      return {
        role,
        callId: message.requiredText('tool_call_id'),
        name: message.text('name'),
        content: readResult(message),
      };
    case 'function': {
      const name = message.requiredText('name');
      return { role: 'tool', callId: named.last(name), name, content: readResult(message) };
    }
    default:
      return message.fail(`${message.path}.role ${role} is not known`);
  }
}

/** Throws the fields' error for a part or role that is not known. */
export function readChatMessages(messages: readonly Fields[]): ChatMessage[] {
  const named = new NamedCalls();
  return messages.map((message) => readMessage(message, named));
}
