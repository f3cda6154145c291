/**
 * Shortens function names to what an upstream accepts, unique and reversible. OpenAI accepts
 * `[a-zA-Z0-9_-]{1,64}`, Claude 128 of these characters; Gemini also accepts dots and colons but no
 * digit first (docs/rules/formats.md#tool-names; Google's reference of FunctionDeclaration).
 */
import { createHash } from 'node:crypto';
import type { AssistantPart, ChatRequest } from '../chat.ts';
import type { ChatReply, StreamPart } from '../chat-reply.ts';
import type { StreamDecoder } from '../pass-through.ts';
import { wrapDecoder } from './wrapped-decoder.ts';

/** What an upstream takes as a function's name. */
export interface NameRules {
  /** Characters a name may have. */
  readonly limit: number;
  /**
   * Characters it may not have, with the flag `g`. Default: all but letters, digits, `_` and `-`.
   */
  readonly refused?: RegExp;
  /** It has to begin with a letter or `_`. */
  readonly letterFirst?: boolean;
}

const hashLength = 8;

/** The name itself where it fits; else its legal characters and a hash of the whole. */
function fitName(
  name: string,
  { limit, refused = /[^a-zA-Z0-9_-]/g, letterFirst = false }: NameRules,
): string {
  const plain = name.replace(refused, '_');
  const legal = letterFirst && !/^[a-zA-Z_]/.test(plain) ? `_${plain}` : plain;
  if (legal === name && name.length <= limit && name !== '') return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength);
  return `${legal.slice(0, limit - hashLength - 1)}_${hash}`;
}

/** Of the tools that may be called. */
function namesOf(request: ChatRequest): readonly string[] {
  return (request.tools ?? []).flatMap((tool) => (tool.type === 'function' ? [tool.name] : []));
}

/** Of earlier calls, also to tools that are offered no more. */
function namesCalled({ messages }: ChatRequest): readonly string[] {
  return messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part.name] : []))
      : [],
  );
}

/**
 * The request with fitting names in tools, choice and earlier calls; the same object where all fit
 * already.
 */
export function fitToolNames(request: ChatRequest, rules: NameRules): ChatRequest {
  const fits = (name: string) => fitName(name, rules) === name;
  if (namesOf(request).every(fits) && namesCalled(request).every(fits)) return request;
  const { toolChoice } = request;
  return {
    ...request,
    tools: request.tools?.map((tool) =>
      tool.type === 'function' ? { ...tool, name: fitName(tool.name, rules) } : tool,
    ),
    toolChoice:
      toolChoice?.type === 'tool'
        ? { ...toolChoice, name: fitName(toolChoice.name, rules) }
        : toolChoice,
    messages: request.messages.map((message) => {
      if (message.role !== 'assistant') return message;
      const fit = (part: AssistantPart): AssistantPart =>
        part.type === 'tool-call' ? { ...part, name: fitName(part.name, rules) } : part;
      return { ...message, content: message.content.map(fit) };
    }),
  };
}

/** Names the upstream was given → the caller's; undefined where none differ. */
function originalNames(
  request: ChatRequest | undefined,
  rules: NameRules,
): ReadonlyMap<string, string> | undefined {
  if (request === undefined) return undefined;
  const changed = namesOf(request).filter((name) => fitName(name, rules) !== name);
  return changed.length === 0
    ? undefined
    : new Map(changed.map((name) => [fitName(name, rules), name]));
}

export function restoreNamesInReply(
  reply: ChatReply,
  request: ChatRequest | undefined,
  rules: NameRules,
): ChatReply {
  const names = originalNames(request, rules);
  if (names === undefined) return reply;
  const restore = (part: AssistantPart): AssistantPart =>
    part.type === 'tool-call' ? { ...part, name: names.get(part.name) ?? part.name } : part;
  return {
    ...reply,
    choices: reply.choices.map((choice) => ({ ...choice, content: choice.content.map(restore) })),
  };
}

/** The decoder itself where no name was changed. */
export function restoreNamesInStream(
  decoder: StreamDecoder,
  request: ChatRequest | undefined,
  rules: NameRules,
): StreamDecoder {
  const names = originalNames(request, rules);
  if (names === undefined) return decoder;
  const restore = (part: StreamPart): StreamPart =>
    part.type === 'tool-call-delta' && part.name !== undefined
      ? { ...part, name: names.get(part.name) ?? part.name }
      : part;
  return wrapDecoder(decoder, {
    push: (event) => decoder.push(event).map(restore),
    end: () => decoder.end().map(restore),
  });
}
