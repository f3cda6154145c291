/** Images, by the ratio of their sides (docs/rules/providers.md#minimax-media). */

import type { ImageReply, ImageRequest } from '../../canonical/calls.ts';
import { compact, listOf, recordOf, replyObject, textOf } from '../../canonical/kit/read-json.ts';
import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { OperationAdapter } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { bearerHeaders } from '../openai-compatible/index.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { minimaxAddress } from './address.ts';
import { refuseFailure } from './failure.ts';

const ratios: ReadonlySet<string> = new Set([
  '1:1',
  '16:9',
  '4:3',
  '3:2',
  '2:3',
  '3:4',
  '9:16',
  '21:9',
]);
/** Sizes whose ratio is only nearly one of these. */
const nearly: Readonly<Record<string, string>> = {
  '1792x1024': '16:9',
  '1024x1792': '9:16',
  '1344x576': '21:9',
};

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

function reduced(width: number, height: number): string {
  const common = divisor(width, height);
  return `${width / common}:${height / common}`;
}

/**
 * `1024x1536` → `2:3`; what is written as a ratio stays. Undefined for a ratio that MiniMax does
 * not draw.
 */
export function aspectRatio(size = ''): string | undefined {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? [];
  const ratio =
    nearly[size] ?? (width === undefined ? size : reduced(Number(width), Number(height)));
  return ratios.has(ratio) ? ratio : undefined;
}

const formats = { url: 'url', b64_json: 'base64' } as const;

/**
 * Quality, style, background and file formats are not known there and left out; MiniMax's own
 * fields pass.
 */
function writeBody(request: ImageRequest, model: string): JsonObject {
  const { extra, responseFormat } = request;
  return {
    ...compact({ aspect_ratio: aspectRatio(request.size) }),
    ...extra,
    ...compact({
      model,
      prompt: request.prompt,
      n: request.count,
      response_format: responseFormat === undefined ? undefined : formats[responseFormat],
    }),
  };
}

function readReply(body: unknown): ImageReply {
  const reply = replyObject(body);
  refuseFailure(reply);
  const data = recordOf(reply.data);
  const images = [
    ...listOf(data?.image_urls).flatMap((url) =>
      textOf(url) === undefined ? [] : [{ url: textOf(url) }],
    ),
    ...listOf(data?.image_base64).flatMap((text) =>
      textOf(text) === undefined ? [] : [{ data: textOf(text) }],
    ),
  ];
  if (images.length === 0) throw new AppError('bad_response_body', { detail: 'no image in it' });
  return { images };
}

export const image: OperationAdapter<'image', OpenAiSettings> = {
  encode: (request, call) => ({
    method: 'POST',
    url: minimaxAddress('/v1/image_generation', call),
    headers: { ...jsonHeaders(false), ...bearerHeaders(call) },
    body: writeBody(request, call.model),
  }),
  decode: readReply,
};
