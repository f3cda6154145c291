import type { Clock } from '../kernel/clock.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { Storage } from '../storage/storage.ts';
import { type Audit, createAudit } from './audit-log.ts';

export interface AuditModuleDeps {
  readonly storage: Pick<Storage, 'auditLogs'>;
  readonly clock: Clock;
}

export function createAuditModule({ storage, clock }: AuditModuleDeps): ServiceModule<Audit> {
  return { services: createAudit({ auditLogs: storage.auditLogs, clock }) };
}
