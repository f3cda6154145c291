import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { AuditLog, AuditLogRepository, Listing, PageRequest } from '../storage/storage.ts';

/** Records what administrators change (docs/rules/security.md#audit-log). `detail` never holds a secret. */
export interface Audit {
  record(actor: Actor, action: string, target: string | number, detail?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Newest first; filters are exact. */
  page(filter: { readonly action?: string; readonly actorId?: number }, page: PageRequest): Promise<Listing<AuditLog>>;
}

export function createAudit(deps: { auditLogs: AuditLogRepository; clock: Clock }): Audit {
  return {
    record: (actor, action, target, detail = {}) =>
      deps.auditLogs.insert({
        actorId: actor.id,
        actorRole: actor.role,
        action,
        target: String(target),
        detail: JSON.stringify(detail),
        ip: actor.ip,
        createdAt: nowSeconds(deps.clock),
      }),
    page: (filter, page) => deps.auditLogs.page(filter, page),
  };
}
