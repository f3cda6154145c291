/** `images/generations` and `images/edits` as client formats (spec, relay 14; providers-international 3.1). */

import type { GeneratedImage, ImageReply, ImageRequest, MediaFile } from '../../../canonical/calls.ts';
import type { Usage } from '../../../canonical/chat.ts';
import { readDataUri } from '../../../canonical/kit/media.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import type { RequestBody } from '../../body/request-body.ts';
import { type FetchedFile, type FileFetcher, fetchFile, fetchFiles } from '../../files/inline-images.ts';
import {
  type CallFormat,
  type CallReplyContext,
  eventReply,
  jsonReply,
  type WrittenReply,
  wantsStream,
} from '../shared/call-format.ts';
import { checkImageFields, imageCount, textField } from './fields.ts';

/** Fields with a place of their own; how a reply is streamed is between caller and gateway. */
const knownFields: ReadonlySet<string> = new Set([
  ...['model', 'prompt', 'n', 'size', 'quality', 'style', 'background', 'response_format', 'output_format', 'user'],
  ...['stream', 'partial_images'],
]);
/** What is edited. In a generation they are a field of the vendor's own, like any other (Volcano Ark, SiliconFlow). */
const knownOfEdits: ReadonlySet<string> = new Set([...knownFields, 'image', 'image[]', 'images', 'mask']);

function readFields(body: RequestBody, model: string, known: ReadonlySet<string>): ImageRequest {
  const extra: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(body.parse())) if (!known.has(name) && value !== null) extra[name] = value;
  return {
    model,
    prompt: textField(body, 'prompt') ?? '',
    count: body.has('n') ? imageCount(body) : undefined,
    size: textField(body, 'size') || undefined,
    quality: textField(body, 'quality') || undefined,
    style: textField(body, 'style') || undefined,
    background: textField(body, 'background') || undefined,
    responseFormat: (textField(body, 'response_format') || undefined) as ImageRequest['responseFormat'],
    outputFormat: textField(body, 'output_format') || undefined,
    user: textField(body, 'user') || undefined,
    extra,
  };
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
  throw new AppError('unsupported_feature', { detail: `${field} by anything but a file, a data URI or an address` });
}

function imageOf({ mediaType, data }: FetchedFile): MediaFile {
  return { filename: `image.${mediaType.slice(mediaType.indexOf('/') + 1)}`, mediaType, bytes: Buffer.from(data, 'base64') };
}

async function readImages(addresses: readonly string[], files: () => FileFetcher): Promise<readonly MediaFile[]> {
  const inline = addresses.map(readDataUri);
  const remote = addresses.filter((_, index) => inline[index] === undefined);
  const fetched = remote.length === 0 ? [] : [...(await fetchFiles(remote, files()))];
  let next = 0;
  return inline.flatMap((image) => image ?? fetched[next++] ?? []).map(imageOf);
}

async function readEdit(body: RequestBody, model: string, files: () => FileFetcher): Promise<ImageRequest> {
  const addressesOf = (...names: readonly string[]) => names.flatMap((name) => addressesIn(body.get(name), name));
  const uploaded = body.files.filter(({ name }) => isImage(name)).map(({ file }) => file);
  const uploadedMask = body.files.find(({ name }) => name === 'mask')?.file;
  const mask = uploadedMask ?? (await readImages(addressesOf('mask').slice(0, 1), files))[0];
  const images = [...uploaded, ...(await readImages(addressesOf('image', 'image[]', 'images'), files))];
  return { ...readFields(body, model, knownOfEdits), images, mask };
}

/** Throws AppError('invalid_image_request') where there is nothing to edit. */
function checkEdit(body: RequestBody): void {
  const given = body.files.some(({ name }) => isImage(name)) || ['image', 'image[]', 'images'].some((name) => body.has(name));
  if (!given) throw new AppError('invalid_image_request', { detail: 'image is required' });
}

/** An image in the form that was asked for. One that cannot be fetched is handed over by its address: it is made and paid. */
async function asAsked(image: GeneratedImage, request: ImageRequest, files: () => FileFetcher): Promise<GeneratedImage> {
  if (request.responseFormat !== 'b64_json' || image.data !== undefined || image.url === undefined) return image;
  const inline = readDataUri(image.url);
  if (inline !== undefined) return { ...image, url: undefined, data: inline.data };
  try {
    const { data } = await fetchFile(image.url, files());
    return { ...image, url: undefined, data };
  } catch {
    return image;
  }
}

function writeImageUsage(usage: Usage | undefined): JsonObject | undefined {
  if (usage?.promptTokens === undefined && usage?.completionTokens === undefined) return undefined;
  const { promptTokens: input = 0, completionTokens: output = 0, promptImageTokens: images = 0 } = usage;
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_details: { text_tokens: Math.max(0, input - images), image_tokens: images },
  };
}

async function writeReply(
  kind: 'image_generation' | 'image_edit',
  reply: ImageReply,
  request: ImageRequest,
  { created, files, stream }: CallReplyContext,
): Promise<WrittenReply> {
  const wanted = stream ? { ...request, responseFormat: 'b64_json' as const } : request;
  const images = await Promise.all(reply.images.map((image) => asAsked(image, wanted, files)));
  const data = images.map(({ url, data, revisedPrompt }) => compact({ url, b64_json: data, revised_prompt: revisedPrompt }));
  const usage = writeImageUsage(reply.usage);
  if (!stream) return jsonReply(compact({ created, data, usage }));
  return eventReply(data.map((image) => ({ type: `${kind}.completed`, created_at: created, ...image, usage })));
}

export const openAiImages: CallFormat<'image'> = {
  format: 'openai-images',
  operation: 'image',
  defaultModel: 'dall-e-2',
  check: (body, { model }) => checkImageFields(body, model),
  streams: wantsStream,
  readRequest: (body, { model }) => readFields(body, model, knownFields),
  images: (reply) => reply.images.length,
  writeReply: (reply, request, context) => writeReply('image_generation', reply, request, context),
};

export const openAiImageEdits: CallFormat<'image-edit'> = {
  format: 'openai-image-edits',
  operation: 'image-edit',
  defaultModel: 'dall-e-2',
  form: 'allowed',
  check(body, { model }) {
    checkImageFields(body, model);
    checkEdit(body);
  },
  streams: wantsStream,
  readRequest: (body, { model }, files) => readEdit(body, model, files),
  images: (reply) => reply.images.length,
  writeReply: (reply, request, context) => writeReply('image_edit', reply, request, context),
};
