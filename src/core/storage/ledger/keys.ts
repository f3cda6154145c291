import type { Guard } from './guards.ts';
import type { Settlement } from './settlement.ts';

/**
 * The rows that a batch involves: what must be read, and on PostgreSQL locked, before it can be
 * planned.
 */
export interface LedgerKeys {
  readonly users: ReadonlySet<number>;
  /** The users with a charge or a refund: also those that no longer exist are read. */
  readonly charged: ReadonlySet<number>;
  readonly tokens: ReadonlySet<number>;
  readonly references: readonly { readonly kind: string; readonly reference: string }[];
  readonly guards: readonly Guard[];
  /** Windows of budgets. */
  readonly windows: ReadonlySet<number>;
}

export function keysOf(batch: readonly Settlement[]): LedgerKeys {
  const users = new Set<number>();
  const charged = new Set<number>();
  const tokens = new Set<number>();
  const references: { kind: string; reference: string }[] = [];
  const guards: Guard[] = [];
  const windows = new Set<number>();
  for (const item of batch) {
    if (item.kind !== 'allowance') users.add(item.userId);
    if (item.kind === 'charge' || item.kind === 'refund') charged.add(item.userId);
    if (item.kind === 'refund') for (const { tokenId } of item.charges) tokens.add(tokenId);
    else if (item.kind !== 'posting') tokens.add(item.tokenId);
    if (item.kind === 'refund') references.push({ kind: item.kind, reference: item.reference });
    else if (item.kind === 'posting' && item.reference !== null)
      references.push({ kind: item.posting, reference: item.reference });
    for (const window of windowsOf(item)) windows.add(window);
    if ('guard' in item && item.guard) guards.push(item.guard);
  }
  tokens.delete(0);
  return { users, charged, tokens, references, guards, windows };
}

const none: readonly number[] = [];

function windowsOf(item: Settlement): readonly number[] {
  if (item.kind === 'refund') return item.charges.flatMap(({ windows = none }) => windows);
  return item.kind === 'charge' || item.kind === 'release' ? (item.windows ?? none) : none;
}
