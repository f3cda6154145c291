/** What applying a configuration changes: for people, and as one call. */
import type { InputOf } from '../../../core/contract/endpoint.ts';
import type { api } from '../../../core/contract/index.ts';
import type { Problems } from './problems.ts';
import type { References } from './references.ts';
import type { Line } from './values.ts';

export interface Change {
  readonly section: Section;
  readonly name: string;
  readonly action: 'add' | 'change' | 'remove';
  readonly lines: readonly Line[];
}
export type Section = 'options' | 'channels' | 'models' | 'budgets';
export type Request = Required<Omit<InputOf<typeof api.siteConfig.apply>, 'dry_run'>>;

/** What a section of the file changes. With problems the request is only good for a check. */
export interface Plan<Part extends keyof Request> {
  readonly changes: readonly Change[];
  readonly request: Pick<Request, Part>;
}

export interface PlanSettings {
  /** What the file lacks is reset or deleted. */
  readonly prune: boolean;
  /** Secrets that the site has already are written again. */
  readonly writeSecrets: boolean;
  readonly references: References;
  readonly problems: Problems;
}
