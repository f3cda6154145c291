/** Gemini's contents → canonical messages (docs/rules/formats.md#call-ids). */

import type {
  AssistantPart,
  ChatMessage,
  FilePart,
  ImagePart,
  TextPart,
  ToolCallPart,
  ToolMessage,
  UserPart,
} from '../../../canonical/chat.ts';
import { readCarriedBytes } from '../../../canonical/kit/foreign-signature.ts';
import { audioFormat, normalizeMediaType } from '../../../canonical/kit/media.ts';
import { argumentsToText } from '../../../canonical/kit/tool-calls.ts';
import { isObject } from '../../../kernel/json.ts';
import type { Fields } from '../shared/fields.ts';

/** The name under which a field is present: callers write camel case or snake case. */
export function named(fields: Fields, camel: string): string {
  if (fields.raw(camel) !== undefined) return camel;
  return camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * The objects of a list. Google takes a single one for a list of one, as its own examples write it.
 */
export function listed(fields: Fields, name: string): readonly Fields[] {
  const one = isObject(fields.raw(name)) ? fields.object(name) : undefined;
  return one === undefined ? (fields.objects(name) ?? []) : [one];
}

interface OpenCall {
  readonly id: string;
  readonly name: string;
}

function readInline(blob: Fields): UserPart {
  const mediaType = normalizeMediaType(
    blob.text(named(blob, 'mimeType')) ?? 'application/octet-stream',
  );
  const data = blob.requiredText('data');
  if (mediaType.startsWith('image/')) return { type: 'image', data, mediaType };
  if (mediaType.startsWith('audio/'))
    return { type: 'audio', data, format: audioFormat(mediaType) };
  if (mediaType.startsWith('text/'))
    return { type: 'file', text: Buffer.from(data, 'base64').toString('utf8'), mediaType };
  return {
    type: 'file',
    data,
    mediaType,
    filename: mediaType === 'application/pdf' ? 'document.pdf' : undefined,
  };
}

function readFileData(file: Fields): ImagePart | FilePart {
  const url = file.requiredText(named(file, 'fileUri'));
  const mediaType = file.text(named(file, 'mimeType'));
  return mediaType?.startsWith('image/')
    ? { type: 'image', url, mediaType }
    : { type: 'file', url, mediaType };
}

function codeText(part: Fields): string | undefined {
  const code = part.object(named(part, 'executableCode'));
  if (code !== undefined) return `\`\`\`\n${code.text('code') ?? ''}\n\`\`\``;
  const result = part.object(named(part, 'codeExecutionResult'));
  return result === undefined ? undefined : `\`\`\`output\n${result.text('output') ?? ''}\n\`\`\``;
}

function readPart(part: Fields): UserPart[] {
  const text = part.text('text') ?? codeText(part);
  if (text !== undefined) return [{ type: 'text', text }];
  const inline = part.object(named(part, 'inlineData'));
  if (inline !== undefined) return [readInline(inline)];
  const file = part.object(named(part, 'fileData'));
  return file === undefined ? [] : [readFileData(file)];
}

/**
 * Calls in the order in which they were made. Calls that were answered stay in the list and are
 * skipped.
 */
class CallList {
  readonly #calls: OpenCall[] = [];
  #first = 0;

  add(call: OpenCall): void {
    this.#calls.push(call);
  }

  /** The oldest that is still open. */
  oldest(open: ReadonlySet<OpenCall>): OpenCall | undefined {
    for (; this.#first < this.#calls.length; this.#first++) {
      const call = this.#calls[this.#first];
      if (call !== undefined && open.has(call)) return call;
    }
    return undefined;
  }
}

/** Matches results to their calls: ids are optional in this format, on both sides. */
class CallQueue {
  readonly #open = new Set<OpenCall>();
  readonly #byId = new Map<string, OpenCall>();
  readonly #all = new CallList();
  readonly #byName = new Map<string | undefined, CallList>();

  read(
    call: Fields,
    content: number,
    position: number,
    signature: string | undefined,
  ): ToolCallPart {
    const name = call.requiredText('name');
    const id = call.text('id') ?? `call_${content}_${position}`;
    const open = { id, name };
    const ofName = this.#byName.get(name) ?? new CallList();
    this.#byName.set(name, ofName);
    this.#open.add(open);
    this.#all.add(open);
    ofName.add(open);
    if (!this.#byId.has(id)) this.#byId.set(id, open);
    return { type: 'tool-call', id, name, arguments: argumentsToText(call.raw('args')), signature };
  }

  /** By id, else the oldest open call of that name, else the oldest of all. */
  #take(id: string | undefined, name: string | undefined): OpenCall | undefined {
    const named = id === undefined ? undefined : this.#byId.get(id);
    const found =
      named ?? this.#byName.get(name)?.oldest(this.#open) ?? this.#all.oldest(this.#open);
    if (found === undefined) return undefined;
    this.#open.delete(found);
    this.#byId.delete(found.id);
    return found;
  }

  answer(response: Fields): ToolMessage {
    const name = response.text('name');
    const id = response.text('id');
    const found = this.#take(id, name);
    const text = JSON.stringify(response.raw('response') ?? {});
    const media = listed(response, 'parts')
      .flatMap(readPart)
      .filter((part) => part.type !== 'audio');
    return {
      role: 'tool',
      callId: found?.id ?? id ?? `call_${name ?? ''}`,
      name: name ?? found?.name,
      content: [{ type: 'text', text }, ...media],
    };
  }
}

/**
 * Values that callers without a signature may send (documented by Google; Gemini CLI does for every
 * call). Other providers must not get them; for Gemini they are added again where a signature is
 * required.
 */
const noSignature = new Set([
  'skip_thought_signature_validator',
  'context_engineering_is_the_way_to_go',
]);

function signatureOf(part: Fields): string | undefined {
  const signature = part.text(named(part, 'thoughtSignature'));
  return signature === undefined || noSignature.has(signature) ? undefined : signature;
}

/**
 * Thinking without a signature goes back to providers that need it (DeepSeek); a signature stays
 * with its call or text.
 */
function readModelParts(
  parts: readonly Fields[],
  content: number,
  calls: CallQueue,
): AssistantPart[] {
  let position = 0;
  return parts.flatMap((part): AssistantPart[] => {
    if (part.flag('thought') === true) {
      const text = part.text('text') ?? '';
      const signed = readCarriedBytes(part.text(named(part, 'thoughtSignature')) ?? '');
      return text === '' && signed.origin === undefined
        ? []
        : [{ type: 'reasoning', text, ...signed }];
    }
    const call = part.object(named(part, 'functionCall'));
    if (call !== undefined) return [calls.read(call, content, position++, signatureOf(part))];
    const signature = signatureOf(part);
    const read = readPart(part).filter((one) => one.type !== 'file');
    return signature === undefined
      ? read
      : read.map((one) => (one.type === 'text' ? { ...one, signature } : one));
  });
}

/**
 * Google's SDK keeps each parallel call, and each piece of a streamed text, as a content of its own:
 * neighbours are one turn (docs/rules/formats.md#turns). Returns the turn that the next joins.
 */
function addAnswer(
  messages: ChatMessage[],
  turn: AssistantPart[] | undefined,
  parts: AssistantPart[],
): AssistantPart[] | undefined {
  if (parts.length === 0) return turn;
  const content = turn ?? [];
  if (turn === undefined) messages.push({ role: 'assistant', content });
  for (const part of parts) addPart(content, part);
  return content;
}

/** Thinking that came in pieces is signed by its last one. */
function addPart(turn: AssistantPart[], part: AssistantPart): void {
  const last = turn.at(-1);
  const continues =
    part.type === 'reasoning' && last?.type === 'reasoning' && last.origin === undefined;
  if (continues) turn[turn.length - 1] = { ...part, text: last.text + part.text };
  else turn.push(part);
}

export function readContents(
  system: Fields | undefined,
  contents: readonly Fields[],
): ChatMessage[] {
  const messages: ChatMessage[] = [];
  const systemTexts = (system === undefined ? [] : listed(system, 'parts')).flatMap(
    (part) => part.text('text') ?? [],
  );
  const systemText: TextPart[] =
    systemTexts.length > 0 ? [{ type: 'text', text: systemTexts.join('\n') }] : [];
  if (systemText.length > 0) messages.push({ role: 'system', content: systemText });
  const calls = new CallQueue();
  let turn: AssistantPart[] | undefined;
  for (const [index, content] of contents.entries()) {
    const parts = listed(content, 'parts');
    if (content.text('role') === 'model') {
      turn = addAnswer(messages, turn, readModelParts(parts, index, calls));
      continue;
    }
    turn = undefined;
    const responses = parts.flatMap((part) => part.object(named(part, 'functionResponse')) ?? []);
    for (const response of responses) messages.push(calls.answer(response));
    const userParts = parts.flatMap(readPart);
    if (userParts.length > 0) messages.push({ role: 'user', content: userParts });
  }
  return messages;
}
