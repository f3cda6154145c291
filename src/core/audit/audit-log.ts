import type { FileOutput } from '../contract/endpoint.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type {
  AuditFilter,
  AuditLog,
  AuditLogRepository,
  Listing,
  PageRequest,
} from '../storage/storage.ts';
import type { AuditAction } from '../vocabulary/audit-actions.ts';
import { type AuditLook, auditFile } from './audit-file.ts';
import type { AuditDetail } from './commit.ts';

type Entry = Omit<AuditLog, 'id'>;

/**
 * Records what administrators change (docs/rules/security.md#audit-log). `detail` never holds a
 * secret.
 */
export interface Audit {
  /**
   * For changes that cannot share a transaction with their entry, such as postings; others use
   * {@link Commit}. Never rejects, because the change is committed: an entry that cannot be written
   * is kept and tried again.
   */
  record(
    actor: Actor,
    action: AuditAction,
    target: string | number,
    detail?: AuditDetail,
  ): Promise<void>;
  entryOf(actor: Actor, action: AuditAction, target: string | number, detail?: AuditDetail): Entry;
  /** Writes the entries that are kept. Rejects where one of them still cannot be written. */
  writeKept(): Promise<void>;
  /** Newest first. */
  page(filter: AuditFilter, page: PageRequest): Promise<Listing<AuditLog>>;
  /** The entries that match as CSV, newest first. */
  export(filter: AuditFilter, look: AuditLook): Promise<FileOutput>;
}

export interface AuditDeps {
  readonly auditLogs: AuditLogRepository;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Entries that are kept at most while the database does not take them; all are in the process log.
 */
const mostKept = 10_000;

export function createAudit({ auditLogs, clock, logger }: AuditDeps): Audit {
  const kept: Entry[] = [];

  const entryOf: Audit['entryOf'] = (actor, action, target, detail = {}) => ({
    actorId: actor.id,
    actorName: actor.username,
    actorRole: actor.role,
    action,
    target: String(target),
    detail: JSON.stringify(detail),
    ip: actor.ip,
    createdAt: nowSeconds(clock),
  });

  return {
    entryOf,
    record: async (...what) => {
      const entry = entryOf(...what);
      try {
        await auditLogs.insert(entry);
      } catch (error) {
        logger.error({ error, entry }, 'an audit entry could not be written yet');
        if (kept.length < mostKept) kept.push(entry);
      }
    },
    writeKept: async () => {
      // Once each: one that is refused for its data must not keep back the others.
      for (let left = kept.length; left > 0; left--) {
        const entry = kept.shift();
        if (entry === undefined) break;
        try {
          await auditLogs.insert(entry);
        } catch (error) {
          kept.push(entry);
          if (error instanceof AppError && error.code === 'database_unavailable') throw error;
        }
      }
      if (kept.length > 0) throw new Error(`${kept.length} audit entries cannot be written`);
    },
    page: (filter, page) => auditLogs.page(filter, page),
    export: (filter, look) => auditFile(auditLogs, filter, look),
  };
}
