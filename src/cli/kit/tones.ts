/**
 * Colours by meaning (docs/rules/command-line.md#terminal-colours). Screens and tables use tones,
 * never colours directly.
 */

import type { ChalkInstance } from 'chalk';

interface ToneStyle {
  readonly color?: 'green' | 'yellow' | 'red' | 'cyan';
  readonly bold?: boolean;
  readonly dimColor?: boolean;
  readonly inverse?: boolean;
}

const tones = {
  plain: {},
  ok: { color: 'green' },
  warn: { color: 'yellow' },
  error: { color: 'red' },
  info: { color: 'cyan' },
  dim: { dimColor: true },
  title: { bold: true },
  money: { bold: true },
  current: { color: 'green', bold: true },
  selected: { inverse: true },
} as const satisfies Record<string, ToneStyle>;
export type Tone = keyof typeof tones;

/** The text in its tone, as escape sequences. */
export function paintWith(colour: ChalkInstance, tone: Tone, text: string): string {
  const style: ToneStyle = tones[tone];
  let painted = text;
  if (style.color !== undefined) painted = colour[style.color](painted);
  if (style.bold) painted = colour.bold(painted);
  if (style.dimColor) painted = colour.dim(painted);
  return style.inverse ? colour.inverse(painted) : painted;
}
