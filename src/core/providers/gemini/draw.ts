/**
 * Images of Gemini's chat models: the prompt is sent as a chat, the reply's images are returned
 * (docs/rules/providers.md#image-chats).
 */

import type { ImageReply, ImageRequest, MediaFile } from '../../canonical/calls.ts';
import type { ChatRequest, ImagePart } from '../../canonical/chat.ts';
import type { ChatReply } from '../../canonical/chat-reply.ts';
import { guessMediaType } from '../../canonical/kit/media.ts';
import { compact } from '../../canonical/kit/read-json.ts';
import { generatesImages, thinksByLevel } from '../../canonical/models/gemini.ts';
import type { Call } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { aspectRatio, imageSize } from './imagen.ts';
import { checkImages } from './limits.ts';

function imagePart({ mediaType, bytes }: MediaFile): ImagePart {
  const data = Buffer.from(bytes).toString('base64');
  return {
    type: 'image',
    data,
    mediaType: mediaType.startsWith('image/') ? mediaType : (guessMediaType(data) ?? mediaType),
  };
}

/**
 * The chat that requests an image, or an edit of the given ones. Throws
 * AppError('unsupported_feature') for models that generate no images, several images at once, masks
 * and too many images to edit.
 */
export function chatForImage(
  request: ImageRequest,
  { model, options }: Pick<Call, 'model' | 'options'>,
): ChatRequest {
  if (!generatesImages(model))
    throw new AppError('unsupported_feature', { detail: `images (${model})` });
  if ((request.count ?? 1) > 1)
    throw new AppError('unsupported_feature', { detail: `n above 1 (${model})` });
  if (request.mask !== undefined)
    throw new AppError('unsupported_feature', { detail: `masks (${model})` });
  const image_config = compact({
    aspect_ratio: aspectRatio(request.size),
    // Before Gemini 3 there is one size.
    image_size: thinksByLevel(model) ? imageSize(request.quality) : undefined,
  });
  const chat: ChatRequest = {
    model: request.model,
    messages: [
      {
        role: 'user',
        content: [{ type: 'text', text: request.prompt }, ...(request.images ?? []).map(imagePart)],
      },
    ],
    stream: false,
    origin: 'openai-chat',
    extra: Object.keys(image_config).length > 0 ? { google: { image_config } } : {},
  };
  checkImages(chat, { options });
  return chat;
}

/** Throws AppError('prompt_blocked' | 'bad_response_body') where the answer holds no image. */
export function imagesOf(reply: ChatReply): ImageReply {
  const images = reply.choices.flatMap(({ content }) =>
    content.flatMap((part) =>
      part.type === 'image' ? [{ data: part.data, mediaType: part.mediaType }] : [],
    ),
  );
  const [choice] = reply.choices;
  if (images.length > 0) return { images, usage: reply.usage };
  if (choice?.finish === 'content-filter')
    throw new AppError('prompt_blocked', { detail: choice.rawFinish ?? '' });
  throw new AppError('bad_response_body', { detail: 'no image in it' });
}
