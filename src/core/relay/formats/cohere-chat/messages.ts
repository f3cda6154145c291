/** Cohere's messages → canonical ones (docs/rules/formats.md#cohere-callers). */
import type {
  AssistantPart,
  ChatMessage,
  ImagePart,
  TextPart,
  UserPart,
} from '../../../canonical/chat.ts';
import { readDataUri } from '../../../canonical/kit/media.ts';
import { argumentsToText } from '../../../canonical/kit/tool-calls.ts';
import type { JsonValue } from '../../../kernel/json.ts';
import type { Fields } from '../shared/fields.ts';

/** A document's data: an object, or a text. */
export function textOfDocument(data: JsonValue | undefined): string {
  return typeof data === 'string' ? data : JSON.stringify(data ?? {});
}

function readImage(part: Fields): ImagePart {
  const image = part.object('image_url') ?? part.fail(`${part.path}.image_url is required`);
  const url = image.requiredText('url');
  return { type: 'image', detail: image.text('detail'), ...(readDataUri(url) ?? { url }) };
}

function unknownPart(part: Fields): never {
  return part.fail(`${part.path}.type ${part.text('type') ?? ''} is not known`);
}

/** Content as a text or a list of parts. */
function readContent<P>(message: Fields, read: (part: Fields) => P): (P | TextPart)[] {
  const content = message.raw('content');
  if (content === undefined || content === '') return [];
  return typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : (message.objects('content') ?? []).map(read);
}

function readText(part: Fields): TextPart {
  return part.text('type') === 'text'
    ? { type: 'text', text: part.text('text') ?? '' }
    : unknownPart(part);
}

function readUserPart(part: Fields): UserPart {
  return part.text('type') === 'image_url' ? readImage(part) : readText(part);
}

function readAnswerPart(part: Fields): AssistantPart {
  if (part.text('type') !== 'thinking') return readText(part);
  return { type: 'reasoning', text: part.text('thinking') ?? '', origin: 'cohere-chat' };
}

function readResultPart(part: Fields): TextPart {
  if (part.text('type') !== 'document') return readText(part);
  return { type: 'text', text: textOfDocument(part.object('document')?.raw('data')) };
}

function readCall(call: Fields): AssistantPart {
  const target = call.object('function') ?? call.fail(`${call.path}.function is required`);
  const name = target.requiredText('name');
  const text = argumentsToText(target.raw('arguments'));
  return { type: 'tool-call', id: call.text('id') ?? `call_${name}`, name, arguments: text };
}

/** The plan for tool calls is text beside them, as in every other format. */
function readAnswer(message: Fields): AssistantPart[] {
  const plan = message.text('tool_plan') ?? '';
  const calls = (message.objects('tool_calls') ?? []).map(readCall);
  return [
    ...readContent(message, readAnswerPart),
    ...(plan === '' ? [] : [{ type: 'text', text: plan } as const]),
    ...calls,
  ];
}

/** Throws the fields' error for a part or role that is not known. */
export function readMessage(message: Fields): ChatMessage {
  const role = message.requiredText('role');
  switch (role) {
    case 'system':
      return { role, content: readContent(message, readText) };
    case 'user':
      return { role, content: readContent(message, readUserPart) };
    case 'assistant':
      return { role, content: readAnswer(message) };
    case 'tool':
      return {
        role,
        callId: message.requiredText('tool_call_id'),
        content: readContent(message, readResultPart),
      };
    default:
      return message.fail(`${message.path}.role ${role} is not known`);
  }
}
