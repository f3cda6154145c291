/**
 * One change of the site: its rows and its audit entries in one transaction, and afterwards what
 * follows it (docs/rules/process.md#followers).
 */
import type { ChangedIds, ChangeKind, Changes } from '../cluster/changes.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Logger } from '../kernel/logger.ts';
import type { AuditLog, Storage } from '../storage/storage.ts';
import type { AuditAction } from '../vocabulary/audit-actions.ts';

export type AuditDetail = Readonly<Record<string, unknown>>;

/** What belongs to a change besides its rows. */
export interface Notes {
  /** An entry of the audit log, written in the same transaction. */
  record(actor: Actor, action: AuditAction, target: string | number, detail?: AuditDetail): void;
  /** Announced once the change is committed; without ids any row of this kind may have changed. */
  changed(kind: ChangeKind, ids?: ChangedIds): void;
  /**
   * Runs after the commit and before the announcements, in the order of the calls. A failure is
   * logged, and the change stays a success.
   */
  after(what: string, work: () => unknown): void;
}

/**
 * Resolves with the result of `work` once the transaction is committed and followed. Rejects only
 * where nothing is committed. `work` uses no other storage than the one that it is given, and reads
 * in it what the caller is to see.
 */
export type Commit = <T>(work: (inside: Storage, notes: Notes) => Promise<T>) => Promise<T>;

export interface CommitDeps {
  readonly storage: Pick<Storage, 'transaction'>;
  /** Whose announcements never reject. */
  readonly changes: Changes;
  readonly entryOf: (
    actor: Actor,
    action: AuditAction,
    target: string | number,
    detail?: AuditDetail,
  ) => Omit<AuditLog, 'id'>;
  readonly logger: Logger;
}

interface Follower {
  readonly what: string;
  run(): unknown;
}

export function createCommit({ storage, changes, entryOf, logger }: CommitDeps): Commit {
  const follow = async ({ what, run }: Follower): Promise<void> => {
    try {
      await run();
    } catch (error) {
      logger.error({ error, what }, 'a change is stored, but not all that follows it was done');
    }
  };
  return async (work) => {
    const followers: Follower[] = [];
    const announcements: { readonly kind: ChangeKind; readonly ids: ChangedIds | undefined }[] = [];
    const result = await storage.transaction(async (inside) => {
      const entries: Omit<AuditLog, 'id'>[] = [];
      const done = await work(inside, {
        record: (...entry) => void entries.push(entryOf(...entry)),
        changed: (kind, ids) => void announcements.push({ kind, ids }),
        after: (what, run) => void followers.push({ what, run }),
      });
      for (const entry of entries) await inside.auditLogs.insert(entry);
      return done;
    });
    for (const follower of followers) await follow(follower);
    for (const { kind, ids } of announcements) await changes.announce(kind, ids);
    return result;
  };
}
