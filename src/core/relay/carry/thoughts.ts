/** What of an assistant's turn its vendor wants back: thinking, and the signatures of its parts. */
import { createHash } from 'node:crypto';
import type {
  AssistantMessage,
  AssistantPart,
  ChatMessage,
  Phase,
  ReasoningPart,
  ToolCallPart,
  UserPart,
} from '../../canonical/chat.ts';
import { parseJson } from '../../kernel/json.ts';
import type { WireFormat } from '../../vocabulary/wire-formats.ts';

/** The thinking of one turn. */
export interface Thoughts {
  /** Whose signatures these are; undefined: there are none. */
  readonly origin?: WireFormat;
  /** Thinking, each with the number of texts and calls before it. */
  readonly parts: readonly { readonly at: number; readonly part: ReasoningPart }[];
  /** The texts and calls between which it stands: `tc` is a text, then a call. */
  readonly shape: string;
  /** Gemini's signatures: one for each call, and that of the text. */
  readonly calls: readonly (string | null)[];
  readonly text?: string;
  /** What its last text is. */
  readonly phase?: Phase;
}

const isCall = (part: AssistantPart): part is ToolCallPart => part.type === 'tool-call';

/** A letter for each call and each run of texts. */
function mark(part: AssistantPart, shape: string): string {
  if (isCall(part)) return 'c';
  const isText = part.type === 'text' && part.text.trim() !== '';
  return isText && !shape.endsWith('t') ? 't' : '';
}

/** Undefined: the turn has none. */
export function thoughtsOf(content: readonly AssistantPart[]): Thoughts | undefined {
  const parts: { at: number; part: ReasoningPart }[] = [];
  const calls: (string | null)[] = [];
  let shape = '';
  let text: string | undefined;
  let phase: Phase | undefined;
  for (const part of content) {
    if (part.type === 'reasoning') parts.push({ at: shape.length, part });
    else if (isCall(part)) calls.push(part.signature ?? null);
    else if (part.type === 'text') {
      text = part.signature ?? text;
      phase = part.phase ?? phase;
    }
    shape += mark(part, shape);
  }
  const isGemini = text !== undefined || calls.some((signature) => signature !== null);
  const signed = parts.find(({ part }) => (part.signature ?? part.redacted) !== undefined);
  if (parts.length === 0 && !isGemini && phase === undefined) return undefined;
  const origin = isGemini ? 'gemini-generate' : signed?.part.origin;
  return { origin, parts, shape, calls, text, phase };
}

export function hasSignature(content: readonly AssistantPart[]): boolean {
  return content.some(
    (part) =>
      ('signature' in part && part.signature !== undefined) ||
      (part.type === 'reasoning' && part.redacted !== undefined),
  );
}

/** JSON with its members in order: clients parse arguments and write them anew. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, ordered(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Arguments in a form that does not depend on who wrote them; too deep ones as they are. */
function sameArguments(text: string): unknown {
  try {
    const value = ordered(parseJson(text));
    JSON.stringify(value);
    return value;
  } catch {
    return text;
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url');

function textsIn(content: readonly (AssistantPart | UserPart)[]): string {
  return content
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .trim();
}

/** What the turn called, else what it said. */
function actOf(content: readonly AssistantPart[]): string {
  const calls = content.filter(isCall);
  if (calls.length === 0) return textsIn(content);
  return JSON.stringify(calls.map((call) => [call.name, sameArguments(call.arguments)]));
}

/** Characters of an act that no other conversation has by chance. */
const unmistakable = 400;
/** Some servers only count the calls of a conversation: `call_0`, `functions.look:0`. */
const counted = /^\D*\d{0,4}$/;

/**
 * Names by which a turn is found again, the surest first: the id of its first call, as clients of
 * any format return it, then what it did. What many conversations may have in common is named
 * together with what came before it.
 */
export function namesOfTurn(content: readonly AssistantPart[], before: string): readonly string[] {
  const first = content.find(isCall);
  const act = actOf(content);
  if (act === '') return [];
  const isOwn = first !== undefined && !counted.test(first.id.replace(first.name, ''));
  const byId = isOwn ? [`${first.id} ${first.name}`] : [];
  return [
    ...byId.map((name) => name.replaceAll(/[^a-zA-Z0-9_ -]/g, '_')),
    `turn ${digestOf(act)}${act.length < unmistakable ? ` after ${before}` : ''}`,
  ];
}

/**
 * Goes through a conversation and names what stands before each turn: the last question and what
 * the assistant did last. No more of it, because clients leave out the oldest turns.
 */
export class Before {
  #question = '';
  #act = '';

  /** A name of what stands before the message that comes next. */
  get name(): string {
    return `${this.#question} ${this.#act}`;
  }

  pass(message: ChatMessage): void {
    if (message.role === 'assistant') this.#act = digestOf(actOf(message.content));
    if (message.role !== 'user') return;
    const question = textsIn(message.content);
    if (question !== '') this.#question = digestOf(question);
  }
}

/** The turn with what its texts were, where nobody says it. */
export function withPhase(message: AssistantMessage, { phase }: Thoughts): AssistantMessage {
  const isSilent = message.content.every(
    (part) => part.type !== 'text' || part.phase === undefined,
  );
  if (phase === undefined || !isSilent) return message;
  const content = message.content.map((part) => (part.type === 'text' ? { ...part, phase } : part));
  return { ...message, content };
}

/** The turn with its thinking where it stood, in place of what is left of it. */
export function withThoughts(message: AssistantMessage, thoughts: Thoughts): AssistantMessage {
  const kept = message.content.filter((part) => part.type !== 'reasoning');
  let shape = '';
  for (const part of kept) shape += mark(part, shape);
  const isSame = shape === thoughts.shape;
  const isPaired = kept.filter(isCall).length === thoughts.calls.length;
  const waiting = thoughts.parts.map(({ at, part }) => ({ at: isSame ? at : 0, part }));
  const content: AssistantPart[] = [];
  let passed = '';
  let call = 0;
  const take = () => {
    while (waiting[0] !== undefined && waiting[0].at <= passed.length)
      content.push(...waiting.splice(0, 1).map(({ part }) => part));
  };
  for (const part of kept) {
    const letter = mark(part, passed);
    if (letter !== '') take();
    passed += letter;
    const signature = isCall(part) && isPaired ? thoughts.calls[call++] : undefined;
    content.push(typeof signature === 'string' ? ({ ...part, signature } as AssistantPart) : part);
  }
  take();
  return { ...message, content: signLastText(content, thoughts.text) };
}

function signLastText(content: AssistantPart[], signature: string | undefined): AssistantPart[] {
  const last = content.findLastIndex((part) => part.type === 'text');
  const text = content[last];
  if (signature !== undefined && text?.type === 'text') content[last] = { ...text, signature };
  return content;
}

/** The turn without what only the account that made it takes. */
export function withoutSignatures(message: AssistantMessage): AssistantMessage {
  if (!hasSignature(message.content)) return message;
  const content = message.content.flatMap((part): readonly AssistantPart[] => {
    if (part.type === 'reasoning')
      return part.text === '' ? [] : [{ type: 'reasoning', text: part.text }];
    return 'signature' in part ? [{ ...part, signature: undefined }] : [part];
  });
  return { ...message, content };
}
