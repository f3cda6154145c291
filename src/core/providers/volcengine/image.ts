/**
 * Edits of images: JSON to the address of generations, the images within it
 * (docs/rules/providers.md#ark).
 */

import type { ImageRequest } from '../../canonical/calls.ts';
import { fileDataUri } from '../../canonical/kit/media.ts';
import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { OperationAdapter } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { readImageReply, writeImageBody } from '../openai-compatible/image.ts';
import { bearerHeaders } from '../openai-compatible/index.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { arkRoots } from './roots.ts';

function writeEdit(request: ImageRequest, model: string): JsonObject {
  if (request.mask !== undefined) throw new AppError('unsupported_feature', { detail: 'masks' });
  const uris = (request.images ?? []).map(fileDataUri);
  const [only] = uris;
  return {
    ...writeImageBody(request, model),
    image: uris.length === 1 && only !== undefined ? only : uris,
  };
}

export const imageEdit: OperationAdapter<'image-edit', OpenAiSettings> = {
  encode: (request, call) => ({
    method: 'POST',
    url: `${arkRoots(call).openAi}/images/generations`,
    headers: { ...jsonHeaders(false), ...bearerHeaders(call) },
    body: writeEdit(request, call.model),
  }),
  decode: readImageReply,
};
