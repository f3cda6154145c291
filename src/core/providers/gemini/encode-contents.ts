/** Canonical messages → Gemini's contents (docs/rules/providers.md#gemini-requests). */

import type {
  AssistantMessage,
  ChatRequest,
  FilePart,
  ImagePart,
  TextPart,
  ToolMessage,
  UserPart,
} from '../../canonical/chat.ts';
import { append } from '../../canonical/kit/append.ts';
import { splitImages } from '../../canonical/kit/markdown-images.ts';
import { audioMediaType } from '../../canonical/kit/media.ts';
import { compact } from '../../canonical/kit/read-json.ts';
import { argumentsToObject } from '../../canonical/kit/tool-calls.ts';
import {
  generatesImages,
  missingSignature,
  takesSystem,
  thinksByLevel,
} from '../../canonical/models/gemini.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject, parseJson } from '../../kernel/json.ts';

interface Content {
  readonly role: 'user' | 'model';
  readonly parts: JsonObject[];
}

function acceptsMedia(mediaType: string): boolean {
  return /^(?:image|audio|video|text)\//.test(mediaType) || mediaType === 'application/pdf';
}

function inlineData(mediaType: string, data: string): JsonObject {
  if (!acceptsMedia(mediaType))
    throw new AppError('unsupported_feature', { detail: `files of type ${mediaType}` });
  return { inlineData: { mimeType: mediaType, data } };
}

function isVideo(url: string): boolean {
  return url.startsWith('https://www.youtube.com/') || url.startsWith('https://youtu.be/');
}

/** Addresses that Google reads itself: its storage, its Files API, its videos. */
export function isGoogleAddress(url: string): boolean {
  return (
    isVideo(url) ||
    url.startsWith('gs://') ||
    url.startsWith('https://generativelanguage.googleapis.com/')
  );
}

/**
 * By the file name's extension: nothing else is known of files in Google's storage, and Vertex
 * requires a media type.
 */
const typeByName: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
  pdf: 'application/pdf',
  txt: 'text/plain',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  mp4: 'video/mp4',
  mov: 'video/mov',
  webm: 'video/webm',
  mpeg: 'video/mpeg',
  mpg: 'video/mpg',
};

function typeOfName(url: string): string | undefined {
  return typeByName[url.slice(url.lastIndexOf('.') + 1).toLowerCase()];
}

/** Other addresses were replaced by their bytes before, or cannot be served. */
function fileData(url: string, mediaType: string | undefined): JsonObject {
  if (!isGoogleAddress(url))
    throw new AppError('file_unreachable', { host: URL.canParse(url) ? new URL(url).host : '?' });
  return {
    fileData: compact({
      fileUri: url,
      mimeType: isVideo(url) ? 'video/webm' : (mediaType ?? typeOfName(url)),
    }),
  };
}

function mediaPart(part: ImagePart | FilePart): JsonObject {
  if (part.data !== undefined)
    return inlineData(
      part.mediaType ?? (part.type === 'image' ? 'image/png' : 'application/pdf'),
      part.data,
    );
  if (part.url !== undefined) return fileData(part.url, part.mediaType);
  throw new AppError('unsupported_feature', { detail: 'files by id' });
}

function textPart(text: string): JsonObject[] {
  return text === '' ? [] : [{ text }];
}

function userParts(part: UserPart): JsonObject[] {
  switch (part.type) {
    case 'text':
      return textPart(part.text);
    case 'image':
      return [mediaPart(part)];
    case 'audio':
      return [inlineData(audioMediaType(part.format), part.data)];
    case 'file':
      return part.text === undefined ? [mediaPart(part)] : textPart(part.text);
  }
}

/** The signature stands at the last part of what it signs, which may be empty. */
function signedText({ text, signature }: TextPart): JsonObject[] {
  const parts = splitImages(text).flatMap((piece) =>
    typeof piece === 'string' ? textPart(piece) : [inlineData(piece.mediaType, piece.data)],
  );
  if (signature === undefined) return parts;
  const last = parts.pop() ?? { text: '' };
  return [...parts, { ...last, thoughtSignature: signature }];
}

/**
 * Models that generate images require a signature of each image and of the first part of each reply
 * (Google's documentation of Gemini 3).
 */
function signImage(part: JsonObject, position: number): JsonObject {
  const needed =
    part.thoughtSignature === undefined && (position === 0 || part.inlineData !== undefined);
  return needed ? { ...part, thoughtSignature: missingSignature } : part;
}

