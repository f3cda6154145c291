import type { budgetFields } from './budget.ts';
import type { WireInput } from './field.ts';

type Preset = Partial<WireInput<typeof budgetFields, 'create'>>;

/**
 * Fences that fit most agents (docs/rules/budgets.md#fences), in quota at the default of 500,000 per
 * unit. The limits lie above what the longest honest sessions need: a preset stops what runs in
 * circles, not what works long.
 */
export const budgetPresets = {
  /** An assistant in a chat: a unit for each conversation. */
  chat: { each: 'conversation', period: 'total', amount: 500_000, most_repeats: 5 },
  /** A programming agent that somebody watches. */
  agent: {
    each: 'conversation',
    period: 'total',
    amount: 5_000_000,
    most_requests: 500,
    most_repeats: 8,
  },
  /** One that runs alone, such as over night. */
  unattended: {
    each: 'conversation',
    period: 'total',
    amount: 2_500_000,
    most_requests: 300,
    most_minutes: 480,
    most_repeats: 8,
    most_pace: 20,
  },
} as const satisfies Readonly<Record<string, Preset>>;
export type BudgetPreset = keyof typeof budgetPresets;
