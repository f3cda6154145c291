import type { Listing, PageRequest } from './listing.ts';

/** A row of `uploads`: a file uploaded by a user. Times are Unix seconds. */
export interface Upload {
  readonly id: number;
  readonly userId: number;
  /** Relative to the upload folder; unique. */
  readonly path: string;
  readonly mime: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly sha256: string;
  readonly createdAt: number;
  /** Null: kept until deleted. */
  readonly expiresAt: number | null;
}

/** Number and size of files. */
export interface FileSum {
  readonly files: number;
  readonly bytes: number;
}

export interface UploadRepository {
  insert(upload: Omit<Upload, 'id'>): Promise<number>;
  findByPath(path: string): Promise<Upload | null>;
  /** Total size of a user's files. */
  sumBytes(userId: number): Promise<number>;
  /** Of all users. */
  sum(): Promise<FileSum>;
  /** Newest first; of one user or of all. */
  page(userId: number | undefined, page: PageRequest): Promise<Listing<Upload>>;
  /** Expired before `now`, by id, without the first `passed`. */
  listExpired(now: number, limit: number, passed?: number): Promise<readonly Upload[]>;
  /** Of users that were deleted or deactivated and with an id above `after`, by id. */
  listOrphans(after: number, limit: number): Promise<readonly Upload[]>;
  /** Whether a row of the model square shows the file or an unfinished task names it. */
  isReferred(path: string): Promise<boolean>;
  setExpiry(id: number, expiresAt: number): Promise<void>;
  delete(id: number): Promise<boolean>;
}
