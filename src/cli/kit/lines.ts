/**
 * Lines of the terminal screens: spans of text with a tone, measured in cells so that Chinese text
 * aligns.
 */
import stringWidth from 'string-width';
import type { Glyphs } from './glyphs.ts';
import type { Tone } from './tones.ts';

export interface Span {
  readonly text: string;
  readonly tone?: Tone;
}
export type Line = readonly Span[];

/** Made with the first text that is cut: that takes 8 ms. */
let segmenter: Intl.Segmenter | undefined;
const segmentsOf = (text: string) => {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
};

/**
 * The characters of a text as a reader counts them: an emoji or a letter with its accents is one.
 */
export function graphemesOf(text: string): readonly string[] {
  return Array.from(segmentsOf(text), ({ segment }) => segment);
}

/** Nothing in it needs the replacements of `plainText`. */
const simple = /^[ -~]*$/;

/**
 * Makes a text safe to draw: line breaks and other control characters become spaces, and what is
 * lost is whatever has no width of its own. Marks of direction could make a question look like
 * another; joiners, variation selectors and skin tones have terminals disagree about the width of
 * an emoji, which would break the frame; piles of accents cover the lines above.
 */
export function plainText(text: string): string {
  if (simple.test(text)) return text;
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}]|\u20e3/gu, '')
    .replace(/[\p{Cs}\p{Cn}]/gu, '\ufffd')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1');
}

/**
 * Without what makes a terminal do something else than show text: control characters except line
 * breaks and tabs, and marks of direction. Colours of our own stay; all else stays as it is, so that
 * scripts get texts as they were stored.
 */
export function withoutCommands(text: string): string {
  if (simple.test(text)) return text;
  return text
    .replace(/(?![\n\t])\p{Cc}(?:\[\d+m)?/gu, (found) =>
      found.startsWith('\u001b[') ? found : ` ${found.slice(1)}`,
    )
    .replace(/\p{Bidi_Control}/gu, '');
}

export function span(text: string, tone: Tone = 'plain'): Span {
  return { text: plainText(text), tone };
}
export function line(...pieces: readonly (string | Span)[]): Line {
  return pieces.map((piece) => (typeof piece === 'string' ? span(piece) : piece));
}
export function widthOf(shown: Line): number {
  return shown.reduce((sum, piece) => sum + stringWidth(piece.text), 0);
}
export function textOf(shown: Line): string {
  return shown.map((piece) => piece.text).join('');
}

/** The text in one line of at most `width` cells, with an ellipsis if it was cut. */
export function cut(raw: string, width: number, glyphs: Pick<Glyphs, 'ellipsis'>): string {
  const text = plainText(raw);
  if (stringWidth(text) <= width) return text;
  const end = stringWidth(glyphs.ellipsis) <= width ? glyphs.ellipsis : '';
  let kept = '';
  let used = stringWidth(end);
  for (const grapheme of graphemesOf(text)) {
    used += stringWidth(grapheme);
    if (used > width) break;
    kept += grapheme;
  }
  return kept + end;
}

/**
 * The text in at most `width` cells, without its middle: what tells ids and addresses apart is
 * often their end.
 */
export function cutMiddle(raw: string, width: number, glyphs: Pick<Glyphs, 'ellipsis'>): string {
  const text = plainText(raw);
  if (stringWidth(text) <= width) return text;
  const room = width - stringWidth(glyphs.ellipsis);
  if (room < 4) return cut(text, width, glyphs);
  const end = takeCells(graphemesOf(text).toReversed(), Math.floor(room / 2)).toReversed();
  const start = takeCells(graphemesOf(text), room - stringWidth(end.join('')));
  return start.join('') + glyphs.ellipsis + end.join('');
}

/** The first of the graphemes that fit into the cells. */
function takeCells(graphemes: readonly string[], width: number): string[] {
  let used = 0;
  const end = graphemes.findIndex((grapheme) => {
    used += stringWidth(grapheme);
    return used > width;
  });
  return graphemes.slice(0, end < 0 ? graphemes.length : end);
}

/** More lines than any card shows of one value. */
const mostLines = 400;

/**
 * The text in lines of at most `width` cells, divided at spaces where there are some; at most 400
 * lines.
 */
export function wrap(raw: string, width: number): readonly string[] {
  const lines: string[] = [];
  let current = '';
  let used = 0;
  for (const { segment } of segmentsOf(plainText(raw))) {
    const size = stringWidth(segment);
    if (used + size > width) {
      const space = current.lastIndexOf(' ');
      const end = space > current.length / 2 ? space + 1 : current.length;
      lines.push(current.slice(0, end));
      if (lines.length === mostLines) return lines;
      current = current.slice(end);
      used = stringWidth(current);
    }
    current += segment;
    used += size;
  }
  return [...lines, current];
}

/** The text in exactly `width` cells. */
export function cell(
  text: string,
  width: number,
  glyphs: Glyphs,
  align: 'left' | 'right' = 'left',
  shorten: typeof cut = cut,
): string {
  const kept = shorten(text, width, glyphs);
  const room = ' '.repeat(Math.max(0, width - stringWidth(kept)));
  return align === 'left' ? kept + room : room + kept;
}

/** The line in exactly `width` cells. */
export function fitLine(shown: Line, width: number, glyphs: Glyphs): Line {
  const pieces: Span[] = [];
  let left = width;
  for (const piece of shown) {
    if (left <= 0) break;
    const size = stringWidth(piece.text);
    const text = size <= left ? piece.text : cut(piece.text, left, glyphs);
    pieces.push({ ...piece, text });
    left -= stringWidth(text);
  }
  if (left > 0) pieces.push(span(' '.repeat(left)));
  return pieces;
}

/** Left and right text on one line; if both do not fit, the left one is cut. */
export function spread(left: Line, right: Line, width: number, glyphs: Glyphs): Line {
  const room = width - widthOf(right);
  if (room <= 0) return fitLine(right, width, glyphs);
  return [...fitLine(left, room, glyphs), ...right];
}

export function toned(shown: Line, tone: Tone): Line {
  return shown.map((piece) => ({ ...piece, tone }));
}
