/** A gateway that serves this database. Times are Unix seconds by the database's clock. */
export interface Node {
  /** Of the process. */
  readonly id: string;
  /** Name of its machine. */
  readonly host: string;
  readonly dataDir: string;
  /** Where it listens, as seen from its own machine. */
  readonly address: string;
  readonly version: string;
  readonly startedAt: number;
  /** When it last said that it runs. */
  readonly seenAt: number;
}

export interface NodeRepository {
  /** Says that a gateway runs: now, by the database's clock. */
  announce(node: Omit<Node, 'startedAt' | 'seenAt'>): Promise<void>;
  /** Those that were seen in the last `seconds`, oldest first. */
  list(seconds: number): Promise<readonly Node[]>;
  remove(id: string): Promise<void>;
  /** Deletes those that were not seen for `seconds`. */
  prune(seconds: number): Promise<void>;
}
