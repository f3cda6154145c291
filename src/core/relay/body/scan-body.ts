/** Finds the top-level fields of a JSON text without parsing it. */
import { AppError } from '../../kernel/errors.ts';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
  readName,
} from './json-bytes.ts';
import { type BodyMedia, MediaScan } from './media-scan.ts';
import type { JsonKind } from './request-body.ts';

export interface Entry {
  readonly name: string;
  readonly keyStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** Strings longer than this may be data of images and files; shorter ones always count as text. */
const dataThreshold = 1024;
/** How far a string is walked byte by byte before the native search takes over. */
const walkLimit = 48;

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The places of a body's top-level fields. */
export class Scan {
  readonly entries: readonly Entry[];
  readonly media: BodyMedia;

  constructor(entries: readonly Entry[], media: BodyMedia) {
    this.entries = entries;
    this.media = media;
  }
}

/** What kind of value begins with this byte. */
export function kindOfByte(byte: number | undefined): JsonKind {
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

class Scanner {
  readonly #bytes: Buffer;
  readonly #mostValues: number;
  #values = 0;
  /** Whether the string that was passed last holds a backslash near its front. */
  #escaped = false;
  readonly media: MediaScan;

  constructor(bytes: Buffer, mostValues: number) {
    this.#bytes = bytes;
    this.media = new MediaScan(bytes);
    this.#mostValues = mostValues;
  }

  /** Every value but the first of a list follows an opening or a comma. */
  #count(): void {
    this.#values += 1;
    if (this.#values > this.#mostValues)
      throw new AppError('request_too_complex', { most: this.#mostValues });
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
      if (byte === backslash) {
        this.#escaped = true;
        i += 2;
      } else i += 1;
    }
    for (let from = i; ; ) {
      const end = bytes.indexOf(quote, from);
      if (end === -1) return -1;
      let slashes = 0;
      while (end - 1 - slashes >= i && bytes[end - 1 - slashes] === backslash) slashes += 1;
      if (slashes % 2 === 0) {
        if (end - start > dataThreshold) this.media.noteLong(start, end);
        return end + 1;
      }
      from = end + 1;
    }
  }

  /**
   * From the first byte of a value to just behind its last; −1 when brackets or strings do not
   * close.
   */
  value(start: number): number {
    const bytes = this.#bytes;
    const first = bytes[start];
    this.#count();
    this.media.open.length = 0;
    if (first === quote) return this.string(start);
    if (first !== openBrace && first !== openBracket) return this.#literal(start);
    const closers: number[] = [];
    const { open } = this.media;
    let i = start;
    while (i < bytes.length) {
      const byte = bytes[i] as number;
      if (byte === quote) {
        this.#escaped = false;
        const end = this.string(i);
        if (end === -1) return -1;
        this.media.noteShort(i, end, this.#escaped);
        i = end;
        continue;
      }
      if (byte === comma) this.#count();
      else if (byte === openBrace || byte === openBracket) {
        closers.push(byte === openBrace ? closeBrace : closeBracket);
        open.push(i);
        this.#count();
      } else if (byte === closeBrace || byte === closeBracket) {
        if (closers.pop() !== byte) return -1;
        open.pop();
        if (closers.length === 0) return i + 1;
      }
      i += 1;
    }
    return -1;
  }

  #literal(start: number): number {
    const bytes = this.#bytes;
    let i = start;
    while (i < bytes.length && bytes[i] !== comma && bytes[i] !== closeBrace && !isBlank(bytes[i]))
      i += 1;
    return i === start || !isLiteral(bytes.toString('latin1', start, i)) ? -1 : i;
  }
}

function isLiteral(text: string): boolean {
  return (
    text === 'true' ||
    text === 'false' ||
    text === 'null' ||
    /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)
  );
}

/**
 * Null when the bytes are not one JSON object. Throws AppError request_too_complex when they hold
 * more values than `mostValues`.
 */
export function scan(bytes: Buffer, mostValues = Number.POSITIVE_INFINITY): Scan | null {
  const scanner = new Scanner(bytes, mostValues);
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
      const name = readName(bytes, keyStart, keyEnd);
      if (name === undefined) return null;
      i = scanner.blanks(keyEnd);
      if (bytes[i] !== colon) return null;
      scanner.media.enter(name, i + 1);
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
  return new Scan(entries, scanner.media.result());
}

/**
 * Whether a JSON text holds more values than `most`. Malformed texts are read as far as their
 * brackets close.
 */
export function holdsMoreValues(bytes: Buffer, most: number): boolean {
  const scanner = new Scanner(bytes, most);
  try {
    scanner.value(scanner.blanks(hasByteOrderMark(bytes) ? 3 : 0));
    return false;
  } catch (error) {
    if (error instanceof AppError) return true;
    throw error;
  }
}

export function hasByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
