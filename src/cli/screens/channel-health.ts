/** The health of a channel, as a symbol and as ticks. */
import type { ChannelHealth } from '../../core/contract/overview.ts';
import { channelStatuses } from '../../core/vocabulary/statuses.ts';
import type { Glyphs } from '../kit/glyphs.ts';
import { type Span, span } from '../kit/lines.ts';
import type { Tone } from '../kit/tones.ts';

export function healthSign(
  channel: Pick<ChannelHealth, 'status' | 'tripped' | 'response_time'> & {
    readonly cooling?: readonly unknown[] | undefined;
  },
  glyphs: Glyphs,
): { glyph: string; tone: Tone } {
  if (channel.status === channelStatuses.disabled) return { glyph: glyphs.off, tone: 'dim' };
  if (channel.status === channelStatuses.autoDisabled || channel.tripped)
    return { glyph: glyphs.failed, tone: 'error' };
  const isHeldUp = channel.response_time > 5000 || (channel.cooling?.length ?? 0) > 0;
  return isHeldUp ? { glyph: glyphs.slow, tone: 'warn' } : { glyph: glyphs.on, tone: 'ok' };
}

/** The last attempts, newest on the right; dots where there were none. */
export function drawTicks(
  recent: readonly number[],
  count: number,
  glyphs: Glyphs,
): readonly Span[] {
  const shown = recent.slice(-count);
  const blank = span(glyphs.untried.repeat(count - shown.length), 'dim');
  const ticks = [
    span(glyphs.fine, 'ok'),
    span(glyphs.slowTick, 'warn'),
    span(glyphs.failed, 'error'),
  ];
  return [...shown.map((outcome) => ticks[outcome] ?? span(glyphs.untried, 'dim')), blank];
}
