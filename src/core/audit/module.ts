import type { Cluster } from '../cluster/cluster.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { Storage } from '../storage/storage.ts';
import { type Audit, createAudit } from './audit-log.ts';
import { type Commit, createCommit } from './commit.ts';

export interface AuditModuleDeps {
  readonly storage: Storage;
  readonly cluster: Pick<Cluster, 'changes'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface AuditServices extends Audit {
  readonly commit: Commit;
}

/** Seconds between two tries to write the entries that are kept, and that one may take. */
const keptInterval = 5;
const keptTimeout = 60;

export function createAuditModule({
  storage,
  cluster,
  clock,
  logger,
}: AuditModuleDeps): ServiceModule<AuditServices> {
  const audit = createAudit({ auditLogs: storage.auditLogs, clock, logger });
  const commit = createCommit({
    storage,
    changes: cluster.changes,
    entryOf: audit.entryOf,
    logger,
  });
  return {
    services: { ...audit, commit },
    // Each process keeps its own.
    jobs: [
      {
        name: 'audit-entries',
        interval: () => keptInterval,
        scope: 'process',
        timeout: keptTimeout,
        run: audit.writeKept,
      },
    ],
    // What cannot be written now is in the process log.
    close: () => audit.writeKept().catch(() => undefined),
  };
}
