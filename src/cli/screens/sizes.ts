/**
 * Minimum terminal size; a smaller terminal shows a message
 * (docs/rules/command-line.md#terminal-screens).
 */
export const smallest = { columns: 80, rows: 24 } as const;
export const isTooSmall = (columns: number, rows: number): boolean =>
  columns < smallest.columns || rows < smallest.rows;
/** Width from which details are shown beside their list. */
export const wideFrom = 120;
/** Rows that a list loads at once. */
export const pageSize = 100;
/** Size of a view that is printed as plain lines: details replace their list. */
export const plainSize = { columns: 118, rows: 40 } as const;
