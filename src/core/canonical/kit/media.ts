/** Images, audio and files between the ways the wires write them (docs/rules/formats.md#media). */
import type { MediaFile } from '../calls.ts';

export interface DataUri {
  readonly mediaType: string;
  /** Base64 without prefix. */
  readonly data: string;
}

/** `image/jpg` and the like, spelled as registered. */
export function normalizeMediaType(mediaType: string): string {
  const lower = mediaType.toLowerCase();
  return lower === 'image/jpg' ? 'image/jpeg' : lower;
}

/** Reads `data:{mime};base64,{data}`; undefined for anything else. */
export function readDataUri(text: string): DataUri | undefined {
  if (!text.startsWith('data:')) return undefined;
  const comma = text.indexOf(',');
  if (comma === -1) return undefined;
  const head = text.slice(5, comma).split(';');
  if (head.at(-1)?.trim().toLowerCase() !== 'base64') return undefined;
  return {
    mediaType: normalizeMediaType(head[0]?.trim() || 'application/octet-stream'),
    data: text.slice(comma + 1),
  };
}

export function writeDataUri(mediaType: string, data: string): string {
  return `data:${mediaType};base64,${data}`;
}

/** An uploaded file for upstreams that take JSON only. */
export function fileDataUri({ mediaType, bytes }: Pick<MediaFile, 'mediaType' | 'bytes'>): string {
  return writeDataUri(mediaType, Buffer.from(bytes).toString('base64'));
}

/**
 * First base64 characters of the formats that providers accept, to find the media type of bytes
 * that come without one.
 */
const magic: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi0', 'application/pdf'],
];

export function guessMediaType(base64: string): string | undefined {
  return magic.find(([start]) => base64.startsWith(start))?.[1];
}

const audioTypes: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  mpeg: 'audio/mpeg',
};

/** OpenAI's name of an audio format as media type. */
export function audioMediaType(format: string): string {
  return audioTypes[format] ?? `audio/${format}`;
}

/** The inverse of {@link audioMediaType}. */
export function audioFormat(mediaType: string): string {
  const name = mediaType.slice(mediaType.indexOf('/') + 1);
  if (name === 'mpeg') return 'mp3';
  return name === 'x-wav' ? 'wav' : name;
}
