import type { Readable } from 'node:stream';
import type { Secret } from '../kernel/secret.ts';
import type { SiteConfig } from './site-database.ts';

export interface RestoreOptions {
  readonly config: SiteConfig;
  /** Of this program. */
  readonly version: string;
  readonly source: Readable;
  /** Of the backup, for errors. */
  readonly name: string;
  /** For an encrypted backup. */
  readonly passphrase?: string;
  /**
   * False: the database is put back with the schema that it has in the backup, for the version that
   * wrote it.
   */
  readonly migrates?: boolean;
  /** Decrypts a backup without a key file; absent: the key of the data folder does. */
  readonly keyOfSite?: Secret;
  /** Replaces a database that is there, after a copy of it was made. */
  readonly force: boolean;
  /** Unix seconds. */
  readonly now: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (phase: RestorePhase, done: number, total?: number) => void;
}

export type RestorePhase = 'read' | 'migrate' | 'verify' | 'write';
