/**
 * What of a JSON body is not text: noted by the scan while it passes strings, so that the body is
 * not read a second time.
 */
import { backslash, colon, quote, readName } from './json-bytes.ts';
import {
  answerImages,
  isMediaData,
  isMediaPart,
  isSealed,
  isTurnText,
  needsMediaType,
  partNames,
} from './media-fields.ts';

/** What a body holds besides text. */
export interface BodyMedia {
  /** Images, recordings and files: by data, address or id. */
  readonly parts: number;
  /** Bytes of the data of such parts. */
  readonly bytes: number;
  /** Bytes of thinking that only its vendor can read. */
  readonly sealedBytes: number;
  /** The longest time for which the caller wants parts of the prompt cached, by marks on them. */
  readonly caching: 'none' | '5m' | '1h';
  /** Earlier answers may hold images that a model made, as Markdown or beside their text. */
  readonly answerImages: boolean;
}

export const noMedia: BodyMedia = {
  parts: 0,
  bytes: 0,
  sealedBytes: 0,
  caching: 'none',
  answerImages: false,
};

/** Deeper members are text: no format has media there. */
const deepest = 16;
/** Members beyond this number count without a look at where they stand. */
const mostLookups = 10_000;
/** Bytes before and behind a part's data that may name its type. */
const besideLimit = 512;
/** Bytes of the longest name that matters, with each character escaped, and its quotes. */
const longestKey = 144;

const equals = 0x3d;

/** The middle of an image in Markdown with its data; no writer of JSON escapes any of it. */
const markdownData = Buffer.from('](data:');

/** Anthropic's mark for the prompt cache, and OpenAI's. */
const cacheMarks = ['cache_control', 'prompt_cache_breakpoint'] as const;
const isCacheMark = (name: string): boolean => name === cacheMarks[0] || name === cacheMarks[1];

export class MediaScan {
  readonly #bytes: Buffer;
  /** Where the open lists and objects begin, from the outermost. */
  readonly open: number[] = [];
  /** The name of the top-level field. */
  top = '';
  #partKeys = 0;
  #data = 0;
  #dataBytes = 0;
  #sealedBytes = 0;
  #caching: BodyMedia['caching'] = 'none';
  #answerImages = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  result(): BodyMedia {
    const parts = Math.max(this.#partKeys, this.#data);
    return {
      parts,
      bytes: this.#dataBytes,
      sealedBytes: this.#sealedBytes,
      caching: this.#caching,
      answerImages: this.#answerImages,
    };
  }

  /** A name at the top. `end`: behind its closing quote. */
  enter(name: string, end: number): void {
    this.top = name;
    if (isCacheMark(name)) this.#noteCaching(end);
    else if (isMediaPart(name)) this.#partKeys += 1;
  }

  /**
   * A short string that may be the name of a member. `start`: its opening quote; `end`: behind its
   * closing quote; `escaped`: it holds a backslash. Nearly all strings of a body end here, so the
   * first look costs two reads.
   */
  noteShort(start: number, end: number, escaped: boolean): void {
    const bytes = this.#bytes;
    if (
      end - start > longestKey ||
      !(escaped || shapes[shapeOf(bytes[start + 1] as number, end - start - 2)] === 1)
    )
      return;
    let next = end;
    while ((bytes[next] as number) <= 0x20) next += 1;
    if (bytes[next] !== colon) return;
    const name = readName(bytes, start, end);
    if (name !== undefined && isCacheMark(name)) return this.#noteCaching(end);
    if (name === undefined || !partNames.has(name)) return;
    const path = this.#partKeys < mostLookups ? this.#path() : undefined;
    if (this.#partKeys >= mostLookups || (path !== undefined && isMediaPart(`${path}/${name}`)))
      this.#partKeys += 1;
    if (path === answerImages) this.#answerImages = true;
  }

  /** A long string. `start`: its opening quote; `end`: its closing quote. */
  noteLong(start: number, end: number): void {
    const path = this.#path();
    const key = path === undefined ? undefined : this.#keyBefore(start);
    const full = this.open.length === 0 ? this.top : key === undefined ? path : `${path}/${key}`;
    if (full === undefined) return;
    const length = end - start - 1;
    if (isSealed(full)) {
      if (isBase64(this.#bytes, start + 1, end)) this.#sealedBytes += length;
    } else if (isMediaData(full) && this.#isMedia(full, start + 1, end)) {
      this.#data += 1;
      this.#dataBytes += length;
    } else if (!this.#answerImages && isTurnText(full) && holdsData(this.#bytes, start, end)) {
      this.#answerImages = this.#bytes.subarray(start, end).includes(markdownData);
    }
  }

  #noteCaching(end: number): void {
    const value = this.#bytes.toString(
      'latin1',
      end,
      Math.min(end + besideLimit / 4, this.#bytes.length),
    );
    if (/12?h|\\/.test(value)) this.#caching = '1h';
    else if (this.#caching === 'none') this.#caching = '5m';
  }

  /** The path of the innermost open object. Undefined: too deep. */
  #path(): string | undefined {
    if (this.open.length > deepest) return undefined;
    const keys = [this.top];
    for (const start of this.open.slice(1)) {
      const key = this.#keyBefore(start);
      if (key !== undefined) keys.push(key);
    }
    return keys.join('/');
  }

  /** The name of the member whose value begins here; undefined for an element of a list. */
  #keyBefore(value: number): string | undefined {
    const bytes = this.#bytes;
    let i = value - 1;
    while ((bytes[i] as number) <= 0x20) i -= 1;
    if (bytes[i] !== colon) return undefined;
    i -= 1;
    while ((bytes[i] as number) <= 0x20) i -= 1;
    const end = i + 1;
    const furthest = end - longestKey;
    for (i -= 1; i >= furthest; i -= 1) {
      if (bytes[i] === quote && bytes[i - 1] !== backslash) return readName(bytes, i, end);
    }
    return '?'; // longer than any that matters
  }

  /**
   * Real base64 of an image, a recording or a file, by its own prefix or by the media type beside
   * it.
   */
  #isMedia(path: string, start: number, end: number): boolean {
    const bytes = this.#bytes;
    const head = bytes.toString('latin1', start, Math.min(start + 128, end));
    const prefix =
      /^data:((?:image|audio|video)\/[\w.+-]+|application\/pdf)(?:;[\w=.-]+)*;base64,/i.exec(head);
    if (prefix !== null) return isBase64(bytes, start + prefix[0].length, end);
    if (head.startsWith('data:')) return false;
    const known = needsMediaType(path)
      ? this.#hasMediaType(start - 1, end + 1)
      : !path.endsWith('file_data') || head.startsWith('JVBERi0');
    return known && isBase64(bytes, start, end);
  }

