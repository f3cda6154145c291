import type { LinkedTable } from '../../vocabulary/ledger-chain.ts';

/** The end of a chain (docs/rules/ledger.md#chain). */
export interface ChainEnd {
  /** What the first row or segment follows: random, another one on every site. */
  readonly start: string;
  /** The last row; 0: none. */
  readonly lastId: number;
  /** What the next row follows. */
  readonly link: string;
}

/** Rows without links of their own, which were there when the chain began. */
export interface ChainSegment {
  readonly firstId: number;
  readonly lastId: number;
  readonly count: number;
  readonly digest: string;
}

export interface LinkedRow {
  readonly id: number;
  /** What the link covers. */
  readonly text: string;
  /** Null: something other than the ledger wrote the row. */
  readonly link: string | null;
}

/**
 * When the newest link was last sent to a place outside (docs/rules/ledger.md#seals). Times are
 * Unix seconds; 0: never.
 */
export interface SealState {
  readonly sealedAt: number;
  readonly postingId: number;
  readonly triedAt: number;
  /** Of the last try; '': it succeeded. */
  readonly error: string;
}

export interface ChainRepository {
  end(table: LinkedTable): Promise<ChainEnd>;
  /** In the order of the chain. */
  segments(table: LinkedTable): Promise<readonly ChainSegment[]>;
  /** Rows after an id, id ascending. */
  rows(table: LinkedTable, after: number, limit: number): Promise<readonly LinkedRow[]>;
  /** The link of a row; null: it has none. Undefined: there is no such row. */
  linkAt(table: LinkedTable, id: number): Promise<string | null | undefined>;
  /** Undefined: nothing was sent there. */
  seal(target: string): Promise<SealState | undefined>;
  noteSeal(target: string, seal: SealState): Promise<void>;
}
