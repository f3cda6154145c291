/** Canonical messages → chat messages (docs/rules/formats.md#turns). */

import type {
  AssistantMessage,
  CacheControl,
  ChatMessage,
  ChatRequest,
  FilePart,
  ImagePart,
  SystemMessage,
  TextPart,
  ToolMessage,
  UserPart,
} from '../../canonical/chat.ts';
import { append } from '../../canonical/kit/append.ts';
import { imageNote, splitImages, withoutImages } from '../../canonical/kit/markdown-images.ts';
import { writeDataUri } from '../../canonical/kit/media.ts';
import { compact } from '../../canonical/kit/read-json.ts';
import { withBreakpoint } from '../../canonical/wires/openai/cache-marks.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';

interface Marked {
  readonly cacheControl?: CacheControl;
}

export interface MessageRules {
  /** The upstream takes earlier thinking back as `reasoning_content`. */
  readonly reasoning: boolean;
  /** The upstream knows marks for its cache, Anthropic's or OpenAI's. */
  readonly cacheMarks?: 'anthropic' | 'openai';
  /** The upstream knows the role `developer`. */
  readonly developerRole: boolean;
  /** Earlier thinking with its signatures, as OpenRouter takes it back. */
  readonly reasoningDetails?: (message: AssistantMessage) => readonly JsonObject[];
  /** The upstream takes images of earlier answers in `images` beside the text. */
  readonly answerImages?: boolean;
  /**
   * A Gemini behind this wire: it takes its signatures back with calls and texts. Absent: they
   * would be an unknown field.
   */
  readonly googleSignatures?: boolean;
}

/** A written part with its mark, as far as the upstream knows one there. */
function marked(
  part: JsonObject,
  { cacheControl }: Marked,
  { cacheMarks }: MessageRules,
): JsonObject {
  if (cacheControl === undefined || cacheMarks === undefined) return part;
  return cacheMarks === 'openai'
    ? withBreakpoint(part, cacheControl)
    : { ...part, cache_control: { ...cacheControl } };
}

function writeText(part: TextPart, rules: MessageRules): JsonObject {
  return marked({ type: 'text', text: part.text }, part, rules);
}

/**
 * One text stays a string; several stay parts for callers that wrote parts, and are joined for all
 * others.
 */
function writeTexts(
  parts: readonly TextPart[],
  request: ChatRequest,
  rules: MessageRules,
): JsonValue {
  const marks =
    rules.cacheMarks !== undefined && parts.some((part) => part.cacheControl !== undefined);
  if (marks || (parts.length > 1 && request.origin === 'openai-chat'))
    return parts.map((part) => writeText(part, rules));
  return parts.map((part) => part.text).join('\n');
}

function writeImage(part: ImagePart): JsonObject {
  const url =
    part.url ??
    (part.data === undefined ? undefined : writeDataUri(part.mediaType ?? 'image/png', part.data));
  if (url === undefined) throw new AppError('unsupported_feature', { detail: 'images by file id' });
  return { type: 'image_url', image_url: compact({ url, detail: part.detail }) };
}

function writeFile(part: FilePart): JsonObject {
  if (part.text !== undefined) return { type: 'text', text: part.text };
  const video = part.mediaType?.startsWith('video/') ? (part.data ?? part.url) : undefined;
  if (part.mediaType !== undefined && video !== undefined) {
    return {
      type: 'video_url',
      video_url: { url: part.data === undefined ? video : writeDataUri(part.mediaType, video) },
    };
  }
  if (part.fileId !== undefined) return { type: 'file', file: { file_id: part.fileId } };
  if (part.data !== undefined) {
    const file_data = writeDataUri(part.mediaType ?? 'application/pdf', part.data);
    return { type: 'file', file: { filename: part.filename ?? 'document.pdf', file_data } };
  }
  return { type: 'text', text: part.url ?? '' };
}

function writeUserPart(part: UserPart, rules: MessageRules): JsonObject {
  switch (part.type) {
    case 'text':
      return writeText(part, rules);
    case 'image':
      return rules.cacheMarks === 'openai'
        ? marked(writeImage(part), part, rules)
        : writeImage(part);
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } };
    case 'file':
      return rules.cacheMarks === 'openai' ? marked(writeFile(part), part, rules) : writeFile(part);
  }
}

function writeUserContent(
  parts: readonly UserPart[],
  request: ChatRequest,
  rules: MessageRules,
): JsonValue {
  const texts = parts.filter((part) => part.type === 'text');
  if (texts.length === parts.length && (texts.length <= 1 || request.origin === 'openai-chat')) {
    return writeTexts(texts, request, rules);
  }
  return parts.map((part) => writeUserPart(part, rules));
}

function writeSystem(
  message: SystemMessage,
  request: ChatRequest,
  rules: MessageRules,
): JsonObject {
  const role = message.developer === true && rules.developerRole ? 'developer' : 'system';
  return { role, content: writeTexts(message.content, request, rules) };
}