  /** The object around the data names one media type, and it is none of a text. */
  #hasMediaType(start: number, end: number): boolean {
    const bytes = this.#bytes;
    const begin = this.open.at(-1) ?? 0;
    if (start - begin > besideLimit) return false;
    const close = bytes.indexOf('}', end);
    if (close === -1 || close - end > besideLimit) return false;
    const beside = `${bytes.toString('latin1', begin, start)}${bytes.toString('latin1', end, close)}`;
    if (/\\|"type"\s*:\s*"text"/.test(beside)) return false;
    const types = [...beside.matchAll(/"(?:media_type|mimeType|mime_type)"\s*:\s*"([^"]*)"/g)];
    return (
      types.length === 1 && /^(image|audio|video)\/|^application\/pdf/i.test(types[0]?.[1] ?? '')
    );
  }
}

/** The names that matter, by first byte and length. */
const shapes = new Uint8Array(256 * 128);
const shapeOf = (first: number, length: number): number => (first << 7) | length;
for (const name of [...partNames, ...cacheMarks])
  shapes[shapeOf(name.charCodeAt(0), name.length)] = 1;

/** A name that matters, a long string that may, or an escape that could hide one. */
const suspicious =
  /"(?:image|input_audio|video_url|audio_url|file|source|inline|result|mask|cache_control|prompt_cache_breakpoint|signature|encrypted|thought)|\\u/;

/**
 * Whether a small body may hold anything but text: false is certain. Nearly all small bodies need
 * no scan.
 */
export function mayHoldMedia(bytes: Buffer): boolean {
  return suspicious.test(bytes.toString('latin1'));
}

/** 1: a character of base64, in either alphabet. */
const base64Bytes = new Uint8Array(256);
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')
  base64Bytes[letter.charCodeAt(0)] = 1;
/** Data of more bytes than this is found in a text; it is as many in a row that are of base64. */
const lookEvery = 1024;
const dataRun = 64;

/** Whether a text has long data in it: words end sooner, so that most looks read a few bytes. */
function holdsData(bytes: Buffer, start: number, end: number): boolean {
  for (let look = start + 1; look + dataRun <= end; look += lookEvery) {
    let at = look;
    while (
      at < look + dataRun &&
      (base64Bytes[bytes[at] as number] === 1 || bytes[at] === backslash)
    )
      at += 1;
    if (at === look + dataRun) return true;
  }
  return false;
}

/** Up to so many bytes every one is looked at, of longer data one in so many. */
const readWhole = 16 * 1024;
const stride = 61;

/**
 * Whether it is base64. Of long data a part is looked at, from a random byte on: words between the
 * characters of an image are found all the same, and an image of a megabyte costs nothing
 * (docs/performance.md#image-bodies).
 */
function isBase64(bytes: Buffer, start: number, end: number): boolean {
  let last = end;
  while (end - last < 2 && bytes[last - 1] === equals) last -= 1;
  const isShort = last - start <= readWhole;
  const step = isShort ? 1 : stride;
  for (let at = isShort ? start : start + Math.floor(Math.random() * stride); at < last; at += step)
    if (base64Bytes[bytes[at] as number] === 0) return false;
  return true;
}
