/** Input items of a Responses body → canonical messages (docs/rules/formats.md#turns). */

import type {
  AssistantPart,
  ChatMessage,
  FilePart,
  ImagePart,
  TextPart,
  ToolResultPart,
  UserPart,
} from '../../../canonical/chat.ts';
import { append } from '../../../canonical/kit/append.ts';
import { isForeign, readCarried } from '../../../canonical/kit/foreign-signature.ts';
import { guessMediaType, readDataUri } from '../../../canonical/kit/media.ts';
import { argumentsToText } from '../../../canonical/kit/tool-calls.ts';
import { phaseOf } from '../../../canonical/wires/openai-responses/phase.ts';
import { reasoningText } from '../../../canonical/wires/openai-responses/reasoning.ts';
import {
  freeformArguments,
  functionName,
} from '../../../canonical/wires/openai-responses/tools.ts';
import { AppError } from '../../../kernel/errors.ts';
import { readCacheControl } from '../shared/cache-control.ts';
import type { Fields } from '../shared/fields.ts';
import { readClientCall, readClientResult } from './client-items.ts';
import { answeredBy, calledBy } from './client-tools.ts';

const origin = 'openai-responses';

/** Items that only the provider that made them has stored or can read. */
const stateful = new Set([
  'item_reference',
  'compaction',
  'compaction_summary',
  'context_compaction',
  'compaction_trigger',
]);

function readImage(part: Fields): ImagePart {
  const detail = part.text('detail');
  // No other format has images in their original size.
  const common = {
    type: 'image',
    detail: detail === 'original' ? 'high' : detail,
    cacheControl: readCacheControl(part),
  } as const;
  const fileId = part.text('file_id');
  if (fileId !== undefined) return { ...common, fileId };
  const url = part.requiredText('image_url');
  const uri = readDataUri(url);
  return uri === undefined ? { ...common, url } : { ...common, ...uri };
}

function readFile(part: Fields): FilePart {
  const common = {
    type: 'file',
    filename: part.text('filename'),
    cacheControl: readCacheControl(part),
  } as const;
  const data = part.text('file_data');
  if (data === undefined)
    return { ...common, url: part.text('file_url'), fileId: part.text('file_id') };
  return {
    ...common,
    ...(readDataUri(data) ?? { data, mediaType: guessMediaType(data) ?? 'application/pdf' }),
  };
}

function readResultPart(part: Fields): ToolResultPart {
  const type = part.text('type');
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: part.text('text') ?? '', cacheControl: readCacheControl(part) };
    case 'input_image':
      return readImage(part);
    case 'input_file':
      return readFile(part);
    default:
      return part.fail(`${part.path}.type ${type ?? ''} is not known`);
  }
}

function readUserPart(part: Fields): UserPart {
  if (part.text('type') !== 'input_audio') return readResultPart(part);
  const audio = part.object('input_audio') ?? part.fail(`${part.path}.input_audio is required`);
  return { type: 'audio', data: audio.requiredText('data'), format: audio.text('format') ?? 'wav' };
}

/** A text, or a list of parts. */
function readParts<P>(item: Fields, field: string, read: (part: Fields) => P): (P | TextPart)[] {
  const content = item.raw(field);
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return (item.objects(field) ?? []).map(read);
}

function readOutputPart(part: Fields): AssistantPart {
  const refusal = part.text('refusal');
  return refusal === undefined
    ? { type: 'text', text: part.text('text') ?? '' }
    : { type: 'refusal', text: refusal };
}

function readAnswer(item: Fields): readonly AssistantPart[] {
  const parts = readParts(item, 'content', readOutputPart);
  const phase = phaseOf(item.value);
  return phase === undefined
    ? parts
    : parts.map((part) => (part.type === 'text' ? { ...part, phase } : part));
}

function readReasoning(item: Fields): AssistantPart {
  const signature = item.text('encrypted_content') || undefined;
  const text = reasoningText(item.value);
  const signed = isForeign(signature)
    ? readCarried(signature ?? '')
    : { signature, id: item.text('id') };
  return { type: 'reasoning', text, origin, ...signed };
}

