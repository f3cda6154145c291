import type { Listing, PageRequest, TimeRange } from './listing.ts';

/** A row of `audit_logs`: what an administrator changed. Never holds a secret. */
export interface AuditLog {
  readonly id: number;
  /** 0: the system itself. */
  readonly actorId: number;
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
  /** Id descending; all filters exact. */
  page(
    filter: TimeRange & { readonly actorId?: number; readonly action?: string; readonly target?: string },
    page: PageRequest,
  ): Promise<Listing<AuditLog>>;
}

/** The row of `setups`: this instance was set up. */
export interface Setup {
  readonly version: string;
  readonly initializedAt: number;
}

export interface SetupRepository {
  find(): Promise<Setup | null>;
  /** False when somebody else was first: exactly one caller gets true. */
  insert(setup: Setup): Promise<boolean>;
}

/** Leases that keep a job on one process at a time. Times are Unix seconds. */
export interface LockRepository {
  /** Takes a free, expired or own lock until `expiresAt`; false when another owner holds it. */
  acquire(name: string, owner: string, now: number, expiresAt: number): Promise<boolean>;
  /** False when the lock is no longer ours. */
  release(name: string, owner: string): Promise<boolean>;
}
