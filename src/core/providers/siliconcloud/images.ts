/**
 * Images on SiliconFlow: JSON with names of its own, for edits as well
 * (docs/rules/providers.md#siliconflow).
 */

import type { ImageRequest } from '../../canonical/calls.ts';
import { fileDataUri } from '../../canonical/kit/media.ts';
import { compact } from '../../canonical/kit/read-json.ts';
import { joinVersioned, jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { Call, OperationAdapter } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { readImageReply } from '../openai-compatible/image.ts';
import { bearerHeaders } from '../openai-compatible/index.ts';

/** Fields for what is edited; there are no more. */
const imageFields = ['image', 'image2', 'image3'] as const;

function writeInputs(request: ImageRequest): JsonObject {
  if (request.mask !== undefined) throw new AppError('unsupported_feature', { detail: 'masks' });
  const images = request.images ?? [];
  if (images.length > imageFields.length)
    throw new AppError('unsupported_feature', { detail: 'more than three images' });
  const uris = images.map(fileDataUri);
  return compact(Object.fromEntries(imageFields.map((name, index) => [name, uris[index]])));
}

/**
 * Quality, style, background and formats are not known there and left out; fields of the vendor's
 * own pass.
 */
function writeBody(request: ImageRequest, model: string): JsonObject {
  const common = compact({
    model,
    prompt: request.prompt,
    image_size: request.size,
    batch_size: request.count,
  });
  return { ...request.extra, ...common, ...writeInputs(request) };
}

export const images = {
  encode: (request: ImageRequest, call: Call) => ({
    method: 'POST',
    url: joinVersioned(call.baseUrl, '/v1/images/generations'),
    headers: { ...jsonHeaders(false), ...bearerHeaders(call) },
    body: writeBody(request, call.model),
  }),
  decode: readImageReply,
} satisfies OperationAdapter<'image' | 'image-edit'>;
