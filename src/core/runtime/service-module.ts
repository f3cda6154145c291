import type { Change, ChangeKind } from '../cluster/changes.ts';
import type { BackgroundJob } from './background-job.ts';

/** Rows of the database that a module keeps in memory (docs/rules/process.md#invalidation). */
export interface Cache {
  /** For the log. */
  readonly name: string;
  /** The changes that it follows. */
  readonly kinds: readonly ChangeKind[];
  /**
   * Drops or reads again what changed; the announcement waits for it. Rejects where that failed: it
   * is called again until it succeeds. What could give rights away, such as a channel that may have
   * been disabled, must not be used until then.
   */
  follow(change: Change): void | Promise<void>;
}

/** A module of the core. `src/core/app.ts` creates all modules in a fixed order. */
export interface ServiceModule<Services> {
  /** The services for handlers and for other modules. */
  readonly services: Services;
  readonly jobs?: readonly BackgroundJob[];
  /** Followed in the order of the modules. */
  readonly caches?: readonly Cache[];
  /** Ends work that uses other modules. All modules stop before the first one closes. */
  stop?(): Promise<void>;
  /** Releases the module's resources. Modules close in reverse order of creation. */
  close?(): Promise<void>;
}
