/** Images in OpenAI's wire (OpenAI API reference, Images). */

import type { ImageReply, ImageRequest } from '../../canonical/calls.ts';
import { errorFromBody, failureMessage, ReplyFailure } from '../../canonical/kit/failure.ts';
import type { FormEntry } from '../../canonical/kit/multipart.ts';
import { compact, recordsOf, replyObject, textOf } from '../../canonical/kit/read-json.ts';
import { usageFromOpenAi } from '../../canonical/kit/usage.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';

export function writeImageBody(request: ImageRequest, model: string): JsonObject {
  return {
    ...request.extra,
    ...compact({
      model,
      prompt: request.prompt,
      n: request.count,
      size: request.size,
      quality: request.quality,
      style: request.style,
      background: request.background,
      response_format: request.responseFormat,
      output_format: request.outputFormat,
      user: request.user,
    }),
  };
}

/** The files of the form of an edit; its texts are those of {@link writeImageBody}. */
export function writeImageFiles(request: ImageRequest): readonly FormEntry[] {
  const images = request.images ?? [];
  const entries: FormEntry[] = images.map((image) => [
    images.length > 1 ? 'image[]' : 'image',
    image,
  ]);
  if (request.mask !== undefined) entries.push(['mask', request.mask]);
  return entries;
}

/** Throws ReplyFailure, or AppError('bad_response_body') when there is no image. */
export function readImageReply(body: unknown): ImageReply {
  const reply = replyObject(body);
  if (reply.error !== undefined && reply.error !== null)
    throw new ReplyFailure(errorFromBody(reply));
  const images = recordsOf(reply.data ?? reply.images).flatMap((entry) => {
    const url = textOf(entry.url);
    const data = textOf(entry.b64_json);
    return url === undefined && data === undefined
      ? []
      : [{ url, data, revisedPrompt: textOf(entry.revised_prompt) }];
  });
  if (images.length > 0) return { images, usage: usageFromOpenAi(reply.usage) };
  if (failureMessage(reply) !== undefined) throw new ReplyFailure(errorFromBody(reply));
  throw new AppError('bad_response_body', { detail: 'no image in it' });
}
