/** The budget form's values, their rules, and the fields of a call they become. */
import type { BudgetEntity } from '../../../core/contract/budgets.ts';
import { entityRules } from '../../../core/contract/entity-schema.ts';
import { budgetFields } from '../../../core/entities/budget.ts';
import { initialInput, inputOf } from '../../../core/entities/convert.ts';
import type { WireInput } from '../../../core/entities/field.ts';
import { mayHaveFence } from '../../../core/vocabulary/budgets.ts';
import { issuesOf } from '../../form/check-with.ts';
import type { TextKey } from '../../i18n/index.ts';

type Input = WireInput<typeof budgetFields>;
type ListName = 'closed_days' | 'models';
export const rateNames = ['requests_per_minute', 'tokens_per_minute', 'parallel_requests'] as const;
type RateName = (typeof rateNames)[number];
export const fenceNames = ['most_requests', 'most_minutes', 'most_repeats', 'most_pace'] as const;
type FenceName = (typeof fenceNames)[number];
type FormName = 'amount' | 'week_start' | 'carry_over' | ListName | FenceName | RateName;

export interface BudgetValues
  extends Omit<Input, FormName>,
    Readonly<Record<FenceName | RateName, number | ''>> {
  readonly amount: number | '';
  /** The number as the options of a select field have it. */
  readonly week_start: string;
  readonly carry_over: number | '';
  readonly closed_days: readonly string[];
  readonly models: readonly string[];
}

const listOf = (text: string): readonly string[] => text.split(',').filter((part) => part !== '');

const formValues = (input: Input): BudgetValues => ({
  ...input,
  week_start: String(input.week_start),
  closed_days: listOf(input.closed_days),
  models: listOf(input.models),
});

/** A new one for an owner, in the reader's time zone. */
export const newBudget = (owner: Pick<Input, 'owner' | 'owner_id'>): BudgetValues => ({
  ...formValues({ ...initialInput(budgetFields), ...owner }),
  amount: '',
  period: 'day',
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});
export const budgetValues = (budget: BudgetEntity) => formValues(inputOf(budgetFields, budget));

/** Whether a window can pass on what it has left. */
export const canCarry = ({ window, period }: Pick<BudgetValues, 'window' | 'period'>): boolean =>
  window === 'calendar' && period !== 'total' && period !== 'none';

/** Whether there is something that may stop it from going on. */
export const canFence = ({ each, period }: Pick<BudgetValues, 'each' | 'period'>): boolean =>
  mayHaveFence(each) && period !== 'none';

/**
 * The fields of a call. Call it with values that {@link checkBudget} accepts. What the form hides
 * goes back to its first value.
 */
export const budgetInput = (values: BudgetValues): Input => ({
  ...values,
  amount: values.period === 'none' ? 0 : Number(values.amount),
  week_start: Number(values.week_start),
  carry_over: canCarry(values) ? Number(values.carry_over) : 0,
  most_requests: canFence(values) ? Number(values.most_requests) : 0,
  most_minutes: canFence(values) ? Number(values.most_minutes) : 0,
  most_repeats: canFence(values) ? Number(values.most_repeats) : 0,
  most_pace: canFence(values) ? Number(values.most_pace) : 0,
  requests_per_minute: Number(values.requests_per_minute),
  tokens_per_minute: Number(values.tokens_per_minute),
  parallel_requests: Number(values.parallel_requests),
  closed_days: values.closed_days.toSorted().join(','),
  closed_hours: values.closed_hours.replaceAll(/\s/g, ''),
  thresholds: values.thresholds.replaceAll(/\s/g, ''),
  models: values.models.join(','),
});

/** Only the fields of a call that differ. */
export function changedInput(values: BudgetValues, before: BudgetValues): Partial<Input> {
  const stored: Readonly<Record<string, unknown>> = budgetInput(before);
  const entries = Object.entries(budgetInput(values));
  return Object.fromEntries(entries.filter(([field, value]) => value !== stored[field]));
}

const rules = entityRules(budgetFields);
const errorTexts: Readonly<Record<string, TextKey>> = {
  owner_id: 'budget.form.error.whose',
  amount: 'budget.form.error.amount',
  requests_per_minute: 'budget.form.error.rate',
  closed_hours: 'budget.form.error.hours',
  thresholds: 'budget.form.error.thresholds',
  tag: 'budget.form.error.tag',
};

/** What is wrong, by field, as keys of texts. */
export function checkBudget(values: BudgetValues): Readonly<Record<string, TextKey>> {
  const issues = Object.keys(issuesOf(rules, budgetInput(values)));
  const isRate = values.period === 'none';
  const missing = !isRate && values.amount === '' ? ['amount'] : [];
  if (isRate && rateNames.every((name) => Number(values[name]) === 0))
    missing.push('requests_per_minute');
  return Object.fromEntries(
    [...issues, ...missing].map((field) => [field, errorTexts[field] ?? 'budget.form.error.other']),
  );
}
