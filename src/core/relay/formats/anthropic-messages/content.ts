/** Anthropic's messages and blocks → canonical messages. */
import type {
  AssistantPart,
  ChatMessage,
  FilePart,
  ImagePart,
  TextPart,
  ToolMessage,
  ToolResultPart,
  UserPart,
} from '../../../canonical/chat.ts';
import { append } from '../../../canonical/kit/append.ts';
import { isForeign, readCarried } from '../../../canonical/kit/foreign-signature.ts';
import { normalizeMediaType } from '../../../canonical/kit/media.ts';
import { argumentsToText } from '../../../canonical/kit/tool-calls.ts';
import { readCacheControl } from '../shared/cache-control.ts';
import type { Fields } from '../shared/fields.ts';

const origin = 'anthropic-messages';

function readImage(block: Fields): ImagePart {
  const source = block.object('source') ?? block.fail(`${block.path}.source is required`);
  const cacheControl = readCacheControl(block);
  switch (source.text('type')) {
    case 'base64': {
      const mediaType = normalizeMediaType(source.text('media_type') ?? 'image/png');
      return { type: 'image', data: source.requiredText('data'), mediaType, cacheControl };
    }
    case 'url':
      return { type: 'image', url: source.requiredText('url'), cacheControl };
    case 'file':
      return { type: 'image', fileId: source.requiredText('file_id'), cacheControl };
    default:
      return block.fail(`${source.path}.type is not known`);
  }
}

function readDocument(block: Fields): FilePart {
  const source = block.object('source') ?? block.fail(`${block.path}.source is required`);
  const common = {
    type: 'file',
    filename: block.text('title'),
    cacheControl: readCacheControl(block),
  } as const;
  switch (source.text('type')) {
    case 'text':
      return { ...common, text: source.text('data') ?? '', mediaType: 'text/plain' };
    case 'url':
      return { ...common, url: source.requiredText('url') };
    case 'file':
      return { ...common, fileId: source.requiredText('file_id') };
    case 'content': {
      const texts = (source.objects('content') ?? []).flatMap((part) => part.text('text') ?? []);
      return { ...common, text: texts.join('\n'), mediaType: 'text/plain' };
    }
    default:
      return {
        ...common,
        data: source.requiredText('data'),
        mediaType: source.text('media_type') ?? 'application/pdf',
      };
  }
}

/** Search results that a caller's own tool found: to other formats they are text. */
function readSearchResult(block: Fields): TextPart {
  const texts = (block.objects('content') ?? []).flatMap((part) => part.text('text') ?? []);
  return {
    type: 'text',
    text: [block.text('title'), block.text('source'), ...texts].filter(Boolean).join('\n'),
  };
}

/** Blocks without a place in other formats are left out. */
function readUserBlock(block: Fields): Exclude<UserPart, { type: 'audio' }>[] {
  switch (block.text('type')) {
    case 'text':
      return [
        { type: 'text', text: block.text('text') ?? '', cacheControl: readCacheControl(block) },
      ];
    case 'image':
      return [readImage(block)];
    case 'document':
      return [readDocument(block)];
    case 'search_result':
      return [readSearchResult(block)];
    case 'tool_reference':
      // A result of a tool search: the tool itself is in the request, its name says that it may be
      // called now.
      return [{ type: 'text', text: block.text('tool_name') ?? '' }];
    default:
      return [];
  }
}

function readContent(message: Fields, field: string): ToolResultPart[] {
  const content = message.raw(field);
  if (content === undefined || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (message.objects(field) ?? []).flatMap(readUserBlock);
}

function readToolResult(block: Fields): ToolMessage {
  return {
    role: 'tool',
    callId: block.requiredText('tool_use_id'),
    content: readContent(block, 'content'),
    isError: block.flag('is_error'),
    cacheControl: readCacheControl(block),
  };
}

function readAssistantBlock(block: Fields): AssistantPart[] {
  switch (block.text('type')) {
    case 'text':
      return [
        { type: 'text', text: block.text('text') ?? '', cacheControl: readCacheControl(block) },
      ];
    case 'thinking': {
      const signature = block.text('signature') || undefined;
      const text = block.text('thinking') ?? '';
      const signed = isForeign(signature) ? readCarried(signature ?? '') : { signature };
      return [{ type: 'reasoning', text, origin, ...signed }];
    }
    case 'redacted_thinking': {
      const redacted = block.requiredText('data');
      const hidden = isForeign(redacted) ? readCarried(redacted) : { redacted };
      return [{ type: 'reasoning', text: '', origin, ...hidden }];
    }
    case 'tool_use': {
      const cacheControl = readCacheControl(block);
      const call = {
        id: block.requiredText('id'),
        name: block.requiredText('name'),
        arguments: argumentsToText(block.raw('input')),
      };
      return [{ type: 'tool-call', ...call, cacheControl }];
    }
    case 'compaction': {
      // What Claude put in the place of the turns before it; other models read it as a text.
      const text = block.text('content') ?? '';
      return text === '' ? [] : [{ type: 'text', text, cacheControl: readCacheControl(block) }];
    }
    default:
      return [];
  }
}

/** Tool results come before the other content of a user message. */
function readUser(message: Fields): ChatMessage[] {
  if (typeof message.raw('content') === 'string')
    return [{ role: 'user', content: readContent(message, 'content') }];
  const blocks = message.objects('content') ?? [];
  const results = blocks.filter((block) => block.raw('type') === 'tool_result').map(readToolResult);
  const content = blocks.flatMap(readUserBlock);
  return content.length > 0 ? [...results, { role: 'user', content }] : results;
}

function readMessage(message: Fields): ChatMessage[] {
  const role = message.requiredText('role');
  switch (role) {
    case 'user':
      return readUser(message);
    case 'assistant': {
      const content = message.raw('content');
      if (typeof content === 'string')
        return [{ role, content: [{ type: 'text', text: content }] }];
      return [{ role, content: (message.objects('content') ?? []).flatMap(readAssistantBlock) }];
    }
    case 'system':
      return [
        { role, content: readContent(message, 'content').filter((part) => part.type === 'text') },
      ];
    default:
      return message.fail(`${message.path}.role ${role} is not known`);
  }
}

function hasCalls(message: ChatMessage | undefined): boolean {
  return message?.role === 'assistant' && message.content.some((part) => part.type === 'tool-call');
}

/**
 * Results directly follow their calls: system messages in between, which other formats do not
 * allow, are moved behind them.
 */
export function readMessages(messages: readonly Fields[]): ChatMessage[] {
  const ordered: ChatMessage[] = [];
  const waiting: ChatMessage[] = [];
  for (const message of messages.flatMap(readMessage)) {
    if (message.role === 'system' && (waiting.length > 0 || hasCalls(ordered.at(-1)))) {
      waiting.push(message);
      continue;
    }
    if (message.role !== 'tool') append(ordered, waiting.splice(0));
    ordered.push(message);
  }
  return [...ordered, ...waiting];
}
