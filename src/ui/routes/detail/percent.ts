/** `99.62%` without trailing zeros. */
export function percent(part: number, whole: number): string {
  return `${Number(((part / whole) * 100).toFixed(2))}%`.replace('-', '−');
}
