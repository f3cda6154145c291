/** Marks for the prompt cache (docs/rules/formats.md#cache-marks). */
import type { CacheControl, ChatMessage } from '../../../canonical/chat.ts';
import { changeMarks } from '../../../canonical/kit/cache-marks.ts';
import type { Fields } from './fields.ts';

/**
 * The mark on a block, a part or a tool, in Anthropic's or OpenAI's words. A mark of another kind is
 * none.
 */
export function readCacheControl(part: Fields): CacheControl | undefined {
  const mark = part.object('cache_control');
  if (mark?.raw('type') === 'ephemeral') {
    const ttl = mark.raw('ttl');
    return ttl === '1h' || ttl === '5m' ? { type: 'ephemeral', ttl } : { type: 'ephemeral' };
  }
  const breakpoint = part.object('prompt_cache_breakpoint');
  if (breakpoint?.raw('mode') !== 'explicit') return undefined;
  const life = lives[breakpoint.text('ttl') ?? ''];
  return life === undefined ? { type: 'ephemeral' } : { type: 'ephemeral', ttl: life };
}

const lives: Readonly<Record<string, '5m' | '1h'>> = { '30m': '5m', '12h': '1h' };

/** Marks that name no life have that of `prompt_cache_options`. */
export function withCacheLife(
  fields: Fields,
  messages: readonly ChatMessage[],
): readonly ChatMessage[] {
  if (fields.object('prompt_cache_options')?.raw('ttl') !== '12h') return messages;
  return changeMarks(messages, ({ type, ttl = '1h' }) => ({ type, ttl }));
}
