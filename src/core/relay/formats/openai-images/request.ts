import type { ImageRequest, MediaFile } from '../../../canonical/calls.ts';
import { readDataUri } from '../../../canonical/kit/media.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import type { RequestBody } from '../../body/request-body.ts';
import { type FetchedFile, type FileFetcher, fetchFiles } from '../../files/file-fetcher.ts';
import { imageCount, textField } from './fields.ts';

/** Fields that the canonical request has; how a reply is streamed is between caller and gateway. */
const knownFields: ReadonlySet<string> = new Set([
  'model',
  'prompt',
  'n',
  'size',
  'quality',
  'style',
  'background',
  'response_format',
  'output_format',
  'user',
  'stream',
  'partial_images',
]);
/**
 * What is edited. In a generation they are a field of the vendor's own, like any other (Volcano
 * Ark, SiliconFlow).
 */
const knownOfEdits: ReadonlySet<string> = new Set([
  ...knownFields,
  'image',
  'image[]',
  'images',
  'mask',
]);

function readFields(body: RequestBody, model: string, known: ReadonlySet<string>): ImageRequest {
  const extra: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(body.parse()))
    if (!known.has(name) && value !== null) extra[name] = value;
  return {
    model,
    prompt: textField(body, 'prompt') ?? '',
    count: body.has('n') ? imageCount(body) : undefined,
    size: textField(body, 'size') || undefined,
    quality: textField(body, 'quality') || undefined,
    style: textField(body, 'style') || undefined,
    background: textField(body, 'background') || undefined,
    responseFormat: (textField(body, 'response_format') ||
      undefined) as ImageRequest['responseFormat'],
    outputFormat: textField(body, 'output_format') || undefined,
    user: textField(body, 'user') || undefined,
    extra,
  };
}

export function readGeneration(body: RequestBody, model: string): ImageRequest {
  return readFields(body, model, knownFields);
}

function isImage(name: string): boolean {
  return /^images?(\[\d*\])?$/.test(name);
}

/** The addresses in a JSON field: a text, `{image_url}`, or a list of either. */
function addressesIn(value: JsonValue | undefined, field: string): string[] {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value.flatMap((entry: JsonValue) => addressesIn(entry, field));
  if (typeof value === 'string') return [value];
  const { image_url: address } = value as JsonObject;
  if (typeof address === 'string') return [address];
  throw new AppError('unsupported_feature', {
    detail: `${field} by anything but a file, a data URI or an address`,
  });
}

function imageOf({ mediaType, data }: FetchedFile): MediaFile {
  return {
    filename: `image.${mediaType.slice(mediaType.indexOf('/') + 1)}`,
    mediaType,
    bytes: Buffer.from(data, 'base64'),
  };
}

async function readImages(
  addresses: readonly string[],
  files: () => FileFetcher,
): Promise<readonly MediaFile[]> {
  const inline = addresses.map(readDataUri);
  const remote = addresses.filter((_, index) => inline[index] === undefined);
  const fetched = remote.length === 0 ? [] : [...(await fetchFiles(remote, files()))];
  let next = 0;
  return inline.flatMap((image) => image ?? fetched[next++] ?? []).map(imageOf);
}

export async function readEdit(
  body: RequestBody,
  model: string,
  files: () => FileFetcher,
): Promise<ImageRequest> {
  const addressesOf = (...names: readonly string[]) =>
    names.flatMap((name) => addressesIn(body.get(name), name));
  const uploaded = body.files.filter(({ name }) => isImage(name)).map(({ file }) => file);
  const uploadedMask = body.files.find(({ name }) => name === 'mask')?.file;
  const mask = uploadedMask ?? (await readImages(addressesOf('mask').slice(0, 1), files))[0];
  const images = [
    ...uploaded,
    ...(await readImages(addressesOf('image', 'image[]', 'images'), files)),
  ];
  return { ...readFields(body, model, knownOfEdits), images, mask };
}

/** Throws AppError('invalid_image_request') where there is nothing to edit. */
export function checkEdit(body: RequestBody): void {
  const given =
    body.files.some(({ name }) => isImage(name)) ||
    ['image', 'image[]', 'images'].some((name) => body.has(name));
  if (!given) throw new AppError('invalid_image_request', { detail: 'image is required' });
}
