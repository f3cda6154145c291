import type { Guard } from './guards.ts';
import type { Settlement } from './settlement.ts';

/** The rows that a batch involves: what must be read, and on PostgreSQL locked, before it can be planned. */
export interface LedgerKeys {
  readonly users: ReadonlySet<number>;
  /** The users with a charge: also those that no longer exist are read. */
  readonly charged: ReadonlySet<number>;
  readonly tokens: ReadonlySet<number>;
  readonly references: readonly { readonly kind: string; readonly reference: string }[];
  readonly guards: readonly Guard[];
}

export function keysOf(batch: readonly Settlement[]): LedgerKeys {
  const users = new Set<number>();
  const charged = new Set<number>();
  const tokens = new Set<number>();
  const references: { kind: string; reference: string }[] = [];
  const guards: Guard[] = [];
  for (const item of batch) {
    if (item.kind !== 'allowance') users.add(item.userId);
    if (item.kind === 'charge') charged.add(item.userId);
    if (item.kind !== 'posting') tokens.add(item.tokenId);
    else {
      if (item.reference !== null) references.push({ kind: item.posting, reference: item.reference });
      if (item.guard !== null) guards.push(item.guard);
    }
  }
  tokens.delete(0);
  return { users, charged, tokens, references, guards };
}
