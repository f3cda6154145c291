/** The colours of measured values, by fixed limits, and how some are written. */
import { shortNumber } from '../../core/pricing/format.ts';
import type { Tone } from './status-dot.tsx';

/**
 * Response time of a channel, ms (docs/rules/console.md#measured-values): 0 untested; ≤ 1 s, ≤ 3 s,
 * ≤ 5 s, above.
 */
export function responseTone(milliseconds: number): Tone {
  if (milliseconds <= 0) return 'off';
  if (milliseconds <= 1000) return 'ok';
  if (milliseconds <= 3000) return 'lime';
  return milliseconds <= 5000 ? 'yel' : 'red';
}

/** Response time of a channel in seconds with two decimals, as lists and tests show it. */
export const responseText = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;

/**
 * Time of a whole request, s (docs/rules/console.md#measured-values): under 101 green, under 300
 * orange, else red.
 */
export function durationTone(seconds: number): Tone {
  if (seconds < 101) return 'ok';
  return seconds < 300 ? 'org' : 'red';
}

/**
 * Time to the first token, s (docs/rules/console.md#measured-values): under 3 green, under 10
 * orange, else red.
 */
export function firstTokenTone(seconds: number): Tone {
  if (seconds < 3) return 'ok';
  return seconds < 10 ? 'org' : 'red';
}

/**
 * Group ratio (docs/rules/console.md#measured-values): > 5 red, > 3 orange, > 1 blue, else green.
 */
export function ratioTone(ratio: number): Tone {
  if (ratio > 5) return 'red';
  if (ratio > 3) return 'org';
  return ratio > 1 ? 'blu' : 'ok';
}

/** A ratio without the noise of a division: at most four decimals. */
export const ratioText = (ratio: number) => `×${shortNumber(ratio, 4)}`;
