import { type StatusGroup, type StatusTone, toneOf } from '../../core/vocabulary/status-tones.ts';
import type { Tone } from './status-dot.tsx';

/** The console's colour of what a status says (docs/rules/console.md#tags-and-status). */
export const toneColours: Readonly<Record<StatusTone, Tone>> = {
  good: 'ok',
  off: 'off',
  warn: 'yel',
  bad: 'red',
  note: 'blu',
  high: 'vio',
  plain: 'off',
};

/** `unknown`: what a number says that this console does not know. */
export function colourOf(group: StatusGroup, value: number, unknown: StatusTone = 'off'): Tone {
  return toneColours[toneOf(group, value) ?? unknown];
}
