/**
 * Colours by meaning (docs/rules/command-line.md#terminal-colours). Screens and tables use tones, never colours
 * directly.
 */

export interface ToneStyle {
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

export function styleOf(tone: Tone): ToneStyle {
  return tones[tone];
}
