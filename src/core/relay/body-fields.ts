/**
 * The top-level fields of a JSON body, found without parsing it (design, product 6: bodies are not parsed when caller and
 * upstream speak the same wire format). Decides exactly as JSON.parse would: the last of duplicate keys wins, escaped
 * keys are decoded. Strings and brackets are checked throughout; what nests inside is otherwise left to its reader.
 */
import { isObject, type JsonValue } from '../kernel/json.ts';
import type { BodyEdits, JsonKind, RequestBody, WireBody } from './request-body.ts';

interface Entry {
  readonly name: string;
  readonly keyStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Strings longer than this are looked at as possible base64 data; shorter ones always count as text. */
const blobThreshold = 1024;
/** How far a string is walked byte by byte before the native search takes over. */
const walkLimit = 48;

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** A body above this many bytes is not parsed to check it: the upstream's own check follows. */
const fullCheckLimit = 4096;

export class Body implements RequestBody {
  readonly bytes: Buffer;
  readonly files = [];
  /** Bytes inside long strings that are data, not text (base64 images), and how many such strings there are. */
  readonly blobBytes: number;
  readonly blobs: number;
  /** A small body is parsed whole to check it; then nothing needs to be found by its bytes but what is edited. */
  readonly #whole: Record<string, JsonValue> | null;
  readonly #parsed = new Map<string, JsonValue>();
  #entries: readonly Entry[] | null;
  #byName: ReadonlyMap<string, Entry> | null = null;

  constructor(bytes: Buffer, found: Scan | Record<string, JsonValue>) {
    const scanned = found instanceof Scan;
    this.bytes = bytes;
    this.blobBytes = scanned ? found.blobBytes : 0;
    this.blobs = scanned ? found.blobs : 0;
    this.#whole = scanned ? null : found;
    this.#entries = scanned ? found.entries : null;
  }

  #index(): ReadonlyMap<string, Entry> {
    this.#entries ??= scan(this.bytes)?.entries ?? [];
    this.#byName ??= new Map(this.#entries.map((entry) => [entry.name, entry]));
    return this.#byName;
  }

  has(name: string): boolean {
    return this.#whole === null ? this.#index().has(name) : Object.hasOwn(this.#whole, name);
  }

  contains(text: string): boolean {
    return this.bytes.includes(text);
  }

