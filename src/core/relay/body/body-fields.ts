/**
 * The top-level fields of a JSON body, found without parsing it (docs/rules/relay.md#body-fields):
 * bodies are not parsed when caller and upstream speak the same format. Decides exactly as
 * JSON.parse would: the last of duplicate keys wins, escaped keys are decoded. Strings and brackets
 * are checked throughout; nested values are otherwise checked when they are read.
 */
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonValue } from '../../kernel/json.ts';
import { type BodyMedia, mayHoldMedia, noMedia } from './media-scan.ts';
import type { LendMemory } from './read-body.ts';
import {
  type BodyEdits,
  type JsonKind,
  noFiles,
  type RequestBody,
  type WireBody,
} from './request-body.ts';
import { type Entry, hasByteOrderMark, kindOfByte, Scan, scan } from './scan-body.ts';

/** A body above this many bytes is not parsed to check it: the upstream's own check follows. */
const fullCheckLimit = 4096;

export class Body implements RequestBody {
  readonly bytes: Buffer;
  readonly files = noFiles;
  readonly isForm = false;
  /** A small body is parsed whole to check it; its bytes are scanned only where it is edited. */
  readonly #whole: Record<string, JsonValue> | null;
  readonly #parsed = new Map<string, JsonValue>();
  #entries: readonly Entry[] | null;
  #media: BodyMedia | null;
  #byName: ReadonlyMap<string, Entry> | null = null;
  readonly #lend: LendMemory;

  constructor(bytes: Buffer, found: Scan | Record<string, JsonValue>, lend: LendMemory) {
    const scanned = found instanceof Scan;
    this.bytes = bytes;
    this.#lend = lend;
    this.#media = scanned ? found.media : null;
    this.#whole = scanned ? null : found;
    this.#entries = scanned ? found.entries : null;
  }

  /** A small body was not scanned: it is where it may hold something. */
  get media(): BodyMedia {
    this.#media ??= (mayHoldMedia(this.bytes) ? scan(this.bytes)?.media : undefined) ?? noMedia;
    return this.#media;
  }

  #index(): ReadonlyMap<string, Entry> {
    this.#entries ??= scan(this.bytes)?.entries ?? [];
    this.#byName ??= new Map(this.#entries.map((entry) => [entry.name, entry]));
    return this.#byName;
  }

  has(name: string): boolean {
    return this.#whole === null ? this.#index().has(name) : Object.hasOwn(this.#whole, name);
  }

  names(): Iterable<string> {
    return this.#whole === null ? this.#index().keys() : Object.keys(this.#whole);
  }

  contains(text: string): boolean {
    return this.bytes.includes(text);
  }

  bytesOf(name: string): Buffer | undefined {
    const entry = this.#index().get(name);
    return entry && this.bytes.subarray(entry.valueStart, entry.valueEnd);
  }

  parsed(name: string): JsonValue | undefined {
    return this.#whole === null ? undefined : this.get(name);
  }

  /** Throws SyntaxError when the value is malformed inside. */
  get(name: string): JsonValue | undefined {
    if (this.#whole !== null)
      return Object.hasOwn(this.#whole, name) ? this.#whole[name] : undefined;
    const known = this.#parsed.get(name);
    if (known !== undefined) return known;
    const entry = this.#index().get(name);
    if (entry === undefined) return undefined;
    const value = JSON.parse(
      this.bytes.toString('utf8', entry.valueStart, entry.valueEnd),
    ) as JsonValue;
    this.#parsed.set(name, value);
    return value;
  }

  /** What kind of value a field holds; of a large body by its first byte. */
  kind(name: string): JsonKind | undefined {
    if (this.#whole !== null)
      return Object.hasOwn(this.#whole, name) ? kindOf(this.#whole[name]) : undefined;
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

  /**
   * The body with top-level fields set (undefined: removed). Everything else stays byte for byte.
   */
  edit(edits: BodyEdits): Buffer {
    const names = Object.keys(edits);
    if (names.length === 0) return this.bytes;
    const byName = this.#index();
    const chunks: Buffer[] = [];
    const added = names.filter((name) => edits[name] !== undefined && !byName.has(name));
    // Of duplicates only the last one counts: what is set is written there, once.
    const kept = (this.#entries ?? []).filter(
      (entry) =>
        !Object.hasOwn(edits, entry.name) ||
        (edits[entry.name] !== undefined && byName.get(entry.name) === entry),
    );
    const head = added
      .map((name) => `${JSON.stringify(name)}:${JSON.stringify(edits[name])}`)
      .join(',');
    chunks.push(Buffer.from(`{${head}`));
    let first = head === '';
    for (const entry of kept) {
      if (!first) chunks.push(commaBytes);
      first = false;
      if (Object.hasOwn(edits, entry.name))
        chunks.push(
          Buffer.from(`${JSON.stringify(entry.name)}:${JSON.stringify(edits[entry.name])}`),
        );
      else chunks.push(this.bytes.subarray(entry.keyStart, entry.valueEnd));
    }
    chunks.push(closeBytes);
    return joined(chunks, this.#lend);
  }
}

function joined(chunks: readonly Buffer[], lend: LendMemory): Buffer {
  const bytes = lend(chunks.reduce((sum, { length }) => sum + length, 0));
  let used = 0;
  for (const chunk of chunks) used += chunk.copy(bytes, used);
  return bytes;
}

function kindOf(value: unknown): JsonKind {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as JsonKind);
}

const commaBytes = Buffer.from(',');
const closeBytes = Buffer.from('}');

/**
 * Values that a caller's body may hold: a hundred bytes each once they are parsed, where two are
 * enough to write one. A million tokens of conversation have a fifth of that, the longest input of
 * an embedding too.
 */
const mostValues = 1_000_000;

/**
 * A caller's JSON body; `lend` gives memory for what is written of it. Throws AppError
 * invalid_json, request_too_complex.
 */
export function readCallerBody(bytes: Buffer, lend?: LendMemory): Body {
  // Some libraries write it, and vendors refuse it.
  const text = hasByteOrderMark(bytes) ? bytes.subarray(3) : bytes;
  const body = readBody(text, mostValues, lend);
  if (body === null) throw new AppError('invalid_json');
  return body;
}

/**
 * Reads a JSON object's top level. Null when the bytes are not one JSON object. Throws AppError
 * request_too_complex.
 */
export function readBody(
  bytes: Buffer,
  most?: number,
  lend: LendMemory = Buffer.allocUnsafe,
): Body | null {
  if (bytes.length > fullCheckLimit) {
    const found = scan(bytes, most);
    return found === null ? null : new Body(bytes, found, lend);
  }
  let value: unknown;
  try {
    value = parseBytes(bytes);
  } catch {
    return null;
  }
  return isObject(value) ? new Body(bytes, value as Record<string, JsonValue>, lend) : null;
}

function parseBytes(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString('utf8', hasByteOrderMark(bytes) ? 3 : 0));
}
