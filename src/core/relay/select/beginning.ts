/**
 * The beginning of a conversation whose client names none: what its vendor's cache begins with
 * (docs/rules/routing.md#affinity-key). Read from the bytes, because a forwarded body is not parsed.
 */
import { hash } from 'node:crypto';
import type { BodyFields } from '../../canonical/pass-through.ts';
import { isObject, parseJson } from '../../kernel/json.ts';

export interface Beginning {
  /** A hash of tools, system prompt and the first turn of the user. */
  readonly hash: string;
  /** More than the first turn has come. */
  readonly continues: boolean;
}

/** Under one of these names each format has it. */
const turnFields = ['messages', 'contents', 'input'] as const;
const fixedFields = [
  'tools',
  'system',
  'instructions',
  'systemInstruction',
  'system_instruction',
] as const;
/** Bytes of each value that are hashed, and at most parsed. */
const most = 16 * 1024;

/** Signs of JSON that are looked at: half a millisecond. What is beyond has no beginning. */
const mostSigns = 100_000;

const quote = 0x22;
const backslash = 0x5c;
const opening: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b]);
const closing: ReadonlySet<number | undefined> = new Set([0x7d, 0x5d]);

/** What is left of {@link mostSigns}. */
interface Patience {
  signs: number;
}

/** Offset of the quotation mark that ends a string; −1: it does not end, or not soon enough. */
function endOfString(bytes: Buffer, start: number, left: Patience): number {
  for (let at = bytes.indexOf(quote, start + 1); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === backslash && left.signs > 0) {
      slashes += 1;
      left.signs -= 1;
    }
    left.signs -= 1;
    if (left.signs <= 0) return -1;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

/** The objects in a JSON array, one by one. */
function* elementsOf(array: Buffer): Generator<Buffer> {
  let depth = 0;
  let start = 0;
  const left: Patience = { signs: mostSigns };
  for (let at = 1; at < array.length && left.signs > 0; at++) {
    left.signs -= 1;
    const byte = array[at];
    if (byte === quote) {
      at = endOfString(array, at, left);
      if (at === -1) return;
    } else if (opening.has(byte)) {
      if (depth === 0) start = at;
      depth += 1;
    } else if (closing.has(byte)) {
      depth -= 1;
      if (depth === 0) yield array.subarray(start, at + 1);
      if (depth < 0) return;
    }
  }
}

type Fields = Readonly<Record<string, unknown>>;

const isMark = (name: string) => name === 'cache_control' || name === 'prompt_cache_breakpoint';

interface Turn {
  readonly isInstruction: boolean;
  /** The same although marks for the cache have moved on with the conversation. */
  readonly hashed: string | Buffer;
}

const textTypes: ReadonlySet<unknown> = new Set(['text', 'input_text']);

/** Clients write a text as a part where they mark it for the cache, and as a string later on. */
function withoutParts(content: unknown): unknown {
  const [part, ...others] = Array.isArray(content) ? (content as unknown[]) : [];
  if (!isObject(part) || others.length > 0 || !textTypes.has(part['type'])) return content;
  const { type, text, ...rest } = part;
  return typeof text === 'string' && Object.keys(rest).every(isMark) ? text : content;
}

function withoutMarks(name: string, inner: unknown): unknown {
  if (isMark(name)) return undefined;
  return name === 'content' ? withoutParts(inner) : inner;
}

function readTurn(bytes: Buffer): Turn {
  if (bytes.length > most) return readLongTurn(bytes);
  const value = parseJson(bytes.toString('utf8'));
  if (!isObject(value)) return { isInstruction: false, hashed: bytes };
  return turnOf(value);
}

function turnOf(value: Fields): Turn {
  const { role } = value;
  return {
    isInstruction: role === 'system' || role === 'developer',
    // A function that sees each value takes most of the time.
    hashed: isPlain(value) ? JSON.stringify(value) : JSON.stringify(value, withoutMarks),
  };
}

/** Has nothing that {@link withoutMarks} would change. */
const isPlain = (value: Fields): boolean =>
  Object.entries(value).every(([name, inner]) => typeof inner !== 'object' && !isMark(name));

/** Bytes at each end of a long turn in which its role and the beginning of its text are looked for. */
const glance = 512;
/** Quotation marks inside of texts have a backslash before them. */
const instructs = /"role"\s*:\s*"(?:system|developer)"/;
const beforeText =
  /"(?:content|parts)"\s*:\s*(?:\[\s*\{\s*(?:"type"\s*:\s*"(?:input_)?text"\s*,\s*)?"text"\s*:\s*)?"/;

/** A turn that is too long to be parsed. */
function readLongTurn(bytes: Buffer): Turn {
  const head = bytes.toString('latin1', 0, glance);
  const tail = bytes.toString('latin1', bytes.length - glance);
  const before = beforeText.exec(head);
  const start = before === null ? 0 : before.index + before[0].length;
  return {
    isInstruction: instructs.test(head) || instructs.test(tail),
    hashed: bytes.subarray(start, start + most),
  };
}

type Parts = (string | Buffer)[];

function addBytes(parts: Parts, bytes: Buffer): void {
  parts.push(`${bytes.length} `, bytes.subarray(0, most));
}

/** In one call: an object that takes the parts one by one costs more than the hash. */
function hashOf(parts: Parts): string {
  const isText = parts.every((part) => typeof part === 'string');
  const bytes = () => Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return hash('sha256', isText ? parts.join('') : bytes(), 'base64url');
}

/**
 * A hash of what makes an agent: its tools, its system prompt, and the instructions before the first
 * turn. Undefined: the body has none of them.
 */
export function agentOf(body: BodyFields): string | undefined {
  const parts: Parts = [];
  for (const name of fixedFields) {
    const bytes = body.bytesOf?.(name);
    if (bytes !== undefined) addBytes(parts, bytes);
  }
  const turns = body.bytesOf?.('messages') ?? body.bytesOf?.('input');
  if (turns !== undefined && opening.has(turns[0])) {
    for (const element of elementsOf(turns)) {
      const { isInstruction, hashed } = readTurn(element);
      if (!isInstruction) break;
      parts.push(hashed);
    }
  }
  return parts.length === 0 ? undefined : hashOf(parts);
}

/** Messages of the conversation, whatever the body's format calls them; undefined: it has none. */
export function messagesIn(body: BodyFields): number | undefined {
  const name = turnFields.find((field) => body.has(field));
  try {
    const turns = name === undefined ? undefined : body.get(name);
    return Array.isArray(turns) ? turns.length : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined: the body has no turns. */
export function beginningOf(body: BodyFields): Beginning | undefined {
  const known = parsedTurns(body);
  if (known !== undefined) return beginOf([], known, turnOf);
  const turns = turnFields.map((name) => body.bytesOf?.(name)).find((bytes) => bytes !== undefined);
  if (turns === undefined) return undefined;
  const parts: Parts = [];
  for (const name of fixedFields) {
    const bytes = body.bytesOf?.(name);
    if (bytes !== undefined) addBytes(parts, bytes);
  }
  if (opening.has(turns[0])) return beginOf(parts, elementsOf(turns), readTurn);
  addBytes(parts, turns);
  return { hash: hashOf(parts), continues: false };
}

/** The turns of a small body, which is parsed; undefined: its bytes have to be looked at. */
function parsedTurns(body: BodyFields): readonly Fields[] | undefined {
  if (body.parsed === undefined || fixedFields.some((name) => body.has(name))) return undefined;
  for (const name of turnFields) {
    const turns = body.parsed(name);
    if (turns !== undefined)
      return Array.isArray(turns) && turns.every(isObject) ? turns : undefined;
  }
  return undefined;
}

function beginOf<Element>(
  parts: Parts,
  elements: Iterable<Element>,
  read: (element: Element) => Turn,
): Beginning | undefined {
  let began = false;
  for (const element of elements) {
    if (began) return { hash: hashOf(parts), continues: true };
    const { isInstruction, hashed } = read(element);
    parts.push(hashed);
    began = !isInstruction;
  }
  return began ? { hash: hashOf(parts), continues: false } : undefined;
}
