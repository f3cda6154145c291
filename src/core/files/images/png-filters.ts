/** The five filters of PNG rows (section 9 of the PNG specification). */

function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toUpLeft = Math.abs(estimate - upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

/** What a filter predicts for a byte. */
function predict(filter: number, left: number, up: number, upLeft: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return paeth(left, up, upLeft);
    default:
      return 0;
  }
}

/**
 * The pixels of a filtered row. `distance`: bytes of a pixel, at least 1; `previous`: the row
 * above, undefined above the first.
 */
export function undoFilter(
  filter: number,
  line: Buffer,
  previous: Buffer | undefined,
  distance: number,
): Buffer {
  const row = Buffer.from(line);
  if (filter === 0) return row;
  for (let at = 0; at < row.length; at++) {
    const left = at < distance ? 0 : (row[at - distance] ?? 0);
    const upLeft = at < distance ? 0 : (previous?.[at - distance] ?? 0);
    row[at] = (row[at] ?? 0) + predict(filter, left, previous?.[at] ?? 0, upLeft);
  }
  return row;
}

/** The filtered row, with the byte of its filter first. */
export function applyFilter(
  filter: number,
  row: Buffer,
  previous: Buffer | undefined,
  distance: number,
): Buffer {
  const line = Buffer.alloc(row.length + 1);
  line[0] = filter;
  for (let at = 0; at < row.length; at++) {
    const left = at < distance ? 0 : (row[at - distance] ?? 0);
    const upLeft = at < distance ? 0 : (previous?.[at - distance] ?? 0);
    line[at + 1] = (row[at] ?? 0) - predict(filter, left, previous?.[at] ?? 0, upLeft);
  }
  return line;
}
