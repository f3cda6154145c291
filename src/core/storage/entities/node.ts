import type { NodeState, NodeWish } from '../../vocabulary/nodes.ts';

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
  readonly wish: NodeWish;
  /** As it said last; '': a release that cannot be drained. */
  readonly state: NodeState | '';
  /** Requests, connections of WebSockets and jobs of the site. */
  readonly underWay: number;
}

export interface NodeRepository {
  /**
   * Says that a gateway runs: now, by the database's clock. Resolves with its wish; its own
   * wish counts only where it has no row yet.
   */
  announce(node: Omit<Node, 'startedAt' | 'seenAt'>): Promise<NodeWish>;
  /** Tells gateways something. */
  setWish(ids: readonly string[], wish: NodeWish): Promise<void>;
  /** Those that were seen in the last `seconds`, oldest first. */
  list(seconds: number): Promise<readonly Node[]>;
  remove(id: string): Promise<void>;
  /** Deletes those that were not seen for `seconds`. */
  prune(seconds: number): Promise<void>;
}
