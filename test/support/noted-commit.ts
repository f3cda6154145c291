import { createAudit } from '../../src/core/audit/audit-log.ts';
import { type Commit, createCommit } from '../../src/core/audit/commit.ts';
import { silentLogger } from '../../src/core/kernel/logger.ts';
import type { TestApp } from './app.ts';

export interface NotedCommit {
  readonly commit: Commit;
  /** The audit entries that were asked for: actor, action, target, detail. */
  readonly entries: unknown[][];
  readonly announced: unknown[][];
}

/** Commits to the storage of an app, and notes what is recorded and announced besides. */
export function noteCommits({ app, clock }: TestApp): NotedCommit {
  const { storage } = app;
  const entries: unknown[][] = [];
  const announced: unknown[][] = [];
  const { entryOf } = createAudit({ auditLogs: storage.auditLogs, clock, logger: silentLogger });
  const commit = createCommit({
    storage,
    changes: {
      announce: async (...change) => void announced.push(change),
      listen: () => () => undefined,
    },
    entryOf: (...entry) => {
      entries.push(entry);
      return entryOf(...entry);
    },
    logger: silentLogger,
  });
  return { commit, entries, announced };
}
