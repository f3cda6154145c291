/**
 * Images: four addresses, two forms of body, at once or as a task, all by the model's name
 * (docs/rules/providers.md#dashscope-images).
 */

import type { GeneratedImage, ImageReply, ImageRequest } from '../../canonical/calls.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { fileDataUri } from '../../canonical/kit/media.ts';
import {
  compact,
  type Loose,
  listOf,
  recordOf,
  recordsOf,
  replyObject,
  textOf,
} from '../../canonical/kit/read-json.ts';
import { requestJson } from '../../canonical/kit/request-json.ts';
import type { Call, Effects, OperationAdapter, UpstreamRequest } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../kernel/json.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { meaningOf, readAliFailure, refuseFailure } from './failure.ts';
import { postTo } from './request.ts';
import type { AliSettings } from './settings.ts';
import { performTask } from './task.ts';

interface Route {
  /** Behind `/api/v1/services/aigc/`. */
  readonly path: string;
  readonly task: boolean;
  /** A message with images and text; else a prompt beside the images. */
  readonly message: boolean;
}

const atOnce: Route = { path: 'multimodal-generation/generation', task: false, message: true };
const synthesis: Route = { path: 'text2image/image-synthesis', task: true, message: false };
const oldEdit: Route = { path: 'image2image/image-synthesis', task: true, message: false };
const newEdit: Route = { path: 'image-generation/generation', task: true, message: true };

const syncModels = ['z-image', 'qwen-image', 'wan2.6', 'wan2.7'] as const;

function syncNames({ settings }: Call<AliSettings>): readonly string[] {
  const given = settings?.sync_image_models?.split(',').map((name) => name.trim());
  return given?.filter((name) => name !== '') ?? syncModels;
}

/** What generations name in `image` to be edited: a data URI, an address, or a list of them. */
function namedInputs({ extra }: ImageRequest): readonly string[] {
  const named = Array.isArray(extra.image) ? listOf(extra.image) : [extra.image];
  return named.flatMap((address) => textOf(address) ?? []);
}

function routeOf(request: ImageRequest, call: Call<AliSettings>): Route {
  if ((request.images ?? []).length + namedInputs(request).length === 0) {
    return syncNames(call).some((name) => call.model.includes(name)) ? atOnce : synthesis;
  }
  if (!call.model.startsWith('wan')) return atOnce;
  return /^wan2\.[67]/.test(call.model) ? newEdit : oldEdit;
}

/** Fields of forms are texts, whatever they mean. */
function plain(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string') return value;
  const meant = parseJson(value);
  return typeof meant === 'boolean' || typeof meant === 'number' ? meant : value;
}

/** DashScope's own fields; what it does not know is not sent. */
const ownParameters = ['seed', 'steps', 'scale', 'watermark', 'prompt_extend'] as const;

function writeParameters({ extra, ...request }: ImageRequest): JsonObject {
  const size = request.size === 'auto' ? undefined : request.size;
  const own = Object.fromEntries(ownParameters.map((name) => [name, plain(extra[name])]));
  return compact({
    size: size?.replaceAll('x', '*'),
    n: request.count,
    style: request.style,
    ...own,
  });
}

/**
 * Quality, background, file formats and user are not known there and left out. Throws
 * AppError('unsupported_feature') for masks.
 */
function encode(request: ImageRequest, call: Call<AliSettings>): UpstreamRequest {
  if (request.mask !== undefined) throw new AppError('unsupported_feature', { detail: 'masks' });
  const { path, message } = routeOf(request, call);
  const { prompt, extra } = request;
  const negative = compact({ negative_prompt: extra.negative_prompt });
  const parameters = writeParameters(request);
  const images = [...(request.images ?? []).map(fileDataUri), ...namedInputs(request)];
  const content = [...images.map((image) => ({ image })), { text: prompt }];
  const body: JsonObject = message
    ? {
        model: call.model,
        input: { messages: [{ role: 'user', content }] },
        parameters: { ...parameters, ...negative },
      }
    : {
        model: call.model,
        input: { prompt, ...negative, ...(images.length === 0 ? {} : { images }) },
        parameters,
      };
  return postTo(`/api/v1/services/aigc/${path}`, call, body);
}

function readResult(result: Loose): GeneratedImage[] {
  const url = textOf(result.url) ?? textOf(result.image);
  const data = textOf(result.b64_image);
  return url === undefined && data === undefined
    ? []
    : [{ url, data, revisedPrompt: textOf(result.actual_prompt) }];
}

/** Images that failed are left out, as long as one came. */
function readImages(body: unknown): ImageReply {
  const reply = replyObject(body);
  refuseFailure(reply);
  const output = recordOf(reply.output);
  const results = recordsOf(output?.results);
  const chatParts = recordsOf(output?.choices).flatMap(({ message }) =>
    recordsOf(recordOf(message)?.content),
  );
  const images = [...results, ...chatParts].flatMap(readResult);
  if (images.length > 0) return { images };
  const code = results.flatMap((result) => textOf(result.code) ?? [])[0];
  if (code === undefined) throw new AppError('bad_response_body', { detail: 'no image in it' });
  const message = results.flatMap((result) => textOf(result.message) ?? [])[0];
  throw new ReplyFailure({
    ...(meaningOf(code) ?? { status: 400 }),
    message,
    type: 'ali_error',
    code,
  });
}

async function perform(
  request: ImageRequest,
  call: Call<OpenAiSettings>,
  effects: Effects,
): Promise<ImageReply> {
  const order = encode(request, call);
  if (routeOf(request, call).task) return readImages(await performTask(order, call, effects));
  return readImages(await requestJson(effects, order, readAliFailure));
}

/** Addresses of images are good for a day. */
export const images = { perform, encode, decode: readImages } satisfies OperationAdapter<
  'image' | 'image-edit',
  OpenAiSettings
>;