/**
 * Thoughts are not sent back. The first call of a step needs the signature that came with it
 * (Gemini 3).
 */
function assistantParts(message: AssistantMessage, model: string): JsonObject[] {
  const parts: JsonObject[] = [];
  let calls = 0;
  for (const part of message.content) {
    if (part.type === 'text') append(parts, signedText(part));
    else if (part.type === 'refusal') parts.push(...textPart(part.text));
    else if (part.type === 'image' && part.data !== undefined) parts.push(mediaPart(part));
    else if (part.type === 'tool-call') {
      const needed = calls === 0 && thinksByLevel(model) ? missingSignature : undefined;
      const functionCall = { name: part.name, args: argumentsToObject(part.arguments) };
      parts.push(compact({ functionCall, thoughtSignature: part.signature ?? needed }));
      calls++;
    }
  }
  return generatesImages(model) && thinksByLevel(model) ? parts.map(signImage) : parts;
}

/**
 * A result has to be an object: JSON objects as they are, lists as `result`, all else as `content`.
 */
function responseOf(message: ToolMessage | undefined): JsonObject {
  const text = (message?.content ?? [])
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n');
  const value = text.startsWith('{') || text.startsWith('[') ? parseJson(text) : undefined;
  const other: JsonObject = Array.isArray(value)
    ? { result: value as JsonObject[] }
    : { content: text };
  const response = isObject(value) ? (value as JsonObject) : other;
  return message?.isError === true ? { error: response } : response;
}

/**
 * Gemini pairs by position: as many responses as calls, in their order, in one content; then the
 * results' images.
 */
function toolParts(calls: readonly Call[], results: readonly ToolMessage[]): JsonObject[] {
  const answers = new Map<string, ToolMessage>();
  for (const result of results) if (!answers.has(result.callId)) answers.set(result.callId, result);
  const responses = calls.map(({ id, name }) => ({
    functionResponse: { name, response: responseOf(answers.get(id)) },
  }));
  const called = new Set(calls.map(({ id }) => id));
  const orphans = results.filter((result) => !called.has(result.callId));
  const texts = orphans.flatMap((result) =>
    result.content.flatMap((part) => (part.type === 'text' ? textPart(part.text) : [])),
  );
  const media = results.flatMap((result) =>
    result.content.flatMap((part) => (part.type === 'text' ? [] : userParts(part))),
  );
  return [...responses, ...texts, ...media];
}

interface Call {
  readonly id: string;
  readonly name: string;
}

class ContentList {
  readonly contents: Content[] = [];

  add(role: Content['role'], parts: readonly JsonObject[]): void {
    if (parts.length === 0) return;
    const last = this.contents.at(-1);
    if (last?.role === role) append(last.parts, parts);
    else this.contents.push({ role, parts: [...parts] });
  }
}

interface WrittenContents {
  readonly system: readonly JsonObject[];
  readonly contents: readonly Content[];
}

/** Throws AppError('unsupported_feature' | 'file_unreachable') for media that cannot be sent. */
export function writeContents(request: ChatRequest, model: string): WrittenContents {
  const system: JsonObject[] = [];
  const list = new ContentList();
  let calls: readonly Call[] = [];
  let results: ToolMessage[] = [];
  const answerCalls = () => {
    if (calls.length > 0 || results.length > 0) list.add('user', toolParts(calls, results));
    calls = [];
    results = [];
  };
  for (const message of request.messages) {
    if (message.role === 'tool') {
      results.push(message);
      continue;
    }
    answerCalls();
    if (message.role === 'system') {
      const parts = message.content.flatMap((part) => textPart(part.text));
      // Claude's callers may place system messages between turns; they stay in place.
      const inPlace = request.origin === 'anthropic-messages' && list.contents.length > 0;
      if (inPlace || !takesSystem(model)) list.add('user', parts);
      else append(system, parts);
    } else if (message.role === 'user') list.add('user', message.content.flatMap(userParts));
    else {
      list.add('model', assistantParts(message, model));
      calls = message.content.flatMap((part) =>
        part.type === 'tool-call' ? [{ id: part.id, name: part.name }] : [],
      );
    }
  }
  answerCalls();
  const { contents } = list;
  if (contents[0]?.role !== 'user') contents.unshift({ role: 'user', parts: [{ text: ' ' }] });
  return { system, contents };
}
