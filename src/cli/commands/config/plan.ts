/** What applying a configuration changes, in the order in which it is written. */
import type { Context } from '../../command/command.ts';
import type { Line } from './values.ts';

export interface Change {
  readonly section: Section;
  readonly name: string;
  readonly action: 'add' | 'change' | 'remove';
  readonly lines: readonly Line[];
}
export type Section = 'options' | 'channels' | 'models';

/** Changes that are written by one call, all or none. */
export interface Step {
  readonly changes: readonly Change[];
  write(context: Context): Promise<unknown>;
}

export interface PlanSettings {
  /** What the file lacks is reset or deleted. */
  readonly prune: boolean;
  /** Secrets that the site has already are written again. */
  readonly writeSecrets: boolean;
}
