import type { ParsedInputOf } from '../contract/endpoint.ts';
import type { siteConfigApi } from '../contract/site-config.ts';
import type { AppError } from '../kernel/errors.ts';

export type ConfigChanges = Omit<ParsedInputOf<typeof siteConfigApi.apply>, 'dry_run'>;

export interface ConfigProblem {
  readonly section: 'options' | 'channels' | 'models' | 'budgets';
  readonly label: string;
  /** '' where the rule is about the whole. */
  readonly field: string;
  readonly error: AppError;
}

/** Whether fields still are as the caller saw them. */
export function isAsSeen(
  seen: Readonly<Record<string, unknown>> = {},
  values: Readonly<Record<string, unknown>>,
): boolean {
  return Object.entries(seen).every(
    ([field, value]) => JSON.stringify(values[field]) === JSON.stringify(value),
  );
}
