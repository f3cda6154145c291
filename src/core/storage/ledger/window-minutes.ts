/**
 * Minutes that are kept of a window with a pace, more than are looked at
 * (docs/rules/budgets.md#pace).
 */
export const keptMinutes = 16;

/** Adds to `budget_minutes`; `rows` is SQL that gives window, place, minute and amount. */
export const addMinuteSql = (rows: string): string =>
  `INSERT INTO budget_minutes (window_id, place, minute, spent) ${rows}
   ON CONFLICT (window_id, place) DO UPDATE SET
     spent = CASE WHEN budget_minutes.minute = excluded.minute THEN budget_minutes.spent + excluded.spent
       WHEN budget_minutes.minute < excluded.minute THEN excluded.spent ELSE budget_minutes.spent END,
     minute = CASE WHEN budget_minutes.minute < excluded.minute THEN excluded.minute ELSE budget_minutes.minute END`;
