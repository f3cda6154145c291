/**
 * Addresses of files that only the provider that keeps them can read
 * (docs/rules/relay.md#file-addresses).
 */

import type { ChatRequest } from '../../canonical/chat.ts';
import { AppError } from '../../kernel/errors.ts';

/**
 * Refuses a request with a file whose address is neither on the web nor one that this upstream
 * reads itself: as a text the model could only guess its content. Throws
 * AppError('unsupported_feature').
 */
export function checkFileAddresses(
  request: ChatRequest,
  readsAddress: (url: string) => boolean = () => false,
): void {
  for (const { content } of request.messages) {
    for (const part of content) {
      if ((part.type !== 'image' && part.type !== 'file') || part.url === undefined) continue;
      if (/^https?:\/\//i.test(part.url) || readsAddress(part.url)) continue;
      throw new AppError('unsupported_feature', {
        detail: `files at ${part.url.slice(0, part.url.indexOf(':') + 1)}`,
      });
    }
  }
}
