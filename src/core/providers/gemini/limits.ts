import type { ChatRequest } from '../../canonical/chat.ts';
import type { Call } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { isGoogleAddress } from './encode-contents.ts';

const usualImages = 16;

/**
 * Images that one message may hold, those that Google reads itself aside
 * (docs/rules/channel-rules.md#image-count-limit). Asked before any is fetched. Throws
 * AppError('unsupported_feature').
 */
export function checkImages(request: ChatRequest, { options }: Pick<Call, 'options'>): void {
  const most = options.geminiMaxImages ?? usualImages;
  if (most < 0) return;
  for (const { content } of request.messages) {
    const images = content.filter(
      (part) => part.type === 'image' && !isGoogleAddress(part.url ?? ''),
    );
    if (images.length > most)
      throw new AppError('unsupported_feature', {
        detail: `more than ${most} images in a message`,
      });
  }
}
