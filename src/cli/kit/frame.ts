/**
 * The frame around a screen: bands of panes with joined borders and titles in the rules
 * (docs/rules/command-line.md#terminal-screens).
 */
import type { Glyphs } from './glyphs.ts';
import { fitLine, type Line, type Span, span, widthOf } from './lines.ts';

export interface Pane {
  readonly title?: Line;
  /** Lines of content; excess lines are omitted, missing ones are blank. */
  readonly lines: readonly Line[];
  /** Cells between the borders, one of padding on each side included. */
  readonly width: number;
}
/**
 * Panes side by side. Their widths and the borders between them add up to the frame's inner width.
 */
export interface Band {
  readonly panes: readonly Pane[];
  /** Lines of content. */
  readonly height: number;
}

/** Width of the content of a pane, in cells. */
export function contentWidth(paneWidth: number): number {
  return paneWidth - 2;
}

/**
 * Widths of panes side by side in a frame, by shares; the last one takes the rounding difference.
 */
export function shareWidth(frameWidth: number, shares: readonly number[]): readonly number[] {
  const room = frameWidth - 1 - shares.length;
  const sum = shares.reduce((a, b) => a + b, 0);
  const widths = shares.map((share) => Math.floor((room * share) / sum));
  const rest = room - widths.reduce((a, b) => a + b, 0);
  return widths.map((width, index) => (index === widths.length - 1 ? width + rest : width));
}

/**
 * All lines of the frame. Its height is the sum of the bands plus one rule each and one at the end.
 */
export function drawFrame(bands: readonly Band[], width: number, glyphs: Glyphs): readonly Line[] {
  const lines: Line[] = [];
  bands.forEach((band, index) => {
    lines.push(drawRule(bands[index - 1], band, width, glyphs));
    for (let row = 0; row < band.height; row++) lines.push(drawRow(band, row, glyphs));
  });
  lines.push(drawRule(bands.at(-1), undefined, width, glyphs));
  return lines;
}

function drawRow(band: Band, row: number, glyphs: Glyphs): Line {
  const border = span(glyphs.vertical, 'dim');
  const pieces = band.panes.flatMap((pane) => [
    span(' '),
    ...fitLine(pane.lines[row] ?? [], contentWidth(pane.width), glyphs),
    span(' '),
    border,
  ]);
  return [border, ...pieces];
}

/** Positions of the inner borders, from the left edge of the frame. */
function borders(band: Band | undefined): ReadonlySet<number> {
  const columns = new Set<number>();
  let x = 0;
  for (const pane of band?.panes.slice(0, -1) ?? []) {
    x += pane.width + 1;
    columns.add(x);
  }
  return columns;
}

function drawRule(
  above: Band | undefined,
  below: Band | undefined,
  width: number,
  glyphs: Glyphs,
): Line {
  const [topLeft, topRight, bottomLeft, bottomRight, left, right, down, up, cross] = [
    ...glyphs.corners,
  ];
  const over = borders(above);
  const under = borders(below);
  const start = above === undefined ? topLeft : below === undefined ? bottomLeft : left;
  const end = above === undefined ? topRight : below === undefined ? bottomRight : right;
  const marks = Array.from({ length: width }, (_, x) => {
    if (x === 0) return start;
    if (x === width - 1) return end;
    if (over.has(x) && under.has(x)) return cross;
    if (over.has(x)) return up;
    return under.has(x) ? down : glyphs.horizontal;
  });
  const pieces: Span[] = [];
  let drawn = 0;
  let paneStart = 1;
  for (const pane of below?.panes ?? []) {
    if (pane.title !== undefined) {
      const title = fitLine(pane.title, Math.min(widthOf(pane.title), pane.width - 3), glyphs);
      pieces.push(
        span(`${marks.slice(drawn, paneStart + 1).join('')} `, 'dim'),
        ...title,
        span(' '),
      );
      drawn = paneStart + 3 + widthOf(title);
    }
    paneStart += pane.width + 1;
  }
  return [...pieces, span(marks.slice(drawn).join(''), 'dim')];
}
