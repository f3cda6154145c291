import type { Run } from '../run-context.ts';

/** How the tables of a sub2api site are read. */
export interface OldSiteReader extends Pick<Run, 'source' | 'tables' | 'batch'> {
  readonly quotaPerUnit: number;
}