function readCall(item: Fields): AssistantPart {
  const id = item.text('call_id') ?? item.requiredText('id');
  const name = functionName(item.requiredText('name'), item.text('namespace'));
  const custom = item.raw('type') === 'custom_tool_call';
  const text = custom
    ? freeformArguments(item.text('input') ?? '')
    : argumentsToText(item.raw('arguments') ?? '');
  return { type: 'tool-call', id, name, arguments: text };
}

/** One turn of the model is one message, however many items it consists of. */
class Conversation {
  readonly messages: ChatMessage[] = [];
  /** Ids of all calls. */
  readonly calls = new Set<string>();
  #turn: AssistantPart[] | undefined;
  /** The turn has tool calls. */
  #called = false;

  add(message: ChatMessage): void {
    this.#turn = undefined;
    this.messages.push(message);
  }

  /**
   * Text after text begins a new message, unless calls between them still wait for their results.
   */
  addText(parts: readonly AssistantPart[]): void {
    const last = this.#turn?.at(-1);
    if (last?.type === 'text' && !this.#called) this.#turn = undefined;
    this.addAssistant(parts);
  }

  addAssistant(parts: readonly AssistantPart[]): void {
    if (parts.length === 0) return;
    if (this.#turn === undefined) {
      this.#turn = [];
      this.#called = false;
      this.messages.push({ role: 'assistant', content: this.#turn });
    }
    append(this.#turn, parts);
    for (const part of parts) {
      if (part.type !== 'tool-call') continue;
      this.#called = true;
      this.calls.add(part.id);
    }
  }
}

function addMessage(item: Fields, conversation: Conversation): void {
  const role = item.requiredText('role');
  switch (role) {
    case 'user':
      return conversation.add({ role, content: readParts(item, 'content', readUserPart) });
    case 'system':
    case 'developer': {
      const content = readParts(item, 'content', readResultPart).filter(
        (part) => part.type === 'text',
      );
      return conversation.add({ role: 'system', content });
    }
    case 'assistant':
      return conversation.addText(readAnswer(item));
    default:
      return item.fail(`${item.path}.role ${role} is not known`);
  }
}

/** A call of a tool that the client carries out, or its result. */
function addClientItem(item: Fields, type: string, conversation: Conversation): void {
  const called = calledBy(type);
  const call = called && readClientCall(item, called);
  if (call !== undefined) return conversation.addAssistant([call]);
  const answered = answeredBy(type);
  const result = answered && readClientResult(item, answered);
  // What the vendor carried out itself is left out with its result.
  if (result !== undefined && conversation.calls.has(result.callId)) conversation.add(result);
}

function addItem(item: Fields, conversation: Conversation): void {
  const type = item.text('type') ?? 'message';
  switch (type) {
    case 'message':
      return addMessage(item, conversation);
    case 'reasoning':
      return conversation.addAssistant([readReasoning(item)]);
    case 'function_call':
    case 'custom_tool_call':
      return conversation.addAssistant([readCall(item)]);
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const content = readParts(item, 'output', readResultPart);
      return conversation.add({
        role: 'tool',
        callId: item.requiredText('call_id'),
        name: item.text('name'),
        content,
      });
    }
    case 'image_generation_call': {
      const data = item.text('result');
      const mediaType = data === undefined ? undefined : (guessMediaType(data) ?? 'image/png');
      return conversation.addAssistant(
        data === undefined ? [] : [{ type: 'image', data, mediaType }],
      );
    }
    default:
      if (stateful.has(type))
        throw new AppError('unsupported_feature', { detail: `input items of type ${type}` });
      addClientItem(item, type, conversation);
    // Calls that the provider served itself, tools and updates (read elsewhere) and unknown items: other
    // providers have no place for them.
  }
}

/**
 * Throws AppError('invalid_request') naming what is wrong, and 'unsupported_feature' for items that
 * need stored state.
 */
export function readItems(items: readonly Fields[]): ChatMessage[] {
  const conversation = new Conversation();
  for (const item of items) addItem(item, conversation);
  return conversation.messages;
}
