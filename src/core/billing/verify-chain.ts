/** Follows the chains of postings and allowances (docs/rules/ledger.md#chain). */
import { afterSegment, ChainWalk, nextDigest } from '../storage/ledger/chain.ts';
import type { ChainSegment, LinkedRow, Storage } from '../storage/storage.ts';
import { type LinkedTable, linkedTables } from '../vocabulary/ledger-chain.ts';
import type { ChainBreak, ChainVerification } from './ledger.ts';
import { findUnsealed, type LedgerHead } from './ledger-head.ts';

type Chains = Storage['chains'];

/** Rows read and hashed at once: other work of the process waits for as long. */
const rowsAtOnce = 1000;

/** `noted`: what this process knows of the newest links from elsewhere. */
export async function verifyChains(
  chains: Chains,
  noted: LedgerHead | undefined,
): Promise<ChainVerification> {
  const breaks: ChainBreak[] = [];
  const counts = { linked: 0, earlier: 0 };
  for (const table of linkedTables) {
    const found = await verifyTable(chains, table);
    if (table === 'ledger') Object.assign(counts, { linked: found.linked, earlier: found.earlier });
    breaks.push(...found.breaks.map((one) => ({ table, ...one })));
  }
  if (noted !== undefined) {
    for (const { at: _, ...one } of await findUnsealed(chains, [noted])) breaks.push(one);
  }
  return { ...counts, notedAt: noted?.at ?? null, breaks };
}

type Break = Omit<ChainBreak, 'table'>;

async function verifyTable(chains: Chains, table: LinkedTable) {
  const { start } = await chains.end(table);
  const segments = await chains.segments(table);
  const breaks: Break[] = [];
  let link = start;
  let last = 0;
  let earlier = 0;
  for (const segment of segments) {
    if (!(await isWhole(chains, table, segment, last))) {
      breaks.push({ reason: 'earlier', id: segment.firstId, until: segment.lastId });
    }
    link = afterSegment(link, segment.digest);
    last = segment.lastId;
    earlier += segment.count;
  }
  const { linked, broken } = await follow(chains, table, new ChainWalk(link), last);
  if (broken !== undefined) breaks.push(broken);
  return { linked, earlier, breaks };
}

/**
 * Whether the rows of a segment are those that were there when it was hashed. `after`: the last row
 * before it.
 */
async function isWhole(
  chains: Chains,
  table: LinkedTable,
  segment: ChainSegment,
  after: number,
): Promise<boolean> {
  let digest = '';
  let count = 0;
  for await (const page of pagesAfter(chains, table, after)) {
    const rows = page.filter(({ id }) => id <= segment.lastId);
    digest = rows.reduce((so, { id, text }) => nextDigest(so, id, text), digest);
    count += rows.length;
    if (rows.length < page.length || page.at(-1)?.id === segment.lastId) break;
  }
  return count === segment.count && digest === segment.digest;
}

/**
 * Follows the rows after an id to the end of the chain, also those that are written meanwhile. Ends
 * at the first break.
 */
async function follow(
  chains: Chains,
  table: LinkedTable,
  walk: ChainWalk,
  after: number,
): Promise<{ readonly linked: number; readonly broken?: Break }> {
  let linked = 0;
  let last = after;
  for (;;) {
    for await (const page of pagesAfter(chains, table, last)) {
      for (const { id, text, link } of page) {
        if (link === null) return { linked, broken: { reason: 'unlinked', id, until: id } };
        if (!walk.follow({ id, text, link }))
          return { linked, broken: { reason: 'changed', id, until: id } };
        linked += 1;
        last = id;
      }
    }
    const end = await chains.end(table);
    if (end.lastId === last && end.link === walk.link) return { linked };
    if (end.lastId <= last) return { linked, broken: { reason: 'changed', id: last, until: last } };
    // They may have been written since the rows were read.
    if ((await chains.rows(table, last, 1)).length === 0) {
      return { linked, broken: { reason: 'missing', id: last + 1, until: end.lastId } };
    }
  }
}

/** The rows after an id; while a page is hashed, the next one is read. */
async function* pagesAfter(
  chains: Chains,
  table: LinkedTable,
  after: number,
): AsyncGenerator<readonly LinkedRow[]> {
  let page = await chains.rows(table, after, rowsAtOnce);
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    const next = chains.rows(table, last.id, rowsAtOnce);
    next.catch(() => {}); // nobody may wait for it
    yield page;
    page = await next;
  }
}
