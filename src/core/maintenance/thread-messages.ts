/** What is sent to the thread of backups and back. */
import type { ErrorCode, ErrorParams } from '../kernel/errors.ts';
import type { BackupConfig } from './backup-place.ts';
import type { BackupCheck, BackupMade } from './stored-backups.ts';

export interface ThreadResults {
  make: BackupMade;
  check: BackupCheck;
}

export interface ThreadWork {
  readonly task: keyof ThreadResults;
  readonly config: BackupConfig;
  readonly version: string;
  /** Unix seconds. */
  readonly now: number;
}

export interface ThreadFailure {
  readonly code?: ErrorCode;
  readonly params?: ErrorParams;
  readonly message: string;
}

export type ThreadReply =
  | { readonly result: BackupMade | BackupCheck }
  | { readonly failure: ThreadFailure };
