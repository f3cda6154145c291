/** What the database says of itself. */
export interface Diagnosis {
  /** The engine's version. */
  readonly version: string;
  /** The newest migration that was run. */
  readonly schema: string;
  /** Bytes that the database occupies. */
  readonly size: number;
  /** The database's clock, in Unix seconds. */
  readonly time: number;
}

export interface DiagnosisRepository {
  read(): Promise<Diagnosis>;
  /**
   * What SQLite's quick check finds; none: the file is sound. PostgreSQL checks itself: none. Reads
   * the whole file.
   */
  findDamage(): Promise<readonly string[]>;
}
