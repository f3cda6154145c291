/** Marks for the prompt cache on tools, parts and results (docs/rules/formats.md#cache-marks). */
import type { CacheControl, ChatMessage, ChatRequest, Tool } from '../chat.ts';

/** Claude refuses more in one request. */
const most = 4;

type Change = (mark: CacheControl) => CacheControl | undefined;

function markOf(holder: object): CacheControl | undefined {
  return (holder as { readonly cacheControl?: CacheControl }).cacheControl;
}

function changed<T extends object>(holder: T, change: Change): T {
  const mark = markOf(holder);
  return mark === undefined ? holder : { ...holder, cacheControl: change(mark) };
}

/** The messages with other marks. */
export function changeMarks(
  messages: readonly ChatMessage[],
  change: Change,
): readonly ChatMessage[] {
  const each = <T extends object>(part: T): T => changed(part, change);
  return messages.map((message) => {
    switch (message.role) {
      case 'system':
        return { ...message, content: message.content.map(each) };
      case 'user':
        return { ...message, content: message.content.map(each) };
      case 'assistant':
        return { ...message, content: message.content.map(each) };
      default:
        return each({ ...message, content: message.content.map(each) });
    }
  });
}

/**
 * The request with as many marks as Claude takes, the last ones, and none of the longer life behind
 * one of the usual life. The very same request where nothing has to change.
 */
export function fitCacheMarks(request: ChatRequest): ChatRequest {
  const change = fittedMarks(marksIn(request));
  if (change === undefined) return request;
  return {
    ...request,
    tools: request.tools?.map((tool): Tool => changed(tool, change)),
    messages: changeMarks(request.messages, change),
  };
}

/** In the order of the prompt: tools, instructions, turns. */
function marksIn({ tools = [], messages }: ChatRequest): readonly CacheControl[] {
  const marks: CacheControl[] = [];
  const note = (holder: object) => {
    const mark = markOf(holder);
    if (mark !== undefined) marks.push(mark);
  };
  for (const tool of tools) note(tool);
  for (const isFirst of [true, false])
    for (const message of messages) {
      if ((message.role === 'system') !== isFirst) continue;
      for (const part of message.content) note(part);
      note(message);
    }
  return marks;
}

/** Undefined: all may stay. */
function fittedMarks(marks: readonly CacheControl[]): Change | undefined {
  const lastLong = marks.findLastIndex(({ ttl }) => ttl === '1h');
  const isOrdered = marks.slice(0, lastLong + 1).every(({ ttl }) => ttl === '1h');
  if (marks.length <= most && isOrdered) return undefined;
  const long: CacheControl = { type: 'ephemeral', ttl: '1h' };
  const kept = marks.map((mark, index) => {
    const written = index <= lastLong ? long : mark;
    return [mark, index < marks.length - most ? undefined : written] as const;
  });
  const byMark = new Map(kept);
  return (mark) => byMark.get(mark);
}
