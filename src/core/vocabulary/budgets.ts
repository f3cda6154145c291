/** The words of budgets (docs/rules/budgets.md). */
export const budgetOwners = ['token', 'user', 'group', 'model'] as const;
export type BudgetOwner = (typeof budgetOwners)[number];

/** `none`: no amount, the budget is about rates alone. */
export const budgetPeriods = ['hour', '5h', 'day', 'week', 'month', 'total', 'none'] as const;
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
  model: ['', 'token', 'user'],
};

/** What has a course: a conversation, an agent. Fences are for them. */
export const eachOfCourse = ['conversation', 'agent'] as const;

/**
 * Whose playground has the window of a budget for each token, as its requests have no token; undefined:
 * it is a token's. The budget of a user has one playground, and says 0.
 */
export function playgroundOf(
  { each, owner, ownerId }: BudgetScope,
  subject: string,
): number | undefined {
  if (each !== 'token' || Number(subject) > 0) return undefined;
  return owner === 'user' ? Number(ownerId) : -Number(subject);
}

interface BudgetScope {
  readonly owner: string;
  readonly ownerId: string;
  readonly each: string;
}

/** The subject of requests without a token. */
export const playgroundSubject = (owner: string, userId: number): string =>
  owner === 'user' ? '0' : String(-userId);

export const mayHaveFence = (each: string): boolean => eachOfCourse.some((name) => name === each);

/** What budgets may be looked for by; `course`: those for each conversation or agent. */
export const budgetSubjects = ['token', 'user', 'window', 'course'] as const;
export type BudgetSubject = (typeof budgetSubjects)[number];

/** How many requests and tokens there may be in a minute, and requests at once; 0: any number. */
export interface Rates {
  readonly requests: number;
  readonly tokens: number;
  readonly parallel: number;
}

export const rateKinds = ['requests', 'tokens', 'parallel'] as const;

export const hasRates = (rates: Rates): boolean => rateKinds.some((kind) => rates[kind] > 0);

interface Rated {
  readonly requests_per_minute: number;
  readonly tokens_per_minute: number;
  readonly parallel_requests: number;
  /** Null: not known. */
  readonly rates_used: Rates | null;
}

export const wireRates = (budget: Omit<Rated, 'rates_used'>): Rates => ({
  requests: budget.requests_per_minute,
  tokens: budget.tokens_per_minute,
  parallel: budget.parallel_requests,
});

/** The fullest part of a budget's rates that is in use, from 0. */
export function rateShare(budget: Rated): number {
  const { rates_used: used } = budget;
  const rates = wireRates(budget);
  if (used === null) return 0;
  return Math.max(
    0,
    ...rateKinds.map((kind) => (rates[kind] === 0 ? 0 : used[kind] / rates[kind])),
  );
}

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

/** What is spent of a budget's fullest window or, where there is no amount, in use of its rates; from 0. */
export function fullness(
  budget: Rated & { readonly period: string; readonly windows: readonly Filled[] },
): number {
  if (budget.period === 'none') return rateShare(budget);
  const fullest = fullestOf(budget.windows);
  return fullest === undefined ? 0 : shareOf(fullest);
}

/** `unused`: nothing was spent in the windows that are open. Rates alone are by what counts now. */
export function budgetStateOf(
  budget: Rated & {
    readonly enabled: boolean;
    readonly windows: readonly Filled[];
    readonly period: string;
  },
): BudgetState {
  if (!budget.enabled) return 'off';
  if (budget.period === 'none') return stateOfShare(rateShare(budget));
  const fullest = fullestOf(budget.windows.filter(({ spent }) => spent > 0));
  if (fullest === undefined) return 'unused';
  return stateOfShare(shareOf(fullest));
}

function stateOfShare(share: number): BudgetState {
  return share >= 1 ? 'passed' : share >= nearShare ? 'near' : 'within';
}
