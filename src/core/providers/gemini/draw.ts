/** Pictures of Gemini's own chat models: the prompt is said, the answer's pictures are taken (spec, providers-international 4.12). */
import { AppError } from '../../kernel/errors.ts';
import type { ChatReply, ChatRequest } from '../canonical.ts';
import type { ImageReply, ImageRequest } from '../canonical-calls.ts';
import { compact } from '../kit/read-json.ts';
import { aspectRatio, imageSize } from './imagen.ts';
import { thinksByLevel } from './model-rules.ts';

/** The chat that asks for a picture. Throws AppError('unsupported_feature') for several at once. */
export function chatForPicture(request: ImageRequest, model: string): ChatRequest {
  if ((request.count ?? 1) > 1) throw new AppError('unsupported_feature', { detail: `n above 1 (${model})` });
  const image_config = compact({
    aspect_ratio: aspectRatio(request.size),
    // Before Gemini 3 there is one size.
    image_size: thinksByLevel(model) ? imageSize(request.quality) : undefined,
  });
  return {
    model: request.model,
    messages: [{ role: 'user', content: [{ type: 'text', text: request.prompt }] }],
    stream: false,
    origin: 'openai-chat',
    extra: Object.keys(image_config).length > 0 ? { google: { image_config } } : {},
  };
}

/** Throws AppError('prompt_blocked' | 'bad_response_body') where the answer holds no picture. */
export function picturesOf(reply: ChatReply): ImageReply {
  const images = reply.choices.flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'image' ? [{ data: part.data, mediaType: part.mediaType }] : [])),
  );
  const [choice] = reply.choices;
  if (images.length > 0) return { images, usage: reply.usage };
  if (choice?.finish === 'content-filter') throw new AppError('prompt_blocked', { detail: choice.rawFinish ?? '' });
  throw new AppError('bad_response_body', { detail: 'no image in it' });
}
