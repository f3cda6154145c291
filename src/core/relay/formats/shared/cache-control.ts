import type { CacheControl } from '../../../canonical/chat.ts';
import type { Fields } from './fields.ts';

/**
 * Anthropic's cache mark on a block, a part or a tool; chat callers write it too. A mark of another
 * kind is none.
 */
export function readCacheControl(part: Fields): CacheControl | undefined {
  const mark = part.object('cache_control');
  if (mark?.raw('type') !== 'ephemeral') return undefined;
  const ttl = mark.raw('ttl');
  return ttl === '1h' || ttl === '5m' ? { type: 'ephemeral', ttl } : { type: 'ephemeral' };
}
