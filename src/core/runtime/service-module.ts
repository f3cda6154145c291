import type { Change } from '../cluster/changes.ts';
import type { BackgroundJob } from './background-job.ts';

/** A module of the core. `src/core/app.ts` creates all modules in a fixed order. */
export interface ServiceModule<Services> {
  /** The services for handlers and for other modules. */
  readonly services: Services;
  readonly jobs?: readonly BackgroundJob[];
  /** Called after every announced change; the announcement waits for it. */
  onChange?(change: Change): void | Promise<void>;
  /** Ends work that uses other modules. All modules stop before the first one closes. */
  stop?(): Promise<void>;
  /** Releases the module's resources. Modules close in reverse order of creation. */
  close?(): Promise<void>;
}
