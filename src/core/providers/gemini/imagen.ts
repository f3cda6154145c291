/**
 * Images of Imagen, by `:predict` (docs/rules/providers.md#imagen). Vertex takes the same bodies.
 */

import type { ImageReply, ImageRequest } from '../../canonical/calls.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { compact, recordsOf, replyObject, textOf } from '../../canonical/kit/read-json.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { geminiError } from './decode-parts.ts';

export const isImagen = (model: string): boolean => model.startsWith('imagen');

/** What one image counts. */
const tokensPerImage = 258;

const ratioBySize: Readonly<Record<string, string>> = {
  '1792x1024': '16:9',
  '1024x1792': '9:16',
  '1536x1024': '3:2',
  '1024x1536': '2:3',
};

/**
 * OpenAI's size as a ratio of the sides; what is written as a ratio is taken as one. Sizes without
 * a ratio are square.
 */
export function aspectRatio(size: string | undefined): string | undefined {
  if (size === undefined || size === 'auto') return undefined;
  return size.includes(':') ? size : (ratioBySize[size] ?? '1:1');
}

/** `2K` for the better qualities, `1K` for others, and the model's own where none was requested. */
export function imageSize(quality: string | undefined): string | undefined {
  if (quality === undefined || quality === 'auto') return undefined;
  return ['hd', 'high', '2k'].includes(quality.toLowerCase()) ? '2K' : '1K';
}

/**
 * Style, background and user have no place here and are left out. Throws
 * AppError('unsupported_feature') for edits: the Gemini API has none, and Vertex marks by white
 * what OpenAI's callers mark by holes.
 */
export function writeImagenBody(request: ImageRequest): JsonObject {
  const { extra, images = [] } = request;
  if (images.length > 0)
    throw new AppError('unsupported_feature', { detail: 'edits of images (Imagen)' });
  return {
    instances: [{ prompt: request.prompt }],
    parameters: compact({
      sampleCount: request.count ?? 1,
      aspectRatio: (extra.aspect_ratio as JsonValue | undefined) ?? aspectRatio(request.size),
      personGeneration: extra.person_generation ?? 'allow_adult',
      imageSize: imageSize(request.quality),
    }),
  };
}

/**
 * Throws ReplyFailure, and AppError('prompt_blocked' | 'bad_response_body') where no image is in
 * it.
 */
export function readImagenReply(body: unknown): ImageReply {
  const reply = replyObject(body);
  if (reply.error !== undefined) throw new ReplyFailure(geminiError(reply));
  const predictions = recordsOf(reply.predictions);
  const images = predictions.flatMap((prediction) => {
    const data = textOf(prediction.bytesBase64Encoded);
    return data === undefined
      ? []
      : [{ data, mediaType: textOf(prediction.mimeType) ?? 'image/png' }];
  });
  const [filtered] = predictions.flatMap(
    (prediction) => textOf(prediction.raiFilteredReason) ?? [],
  );
  if (images.length > 0)
    return { images, usage: { completionTokens: images.length * tokensPerImage } };
  // Nothing at all comes where everything was filtered.
  if (filtered !== undefined || reply.predictions === undefined)
    throw new AppError('prompt_blocked', { detail: filtered ?? '' });
  throw new AppError('bad_response_body', { detail: 'no image in it' });
}