function writeSignature(
  signature: string | undefined,
  rules: MessageRules,
): JsonObject | undefined {
  const known = rules.googleSignatures === true && signature !== undefined;
  return known ? { google: { thought_signature: signature } } : undefined;
}

/** The text without its images in Markdown, which are added to `images`. */
function takeImages(text: string, images: JsonObject[]): string {
  return splitImages(text)
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      images.push(writeImage({ type: 'image', ...piece }));
      return '';
    })
    .join('');
}

function writeAssistant(message: AssistantMessage, rules: MessageRules): JsonObject {
  let text = '';
  let thinking = '';
  let refusal: string | undefined;
  let signature: string | undefined;
  let audio: JsonObject | undefined;
  const calls: JsonObject[] = [];
  const images: JsonObject[] = [];
  for (const part of message.content) {
    if (part.type === 'text') {
      text +=
        rules.answerImages === true ? takeImages(part.text, images) : withoutImages(part.text);
      signature = part.signature ?? signature;
    } else if (part.type === 'reasoning') thinking += part.text;
    else if (part.type === 'audio') audio = part.id === undefined ? audio : { id: part.id };
    else if (part.type === 'refusal') refusal = (refusal ?? '') + part.text;
    else if (part.type === 'image') {
      if (rules.answerImages === true) images.push(writeImage(part));
      else text += part.url ?? imageNote;
    } else if (part.type === 'tool-call') {
      calls.push(
        compact({
          id: part.id,
          type: 'function',
          function: { name: part.name, arguments: part.arguments === '' ? '{}' : part.arguments },
          extra_content: writeSignature(part.signature, rules),
        }),
      );
    }
  }
  const details = rules.reasoningDetails?.(message) ?? [];
  return compact({
    role: 'assistant',
    name: message.name,
    content:
      text === '' && (calls.length > 0 || refusal !== undefined || audio !== undefined)
        ? null
        : text,
    images: images.length > 0 ? images : undefined,
    audio,
    reasoning_content: rules.reasoning && thinking !== '' ? thinking : undefined,
    reasoning_details: details.length > 0 ? details : undefined,
    refusal,
    tool_calls: calls.length > 0 ? calls : undefined,
    extra_content: writeSignature(signature, rules),
  });
}

function writeTool(message: ToolMessage, rules: MessageRules): JsonObject {
  const texts = message.content.flatMap((part) => {
    if (part.type === 'text') return [part.text];
    return part.type === 'file' ? [part.text ?? part.url ?? ''] : [];
  });
  const joined = texts.join('\n');
  const text = message.isError === true ? `Error: ${joined}` : joined;
  const cacheControl =
    message.cacheControl ??
    message.content.findLast((part) => part.cacheControl !== undefined)?.cacheControl;
  const marks = rules.cacheMarks === 'openai' && cacheControl !== undefined;
  return {
    role: 'tool',
    tool_call_id: message.callId,
    content: marks ? [marked({ type: 'text', text }, { cacheControl }, rules)] : text,
  };
}

/** What of a result is no text. */
function showResult(part: ToolMessage['content'][number]): JsonObject[] {
  if (part.type === 'image') return [writeImage(part)];
  return part.type === 'file' && (part.data ?? part.fileId) !== undefined ? [writeFile(part)] : [];
}

/**
 * The answers to one assistant message: each call exactly one, in the order given, then one user
 * message with the images and files of results, which a tool message cannot hold. A call nobody
 * answered gets an empty answer: gaps are refused.
 */
function writeToolRun(
  run: readonly ToolMessage[],
  open: ReadonlySet<string>,
  rules: MessageRules,
): JsonObject[] {
  const written = run.map((message) => writeTool(message, rules));
  const answered = new Set(run.map((message) => message.callId));
  for (const id of open)
    if (!answered.has(id)) written.push({ role: 'tool', tool_call_id: id, content: '' });
  const shown = run.flatMap((message) => message.content.flatMap(showResult));
  if (shown.length > 0) written.push({ role: 'user', content: shown });
  return written;
}

function callIds(message: ChatMessage): ReadonlySet<string> {
  if (message.role !== 'assistant') return new Set();
  return new Set(message.content.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])));
}

export function writeMessages(request: ChatRequest, rules: MessageRules): JsonObject[] {
  const result: JsonObject[] = [];
  let open: ReadonlySet<string> = new Set();
  let run: ToolMessage[] = [];
  const closeRun = () => {
    append(result, writeToolRun(run, open, rules));
    open = new Set();
    run = [];
  };
  for (const message of request.messages) {
    if (message.role === 'tool') {
      run.push(message);
      continue;
    }
    closeRun();
    if (message.role === 'system') result.push(writeSystem(message, request, rules));
    else if (message.role === 'assistant') result.push(writeAssistant(message, rules));
    else
      result.push(
        compact({
          role: 'user',
          name: message.name,
          content: writeUserContent(message.content, request, rules),
        }),
      );
    open = callIds(message);
  }
  closeRun();
  return result;
}
