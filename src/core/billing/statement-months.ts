/**
 * Months and days of statements, in the server's time zone (docs/rules/ledger.md#statement-time).
 */

/** Year × 10,000 + month × 100 + day, of a time in Unix seconds. */
export function dayOf(seconds: number): number {
  const at = new Date(seconds * 1000);
  return at.getFullYear() * 10_000 + (at.getMonth() + 1) * 100 + at.getDate();
}

/** Year × 100 + month, of a day. */
export const monthOf = (day: number): number => Math.floor(day / 100);

export function monthBefore(month: number): number {
  return month % 100 === 1 ? month - 89 : month - 1;
}

export function monthAfter(month: number): number {
  return month % 100 === 12 ? month + 89 : month + 1;
}

/** The first second of a month, and that of the next, Unix seconds. */
export function spanOf(month: number): { readonly start: number; readonly end: number } {
  const startOf = (name: number) =>
    new Date(Math.floor(name / 100), (name % 100) - 1, 1).getTime() / 1000;
  return { start: startOf(month), end: startOf(monthAfter(month)) };
}

/** `2026-11`. */
export const monthText = (month: number): string =>
  `${Math.floor(month / 100)}-${String(month % 100).padStart(2, '0')}`;

/** `2026-11-03`. */
export const dayText = (day: number): string =>
  `${monthText(monthOf(day))}-${String(day % 100).padStart(2, '0')}`;
