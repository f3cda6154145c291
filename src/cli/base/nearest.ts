/**
 * The known word that is nearest to a mistyped one: at most a third of its letters differ.
 * Undefined: none is near.
 */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  let best: { readonly word: string; readonly distance: number } | undefined;
  const limit = Math.max(1, Math.floor(word.length / 3));
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && (best === undefined || distance < best.distance))
      best = { word: candidate, distance };
  }
  return best?.word;
}

/** Insertions, deletions, replacements and swaps of neighbours between two words. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      line[column] = Math.min(
        at(rows, row - 1, column) + 1,
        at([line], 0, column - 1) + 1,
        at(rows, row - 1, column - 1) + (same ? 0 : 1),
        isSwap ? at(rows, row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(line);
  }
  return at(rows, a.length, b.length);
}

const at = (rows: readonly (readonly number[])[], row: number, column: number) =>
  rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
