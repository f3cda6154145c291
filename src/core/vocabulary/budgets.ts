/** The words of budgets (docs/rules/budgets.md). */
export const budgetOwners = ['token', 'user', 'group'] as const;
export type BudgetOwner = (typeof budgetOwners)[number];

export const budgetPeriods = ['hour', '5h', 'day', 'week', 'month', 'total'] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

export const budgetWindowKinds = ['calendar', 'rolling'] as const;
export type BudgetWindowKind = (typeof budgetWindowKinds)[number];

/** What has a window of its own; '': all that the owner's requests spend counts together. */
export const budgetEach = ['', 'token', 'user', 'conversation', 'agent'] as const;
export type BudgetEach = (typeof budgetEach)[number];

export const budgetEnds = ['refuse', 'warn'] as const;
export type BudgetEnd = (typeof budgetEnds)[number];

/** `ends_at` of a window that does not end. */
export const neverEnds = 0;
