/** What of an assistant's turn its vendor wants back: thinking, and the signatures of its parts. */
import { createHash } from 'node:crypto';
import type {
  AssistantMessage,
  AssistantPart,
  Phase,
  ReasoningPart,
  ToolCallPart,
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

/**
 * Names by which a turn is found again, the surest first: the id of its first call, as clients of
 * any format return it, then what was called or said.
 */
export function namesOfTurn(content: readonly AssistantPart[]): readonly string[] {
  const calls = content.filter(isCall);
  const [first] = calls;
  const said = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (first === undefined && said.trim() === '') return [];
  const acted =
    first === undefined
      ? said.trim()
      : JSON.stringify(calls.map((call) => [call.name, sameArguments(call.arguments)]));
  const hash = createHash('sha256').update(acted).digest('base64url');
  const byId = first === undefined || first.id === '' ? [] : [`${first.id} ${first.name}`];
  return [...byId.map((name) => name.replaceAll(/[^a-zA-Z0-9_ -]/g, '_')), `turn ${hash}`];
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