  /** Throws SyntaxError when the value is malformed inside. */
  get(name: string): JsonValue | undefined {
    if (this.#whole !== null) return Object.hasOwn(this.#whole, name) ? this.#whole[name] : undefined;
    const known = this.#parsed.get(name);
    if (known !== undefined) return known;
    const entry = this.#index().get(name);
    if (entry === undefined) return undefined;
    const value = JSON.parse(this.bytes.toString('utf8', entry.valueStart, entry.valueEnd)) as JsonValue;
    this.#parsed.set(name, value);
    return value;
  }

  /** What kind of value a field holds; of a large body by its first byte. */
  kind(name: string): JsonKind | undefined {
    if (this.#whole !== null) return Object.hasOwn(this.#whole, name) ? kindOf(this.#whole[name]) : undefined;
    const entry = this.#index().get(name);
    return entry === undefined ? undefined : kindOfByte(this.bytes[entry.valueStart]);
  }

  /** The whole body parsed. Throws SyntaxError when it is malformed inside. */
  parse(): Record<string, JsonValue> {
    return this.#whole ?? (parseBytes(this.bytes) as Record<string, JsonValue>);
  }

  write(edits?: BodyEdits): WireBody {
    return { bytes: edits === undefined ? this.bytes : this.edit(edits) };
  }

  /** The body with top-level fields set (undefined: removed). Everything else stays byte for byte. */
  edit(edits: BodyEdits): Buffer {
    const names = Object.keys(edits);
    if (names.length === 0) return this.bytes;
    const byName = this.#index();
    const pieces: Buffer[] = [];
    const added = names.filter((name) => edits[name] !== undefined && !byName.has(name));
    const kept = (this.#entries ?? []).filter((entry) => !(Object.hasOwn(edits, entry.name) && edits[entry.name] === undefined));
    const head = added.map((name) => `${JSON.stringify(name)}:${JSON.stringify(edits[name])}`).join(',');
    pieces.push(Buffer.from(`{${head}`));
    let first = head === '';
    for (const entry of kept) {
      if (!first) pieces.push(commaPiece);
      first = false;
      // Of duplicates only the last one counts; replacing them all is the same and simpler.
      if (Object.hasOwn(edits, entry.name))
        pieces.push(Buffer.from(`${JSON.stringify(entry.name)}:${JSON.stringify(edits[entry.name])}`));
      else pieces.push(this.bytes.subarray(entry.keyStart, entry.valueEnd));
    }
    pieces.push(closePiece);
    return Buffer.concat(pieces);
  }
}

function kindOf(value: unknown): JsonKind {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as JsonKind);
}

function kindOfByte(byte: number | undefined): JsonKind {
  switch (byte) {
    case quote:
      return 'string';
    case openBracket:
      return 'array';
    case openBrace:
      return 'object';
    case 0x74:
    case 0x66:
      return 'boolean';
    case 0x6e:
      return 'null';
    default:
      return 'number';
  }
}

/** Where the top-level fields of a body lie. */
class Scan {
  readonly entries: readonly Entry[];
  readonly blobBytes: number;
  readonly blobs: number;

  constructor(entries: readonly Entry[], blobBytes: number, blobs: number) {
    this.entries = entries;
    this.blobBytes = blobBytes;
    this.blobs = blobs;
  }
}

const commaPiece = Buffer.from(',');
const closePiece = Buffer.from('}');

class Scanner {
  readonly #bytes: Buffer;
  blobBytes = 0;
  blobs = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  blanks(at: number): number {
    let i = at;
    while (isBlank(this.#bytes[i])) i += 1;
    return i;
  }

  /** From an opening quote to just behind the closing one; −1 when there is none. */
  string(start: number): number {
    const bytes = this.#bytes;
    const limit = Math.min(start + walkLimit, bytes.length);
    let i = start + 1;
    while (i < limit) {
      const byte = bytes[i];
      if (byte === quote) return i + 1;
      i += byte === backslash ? 2 : 1;
    }
    for (let from = i; ; ) {
      const end = bytes.indexOf(quote, from);
      if (end === -1) return -1;
      let slashes = 0;
      while (end - 1 - slashes >= i && bytes[end - 1 - slashes] === backslash) slashes += 1;
      if (slashes % 2 === 0) {
        if (end - start > blobThreshold) this.#noteBlob(start + 1, end);
        return end + 1;
      }
      from = end + 1;
    }
  }

  /** Base64 has no blanks, and prompts of a thousand characters do (or are not ASCII). */
  #noteBlob(start: number, end: number): void {
    for (let i = start; i < start + 256; i++) {
      const byte = this.#bytes[i] as number;
      if (byte === 0x20 || byte === backslash || byte > 0x7e) return;
    }
    this.blobBytes += end - start;
    this.blobs += 1;
  }

  /** From the first byte of a value to just behind its last; −1 when brackets or strings do not close. */
  value(start: number): number {
    const bytes = this.#bytes;
    const first = bytes[start];
    if (first === quote) return this.string(start);
    if (first !== openBrace && first !== openBracket) return this.#literal(start);
    const closers: number[] = [];
    let i = start;
    while (i < bytes.length) {
      const byte = bytes[i] as number;
      if (byte === quote) {
        i = this.string(i);
        if (i === -1) return -1;
        continue;
      }
      if (byte === openBrace) closers.push(closeBrace);
      else if (byte === openBracket) closers.push(closeBracket);
      else if (byte === closeBrace || byte === closeBracket) {
        if (closers.pop() !== byte) return -1;
        if (closers.length === 0) return i + 1;
      }
      i += 1;
    }
    return -1;
  }

  #literal(start: number): number {
    const bytes = this.#bytes;
    let i = start;
    while (i < bytes.length && bytes[i] !== comma && bytes[i] !== closeBrace && !isBlank(bytes[i])) i += 1;
    return i === start || !isLiteral(bytes.toString('latin1', start, i)) ? -1 : i;
  }
}

function isLiteral(text: string): boolean {
  return text === 'true' || text === 'false' || text === 'null' || /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
}

/** Reads a JSON object's top level. Null when the bytes are not one JSON object. */
export function readBody(bytes: Buffer): Body | null {
  if (bytes.length > fullCheckLimit) {
    const found = scan(bytes);
    return found === null ? null : new Body(bytes, found);
  }
  let value: unknown;
  try {
    value = parseBytes(bytes);
  } catch {
    return null;
  }
  return isObject(value) ? new Body(bytes, value as Record<string, JsonValue>) : null;
}

function scan(bytes: Buffer): Scan | null {
  const scanner = new Scanner(bytes);
  const entries: Entry[] = [];
  let i = scanner.blanks(hasByteOrderMark(bytes) ? 3 : 0);
  if (bytes[i] !== openBrace) return null;
  i = scanner.blanks(i + 1);
  if (bytes[i] !== closeBrace) {
    for (;;) {
      if (bytes[i] !== quote) return null;
      const keyStart = i;
      const keyEnd = scanner.string(i);
      if (keyEnd === -1) return null;
      const name = readKey(bytes, keyStart, keyEnd);
      if (name === undefined) return null;
      i = scanner.blanks(keyEnd);
      if (bytes[i] !== colon) return null;
      const valueStart = scanner.blanks(i + 1);
      const valueEnd = scanner.value(valueStart);
      if (valueEnd === -1) return null;
      entries.push({ name, keyStart, valueStart, valueEnd });
      i = scanner.blanks(valueEnd);
      if (bytes[i] === closeBrace) break;
      if (bytes[i] !== comma) return null;
      i = scanner.blanks(i + 1);
    }
  }
  if (scanner.blanks(i + 1) !== bytes.length) return null;
  return new Scan(entries, scanner.blobBytes, scanner.blobs);
}

function hasByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function parseBytes(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString('utf8', hasByteOrderMark(bytes) ? 3 : 0));
}

function readKey(bytes: Buffer, start: number, end: number): string | undefined {
  const raw = bytes.toString('utf8', start + 1, end - 1);
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return undefined;
  }
}
