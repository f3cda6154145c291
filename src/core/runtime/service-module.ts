import type { Change } from '../cluster/changes.ts';
import type { BackgroundJob } from './background-job.ts';

/** What a folder of services gives to the program: `src/core/app.ts` makes the modules in their fixed order. */
export interface ServiceModule<Services> {
  /** What handlers and higher modules call. */
  readonly services: Services;
  readonly jobs?: readonly BackgroundJob[];
  /** Called after every announced change; the announcement waits for it. */
  onChange?(change: Change): void | Promise<void>;
  /** Ends work that still uses other modules. All modules stop before the first one closes. */
  stop?(): Promise<void>;
  /** Releases what the module has opened. Modules close in the opposite order of their making. */
  close?(): Promise<void>;
}
