/** Images: the bytes of one, or its data in JSON (docs/rules/providers.md#cloudflare-run). */

import type { ImageReply, ImageRequest } from '../../canonical/calls.ts';
import { guessMediaType } from '../../canonical/kit/media.ts';
import { compact, textOf } from '../../canonical/kit/read-json.ts';
import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { OperationAdapter } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject } from '../../kernel/json.ts';
import { bearerHeaders } from '../openai-compatible/index.ts';
import { runAddress } from './address.ts';
import { resultOf } from './failure.ts';

/**
 * Steps, seeds and the like are the caller's own fields; quality, style, background and formats
 * have no place.
 */
function writeImageBody({ prompt, size, count, extra }: ImageRequest): JsonObject {
  if ((count ?? 1) > 1) throw new AppError('unsupported_feature', { detail: 'n > 1' });
  const sides = /^(\d+)x(\d+)$/.exec(size ?? '');
  return {
    ...extra,
    ...compact({
      prompt,
      ...(sides === null ? {} : { width: Number(sides[1]), height: Number(sides[2]) }),
    }),
  };
}

/** Throws ReplyFailure, or AppError('bad_response_body') without an image. */
function readImage(body: unknown): ImageReply {
  if (isObject(body) && body.bytes instanceof Uint8Array) {
    return {
      images: [
        { data: Buffer.from(body.bytes).toString('base64'), mediaType: textOf(body.mediaType) },
      ],
    };
  }
  const data = textOf(resultOf(body).image);
  if (data === undefined) throw new AppError('bad_response_body', { detail: 'no image in it' });
  return { images: [{ data, mediaType: guessMediaType(data) }] };
}

export const image: OperationAdapter<'image'> = {
  replyType: 'bytes',
  encode: (request, call) => ({
    method: 'POST',
    url: runAddress(call),
    headers: { ...jsonHeaders(false), accept: '*/*', ...bearerHeaders(call) },
    body: writeImageBody(request),
  }),
  decode: readImage,
};
