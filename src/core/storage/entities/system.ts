import type { auditFilters } from '../../entities/audit-filters.ts';
import type { FilterValues } from '../../entities/filters.ts';
import type { Listing, PageRequest } from './listing.ts';

/** A row of `audit_logs`: a change made by an administrator. Never contains a secret. */
export interface AuditLog {
  readonly id: number;
  /** 0: the system itself. */
  readonly actorId: number;
  /** As the actor was called then. */
  readonly actorName: string;
  readonly actorRole: number;
  /** `user.promote`, `option.set`, … */
  readonly action: string;
  readonly target: string;
  /** JSON object text. */
  readonly detail: string;
  readonly ip: string;
  readonly createdAt: number;
}

export interface AuditLogRepository {
  insert(entry: Omit<AuditLog, 'id'>): Promise<void>;
  /** Id descending. */
  page(filter: AuditFilter, page: PageRequest): Promise<Listing<AuditLog>>;
  /** The next entries below an id, id descending; undefined: from the newest on. */
  listBefore(
    filter: AuditFilter,
    id: number | undefined,
    limit: number,
  ): Promise<readonly AuditLog[]>;
}

export type AuditFilter = FilterValues<typeof auditFilters> & {
  readonly actorId?: number | undefined;
};

/** The single row of `setups`; it exists once the instance is set up. */
export interface Setup {
  readonly version: string;
  readonly initializedAt: number;
}

export interface SetupRepository {
  find(): Promise<Setup | null>;
  /** False if the row exists. Of several concurrent callers exactly one gets true. */
  insert(setup: Setup): Promise<boolean>;
}

/** Leases that keep a job on one process at a time. Times are Unix seconds. */
export interface LockRepository {
  /**
   * Acquires a free, expired or own lock until `expiresAt`; false if another owner holds it. One
   * that expires after `latest` is free, too.
   */
  acquire(
    name: string,
    owner: string,
    now: number,
    expiresAt: number,
    latest: number,
  ): Promise<boolean>;
  /** False if `owner` no longer holds the lock. */
  release(name: string, owner: string): Promise<boolean>;
  /** Deletes what expired before then. */
  prune(before: number): Promise<void>;
}
