/**
 * Images by chat: both modalities are requested of models that generate them
 * (docs/rules/providers.md#openrouter-images).
 */

import type { GeneratedImage, ImageReply, ImageRequest } from '../../canonical/calls.ts';
import { failureInside, ReplyFailure } from '../../canonical/kit/failure.ts';
import { fileDataUri, readDataUri } from '../../canonical/kit/media.ts';
import { listOf, recordOf, recordsOf, replyObject, textOf } from '../../canonical/kit/read-json.ts';
import { usageFromOpenAi } from '../../canonical/kit/usage.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { readFailure } from './reply.ts';

const ratios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const;

/** The ratio of sides nearest to a size such as `1792x1024`; undefined for `auto` and the like. */
export function nearestRatio(size: string | undefined): string | undefined {
  const match = /^(\d+)x(\d+)$/.exec(size ?? '');
  if (match === null) return undefined;
  const requested = Math.log(Number(match[1]) / Number(match[2]));
  const distance = (ratio: string) => {
    const [width, height] = ratio.split(':').map(Number);
    return Math.abs(Math.log((width ?? 1) / (height ?? 1)) - requested);
  };
  return ratios.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best));
}

/** Quality, style, background and formats are not known there and left out. */
export function writeImageChat(request: ImageRequest, model: string): JsonObject {
  if ((request.count ?? 1) > 1) throw new AppError('unsupported_feature', { detail: 'n > 1' });
  if (request.mask !== undefined) throw new AppError('unsupported_feature', { detail: 'masks' });
  const inputs = (request.images ?? []).map((file) => ({
    type: 'image_url',
    image_url: { url: fileDataUri(file) },
  }));
  const text = { type: 'text', text: request.prompt };
  const ratio = nearestRatio(request.size);
  return {
    ...request.extra,
    model,
    messages: [{ role: 'user', content: inputs.length === 0 ? request.prompt : [text, ...inputs] }],
    modalities: ['image', 'text'],
    usage: { include: true },
    ...(ratio === undefined ? {} : { image_config: { aspect_ratio: ratio } }),
  };
}

function readImage(entry: Readonly<Record<string, unknown>>): GeneratedImage[] {
  const url = textOf(recordOf(entry.image_url)?.url);
  if (url === undefined) return [];
  return [readDataUri(url) ?? { url }];
}

/** Throws ReplyFailure, or AppError('bad_response_body') when the model only talked. */
export function readImageChat(body: unknown): ImageReply {
  const reply = replyObject(body);
  if (reply.error) throw new ReplyFailure(failureInside(reply, readFailure));
  const message = recordOf(recordOf(listOf(reply.choices)[0])?.message);
  const images = recordsOf(message?.images).flatMap(readImage);
  if (images.length === 0) throw new AppError('bad_response_body', { detail: 'no image in it' });
  return { images, usage: usageFromOpenAi(reply.usage) };
}
