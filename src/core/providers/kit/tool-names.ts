/**
 * Function names within what an upstream takes, shortened so that they can be told apart and found again: OpenAI takes
 * `[a-zA-Z0-9_-]{1,64}`, Claude 128 of them, while Gemini's callers may write dots and colons (spec, agent-clients 4).
 */
import { createHash } from 'node:crypto';
import type { AssistantPart, ChatReply, ChatRequest, StreamPart } from '../canonical.ts';
import type { StreamDecoder } from '../provider.ts';

const hashLength = 8;

/** The name itself where it fits; else its legal characters and a hash of the whole. */
function fitName(name: string, limit: number): string {
  const legal = name.replace(/[^a-zA-Z0-9_-]/g, '_');
  if (legal === name && name.length <= limit && name !== '') return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength);
  return `${legal.slice(0, limit - hashLength - 1)}_${hash}`;
}

function namesOf(request: ChatRequest): readonly string[] {
  return (request.tools ?? []).flatMap((tool) => (tool.type === 'function' ? [tool.name] : []));
}

/** The request with fitting names in tools, choice and earlier calls; the same object where all fit already. */
export function fitToolNames(request: ChatRequest, limit: number): ChatRequest {
  if (namesOf(request).every((name) => fitName(name, limit) === name)) return request;
  const { toolChoice } = request;
  return {
    ...request,
    tools: request.tools?.map((tool) => (tool.type === 'function' ? { ...tool, name: fitName(tool.name, limit) } : tool)),
    toolChoice: toolChoice?.type === 'tool' ? { ...toolChoice, name: fitName(toolChoice.name, limit) } : toolChoice,
    messages: request.messages.map((message) => {
      if (message.role !== 'assistant') return message;
      const fit = (part: AssistantPart): AssistantPart =>
        part.type === 'tool-call' ? { ...part, name: fitName(part.name, limit) } : part;
      return { ...message, content: message.content.map(fit) };
    }),
  };
}

/** Names the upstream was given → the caller's; undefined where none differ. */
function originalNames(request: ChatRequest | undefined, limit: number): ReadonlyMap<string, string> | undefined {
  if (request === undefined) return undefined;
  const changed = namesOf(request).filter((name) => fitName(name, limit) !== name);
  return changed.length === 0 ? undefined : new Map(changed.map((name) => [fitName(name, limit), name]));
}

export function restoreNamesInReply(reply: ChatReply, request: ChatRequest | undefined, limit: number): ChatReply {
  const names = originalNames(request, limit);
  if (names === undefined) return reply;
  const restore = (part: AssistantPart): AssistantPart =>
    part.type === 'tool-call' ? { ...part, name: names.get(part.name) ?? part.name } : part;
  return { ...reply, choices: reply.choices.map((choice) => ({ ...choice, content: choice.content.map(restore) })) };
}

/** The decoder itself where no name was changed. */
export function restoreNamesInStream(decoder: StreamDecoder, request: ChatRequest | undefined, limit: number): StreamDecoder {
  const names = originalNames(request, limit);
  if (names === undefined) return decoder;
  const restore = (part: StreamPart): StreamPart =>
    part.type === 'tool-call-delta' && part.name !== undefined ? { ...part, name: names.get(part.name) ?? part.name } : part;
  return { push: (event) => decoder.push(event).map(restore), end: () => decoder.end().map(restore) };
}
