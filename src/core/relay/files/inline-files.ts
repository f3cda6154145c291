/** Images and files by URL, replaced by their bytes for upstreams that take bytes only. */
import type { ChatMessage, ChatRequest } from '../../canonical/chat.ts';
import { type FileFetcher, fetchFiles } from './file-fetcher.ts';

/**
 * The request with every part by URL replaced by its bytes, but for addresses to `keep`. Each
 * address is fetched once.
 */
export async function inlineFiles(
  request: ChatRequest,
  files: () => FileFetcher,
  keep: (url: string) => boolean = () => false,
): Promise<ChatRequest> {
  const addressOf = (part: ChatMessage['content'][number]): string | undefined =>
    (part.type === 'image' || part.type === 'file') && part.url !== undefined && !keep(part.url)
      ? part.url
      : undefined;
  const parts = request.messages.flatMap((message) => [...message.content]);
  const addresses = [...new Set(parts.flatMap((part) => addressOf(part) ?? []))];
  if (addresses.length === 0) return request;
  const found = await fetchFiles(addresses, files());
  const fetched = new Map(addresses.map((address, index) => [address, found[index]]));
  const messages = request.messages.map((message) => {
    const content = message.content.map((part) => {
      const address = addressOf(part);
      return address === undefined ? part : { ...part, url: undefined, ...fetched.get(address) };
    });
    return { ...message, content } as ChatMessage;
  });
  return { ...request, messages };
}
