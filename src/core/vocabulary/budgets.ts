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

/** What may have a window of its own, by whose budget it is. */
export const eachOf: Readonly<Record<string, readonly string[]>> = {
  token: ['', 'conversation', 'agent'],
  user: ['', 'token', 'conversation', 'agent'],
  group: ['', 'token', 'user', 'conversation', 'agent'],
};

/** Fences are for what has a course: a conversation, an agent. */
export const mayHaveFence = (each: string): boolean => each === 'conversation' || each === 'agent';

export const budgetEnds = ['refuse', 'warn'] as const;
export type BudgetEnd = (typeof budgetEnds)[number];

/** `ends_at` of a window that does not end. */
export const neverEnds = 0;

/** How much of a budget is spent, by the fullest of its open windows. */
export const budgetStates = ['passed', 'near', 'within', 'unused', 'off'] as const;
export type BudgetState = (typeof budgetStates)[number];

interface Filled {
  readonly spent: number;
  readonly limit: number;
}

/** What was spent of the limit, from 0; 1 where nothing may be spent. */
export const shareOf = ({ spent, limit }: Filled): number => (limit === 0 ? 1 : spent / limit);

/** From this share on a window is near its end. */
export const nearShare = 0.8;

/** The window of which most is spent. */
export function fullestOf<W extends Filled>(windows: readonly W[]): W | undefined {
  return windows.toSorted((one, other) => shareOf(other) - shareOf(one))[0];
}

/** `unused`: nothing was spent in the windows that are open. */
export function budgetStateOf(budget: {
  readonly enabled: boolean;
  readonly windows: readonly Filled[];
}): BudgetState {
  if (!budget.enabled) return 'off';
  const fullest = fullestOf(budget.windows.filter(({ spent }) => spent > 0));
  if (fullest === undefined) return 'unused';
  const share = shareOf(fullest);
  return share >= 1 ? 'passed' : share >= nearShare ? 'near' : 'within';
}
