/**
 * The fields of a request for a video, under all of their names
 * (docs/rules/video.md#video-request).
 */
import { AppError } from '../../../kernel/errors.ts';
import { isObject, type JsonObject, type JsonValue, parseJson } from '../../../kernel/json.ts';

type Fields = Readonly<Record<string, JsonValue | undefined>>;

/** What `metadata` may hold. */
const known = new Set([
  'prompt',
  'negative_prompt',
  'img_url',
  'image',
  'images',
  'input_reference',
  'image_url',
  'size',
  'resolution',
  'duration',
  'seconds',
  'seed',
  'prompt_extend',
  'watermark',
  'audio_url',
  'audio',
  'template',
  'first_frame_url',
  'last_frame_url',
  'shot_type',
]);

export function invalid(detail: string): AppError {
  return new AppError('invalid_request', { detail });
}

function objectOf(name: string, value: JsonValue | undefined): JsonObject {
  if (value === undefined || value === null || value === '') return {};
  // A field of a form is text.
  const parsed = typeof value === 'string' ? parseJson(value) : value;
  if (isObject(parsed)) return parsed as JsonObject;
  throw invalid(`${name} must be an object`);
}

function readMetadata(value: JsonValue | undefined): JsonObject {
  const metadata = objectOf('metadata', value);
  for (const name of Object.keys(metadata)) {
    if (!known.has(name)) throw invalid(`metadata.${name} is not supported`);
  }
  return metadata;
}

/**
 * One level of fields from a body that may nest them in `input` and `parameters`, as DashScope
 * does, or in `metadata`. What is not nested counts first. Throws AppError('invalid_request').
 */
export function flattenOrder(body: JsonObject): Fields {
  const { input, parameters, metadata, ...top } = body;
  const levels = [
    readMetadata(metadata),
    objectOf('parameters', parameters),
    objectOf('input', input),
    top,
  ];
  const entries = levels.flatMap((level) => Object.entries(level));
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== ''));
}

/**
 * The trimmed text of a field; undefined where it is absent or empty. Throws
 * AppError('invalid_request').
 */
export function textField(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw invalid(`${name} must be a text`);
  return value.trim() === '' ? undefined : value.trim();
}

/** A whole number, also as text. */
export function integerField(fields: Fields, name: string, most: number): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= most)
    return number;
  throw invalid(`${name} must be a whole number from 0 to ${most}`);
}

export function booleanField(fields: Fields, name: string): boolean | undefined {
  const value = fields[name];
  if (value === undefined || typeof value === 'boolean') return value;
  if (value === 'true') return true;
  if (value === 'false') return false;
  throw invalid(`${name} must be true or false`);
}

/** The first image of `images`, the address in `{url}` or `{image_url}`, or the text itself. */
function addressIn(name: string, value: JsonValue | undefined): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  if (first === undefined || first === null) return undefined;
  const address = isObject(first) ? (first.url ?? first.image_url) : first;
  if (typeof address === 'string') return address.trim() === '' ? undefined : address.trim();
  throw invalid(`${name} must be the address of an image`);
}

const imageNames = [
  'img_url',
  'image',
  'images',
  'images[]',
  'images[0]',
  'input_reference',
  'input_reference[image_url]',
  'input_reference[url]',
  'image_url',
  'image_url[url]',
];

/** The image of the request, under the first of its names that is given. */
export function imageField(fields: Fields): string | undefined {
  for (const name of imageNames) {
    const address = addressIn(name, fields[name]);
    if (address !== undefined) return checkAddress(name, address);
  }
  return undefined;
}

const longestAddress = 2048;

function checkAddress(name: string, address: string): string {
  if (/^data:[a-z]+\/[a-z0-9.+-]+;base64,/i.test(address)) return address;
  const isOurs = address.startsWith('/uploads/');
  if (!isOurs && !(/^https?:\/\//i.test(address) && URL.canParse(address)))
    throw invalid(`${name} must be an http or https address, or a data URI`);
  if (address.length > longestAddress)
    throw invalid(`${name} may have at most ${longestAddress} characters`);
  return address;
}

/** An address, of an image or of audio. */
export function addressField(fields: Fields, name: string): string | undefined {
  const address = textField(fields, name);
  return address === undefined ? undefined : checkAddress(name, address);
}
