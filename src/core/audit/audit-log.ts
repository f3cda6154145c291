import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { AuditFilter, AuditLog, AuditLogRepository, Listing, PageRequest } from '../storage/storage.ts';

export type { AuditFilter };

/** Records what administrators change (docs/rules/security.md#audit-log). `detail` never holds a secret. */
export interface Audit {
  record(actor: Actor, action: string, target: string | number, detail?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Newest first. */
  page(filter: AuditFilter, page: PageRequest): Promise<Listing<AuditLog>>;
  /** Deletes entries that are older than this many days. Returns how many. */
  prune(days: number): Promise<number>;
}

const day = 86_400;

export function createAudit({ auditLogs, clock }: { auditLogs: AuditLogRepository; clock: Clock }): Audit {
  return {
    record: (actor, action, target, detail = {}) =>
      auditLogs.insert({
        actorId: actor.id,
        actorName: actor.username,
        actorRole: actor.role,
        action,
        target: String(target),
        detail: JSON.stringify(detail),
        ip: actor.ip,
        createdAt: nowSeconds(clock),
      }),
    page: (filter, page) => auditLogs.page(filter, page),
    prune: (days) => auditLogs.deleteBefore(nowSeconds(clock) - days * day),
  };
}
