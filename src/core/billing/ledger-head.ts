/**
 * The newest links of a site's chains, as they are noted beside the journal and sealed elsewhere
 * (docs/rules/ledger.md#newest-link).
 */

import { ledgerHead } from '../contract/ledger.ts';
import type { z } from '../kernel/zod.ts';
import { afterSegment } from '../storage/ledger/chain.ts';
import type { Storage } from '../storage/storage.ts';
import { type LinkedTable, linkedTables } from '../vocabulary/ledger-chain.ts';
import type { ChainBreak } from './ledger.ts';

type Chains = Storage['chains'];

export type LedgerHead = Readonly<z.infer<typeof ledgerHead>>;
type ChainPoint = LedgerHead[LinkedTable];

/** From JSON; undefined: it is something else. */
export const readHeadFrom = (value: unknown): LedgerHead | undefined =>
  ledgerHead.safeParse(value).data;

/** Whether the chains have not grown since. */
export const isSamePlace = (a: LedgerHead, b: LedgerHead): boolean =>
  linkedTables.every(
    (table) =>
      a[table].id === b[table].id &&
      a[table].link === b[table].link &&
      a[table].start === b[table].start,
  );

export async function readHead(chains: Chains, at: number): Promise<LedgerHead> {
  const point = async (table: LinkedTable): Promise<ChainPoint> => {
    const { start, lastId: id, link } = await chains.end(table);
    return { start, id, link };
  };
  return { at, ledger: await point('ledger'), token_allowances: await point('token_allowances') };
}

/** A break that a head shows, and when that was the newest. */
export interface SealBreak extends ChainBreak {
  readonly at: number;
}

/** Where the chains are not as they were at these times: rows are changed, or missing. */
export async function findUnsealed(
  chains: Chains,
  heads: readonly LedgerHead[],
): Promise<readonly SealBreak[]> {
  const breaks: SealBreak[] = [];
  for (const table of linkedTables) {
    const linkAfter = await createLookup(chains, table);
    for (const { at, [table]: point } of heads) {
      const { start, id, link } = point;
      const found = await linkAfter(start, id);
      if (found !== link)
        breaks.push({
          table,
          reason: found === 'foreign' ? 'foreign' : 'unsealed',
          id,
          until: id,
          at,
        });
    }
  }
  return breaks;
}

/** Finds the link that the row after another one follows; undefined: there is no such row. */
async function createLookup(chains: Chains, table: LinkedTable) {
  const end = await chains.end(table);
  const segments = await chains.segments(table);
  const earlierId = segments.at(-1)?.lastId ?? 0;
  const earlierLink = segments.reduce((link, { digest }) => afterSegment(link, digest), end.start);
  return async (start: string, id: number): Promise<string | null | undefined> => {
    if (start !== end.start) return 'foreign';
    return id === earlierId ? earlierLink : chains.linkAt(table, id);
  };
}
