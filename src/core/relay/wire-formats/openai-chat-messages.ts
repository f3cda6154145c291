/** Chat messages → canonical ones. */
import type {
  AssistantPart,
  CacheControl,
  ChatMessage,
  FilePart,
  ImagePart,
  TextPart,
  ToolCallPart,
  UserPart,
} from '../../providers/canonical.ts';
import { guessMediaType, readDataUri } from '../../providers/kit/media.ts';
import { argumentsToText } from '../../providers/kit/tool-calls.ts';
import type { Fields } from './fields.ts';

function readCacheControl(part: Fields): CacheControl | undefined {
  const mark = part.object('cache_control');
  if (mark?.raw('type') !== 'ephemeral') return undefined;
  const ttl = mark.raw('ttl');
  return ttl === '1h' || ttl === '5m' ? { type: 'ephemeral', ttl } : { type: 'ephemeral' };
}

/** `image_url` as object or plain text; a data URI, an address, or bare base64. */
function readImage(part: Fields): ImagePart {
  const plain = part.raw('image_url');
  const nested = typeof plain === 'string' ? undefined : part.object('image_url');
  const url = typeof plain === 'string' ? plain : (nested?.text('url') ?? part.fail(`${part.path}.image_url is required`));
  const common = { type: 'image', detail: nested?.text('detail'), cacheControl: readCacheControl(part) } as const;
  const uri = readDataUri(url);
  if (uri !== undefined) return { ...common, ...uri };
  if (url.startsWith('http://') || url.startsWith('https://')) return { ...common, url };
  const mediaType = guessMediaType(url);
  return mediaType === undefined
    ? part.fail(`${part.path}.image_url is no address and no image`)
    : { ...common, data: url, mediaType };
}

function readFile(part: Fields): FilePart {
  const file = part.object('file') ?? part.fail(`${part.path}.file is required`);
  const data = file.text('file_data');
  const uri = data === undefined ? undefined : readDataUri(data);
  const bytes = uri ?? (data === undefined ? undefined : { data, mediaType: guessMediaType(data) ?? 'application/pdf' });
  return {
    type: 'file',
    filename: file.text('filename'),
    fileId: file.text('file_id'),
    ...bytes,
    cacheControl: readCacheControl(part),
  };
}

function readUserPart(part: Fields): UserPart {
  switch (part.text('type')) {
    case 'text':
    case 'input_text':
      return { type: 'text', text: part.text('text') ?? '', cacheControl: readCacheControl(part) };
    case 'image_url':
      return readImage(part);
    case 'input_audio': {
      const audio = part.object('input_audio') ?? part.fail(`${part.path}.input_audio is required`);
      return { type: 'audio', data: audio.requiredText('data'), format: audio.text('format') ?? 'wav' };
    }
    case 'file':
      return readFile(part);
    default:
      return part.fail(`${part.path}.type ${part.text('type') ?? ''} is not known`);
  }
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

function readUserContent(message: Fields): UserPart[] {
  const content = message.raw('content');
  if (content === undefined) return [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (message.objects('content') ?? []).map(readUserPart);
}

function readCall(call: Fields): ToolCallPart[] {
  const target = call.object('function');
  if (target === undefined) return [];
  const name = target.requiredText('name');
  const signature = call.object('extra_content')?.object('google')?.text('thought_signature');
  return [
    {
      type: 'tool-call',
      id: call.text('id') ?? `call_${name}`,
      name,
      arguments: argumentsToText(target.raw('arguments')),
      signature,
    },
  ];
}

/** Thinking without a signature: kept for servers that want it back, left out by all others. */
function readAssistantContent(message: Fields): AssistantPart[] {
  const parts: AssistantPart[] = [];
  const reasoning = message.text('reasoning_content');
  if (reasoning !== undefined && reasoning !== '') parts.push({ type: 'reasoning', text: reasoning, origin: 'openai-chat' });
  parts.push(...readTexts(message));
  const refusal = message.text('refusal');
  if (refusal !== undefined && refusal !== '') parts.push({ type: 'refusal', text: refusal });
  for (const call of message.objects('tool_calls') ?? []) parts.push(...readCall(call));
  const legacy = message.object('function_call');
  if (legacy !== undefined) {
    const name = legacy.requiredText('name');
    parts.push({ type: 'tool-call', id: `call_${name}`, name, arguments: argumentsToText(legacy.raw('arguments')) });
  }
  return parts;
}

function readMessage(message: Fields): ChatMessage {
  const role = message.requiredText('role');
  switch (role) {
    case 'system':
      return { role, content: readTexts(message) };
    case 'developer':
      return { role: 'system', developer: true, content: readTexts(message) };
    case 'user':
      return { role, name: message.text('name'), content: readUserContent(message) };
    case 'assistant':
      return { role, name: message.text('name'), content: readAssistantContent(message) };
    case 'tool':
      return { role, callId: message.requiredText('tool_call_id'), name: message.text('name'), content: readTexts(message) };
    case 'function': {
      const name = message.requiredText('name');
      return { role: 'tool', callId: `call_${name}`, name, content: readTexts(message) };
    }
    default:
      return message.fail(`${message.path}.role ${role} is not known`);
  }
}

/** Throws the fields' error for a part or role that is not known. */
export function readChatMessages(messages: readonly Fields[]): ChatMessage[] {
  return messages.map(readMessage);
}
