/** What the gateway needs of a place that keeps its backups. */
import type { Readable } from 'node:stream';
import type { Config } from '../config/schema.ts';
import type { SiteConfig } from './site-database.ts';

export type BackupConfig = SiteConfig &
  Pick<
    Config,
    | 'backupTo'
    | 'backupSchedule'
    | 'backupKeep'
    | 'backupPassphrase'
    | 'backupFiles'
    | 'backupS3Endpoint'
    | 'backupS3Region'
    | 'backupS3AccessKey'
    | 'backupS3SecretKey'
  >;

export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
}

/** Files of one place. All calls throw AppError backup_place where it cannot be used. */
export interface BackupStore {
  /** For people: a path or `s3://…`. */
  readonly place: string;
  /** The names that begin so. */
  list(start: string): Promise<readonly StoredFile[]>;
  /** Stores the file that `write` makes at the path it is given. */
  receive<T>(name: string, write: (path: string) => Promise<T>): Promise<T>;
  open(name: string): Promise<Readable>;
  remove(name: string): Promise<void>;
}
