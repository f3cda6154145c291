import { AppError } from '../../kernel/errors.ts';
import type { ChatRequest } from '../../canonical/chat.ts';
import type { Call } from '../../canonical/provider.ts';
import { isGoogleAddress } from './encode-contents.ts';

const usualPictures = 16;

/**
 * Pictures that one message may hold, those that Google reads itself aside (spec, relay 12). Asked before any is fetched.
 * Throws AppError('unsupported_feature').
 */
export function checkPictures(request: ChatRequest, { options }: Pick<Call, 'options'>): void {
  const most = options.geminiMaxImages ?? usualPictures;
  if (most < 0) return;
  for (const { content } of request.messages) {
    const pictures = content.filter((part) => part.type === 'image' && !isGoogleAddress(part.url ?? ''));
    if (pictures.length > most) throw new AppError('unsupported_feature', { detail: `more than ${most} images in a message` });
  }
}
