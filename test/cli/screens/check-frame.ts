/**
 * What every frame of the screens has: the size of the terminal, borders that join, a hint line,
 * nothing that controls.
 */
import stringWidth from 'string-width';
import { expect } from 'vitest';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** One entry per cell; the second cell of a wide character is empty. */
function cellsOf(line: string): readonly string[] {
  return Array.from(segmenter.segment(line), ({ segment }) => segment).flatMap((character) => {
    const width = stringWidth(character);
    return width === 0 ? [] : [character, ...Array.from({ length: width - 1 }, () => '')];
  });
}

const downwards = '│┌┐├┤┬┼';
const upwards = '│└┘├┤┴┼';

export function checkFrame(
  lines: readonly string[],
  columns: number,
  rows: number,
  name: string,
): void {
  const about = `${name}:\n${lines.join('\n')}`;
  expect(lines, about).toHaveLength(rows);
  for (const line of lines) expect(stringWidth(line), `${line}\n${about}`).toBe(columns);
  expect(lines.join(''), about).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  expect(lines[0], about).toMatch(/^┌─+┐$/);
  expect(lines.at(-1), about).toMatch(/^└─+┘$/);
  for (const line of lines.slice(1, -1)) expect(line, about).toMatch(/^[│├].*[│┤]$/);
  const grid = lines.map(cellsOf);
  for (const [y, cells] of grid.entries()) {
    for (const [x, character] of cells.entries()) {
      if (character !== '' && downwards.includes(character) && y < rows - 1)
        expect(upwards, `line ${y + 2}, cell ${x + 1} of ${about}`).toContain(
          grid[y + 1]?.[x] || 'nothing',
        );
      if (character !== '' && upwards.includes(character) && y > 0)
        expect(downwards, `line ${y}, cell ${x + 1} of ${about}`).toContain(
          grid[y - 1]?.[x] || 'nothing',
        );
    }
  }
  expect(lines.at(-2)?.replace(/[│ ]/g, ''), `hint line of ${about}`).not.toBe('');
  expect(lines[1], about).toContain('Turnpike ●');
}
