/**
 * The chain of rows that are only ever appended (docs/rules/ledger.md#chain): each carries a link,
 * a hash over itself and all rows before it. Rows that are committed together are a group. The
 * definition is stored in every row, so it never changes.
 */
import { hash } from 'node:crypto';
import type { LinkedTable } from '../../vocabulary/ledger-chain.ts';
import { storableText } from '../storable-text.ts';
import type { PlannedAllowance, PlannedPosting } from './plan.ts';

/** 144 bits of a SHA-256: 24 characters of base64, without padding. */
const linkLength = 24;
const digestOf = (text: string): string => hash('sha256', text, 'base64').slice(0, linkLength);

/**
 * What is known of a group without the rows before it: a hash over its rows up to this one.
 * `prefix`: that of the row before; '': none.
 */
export const nextPrefix = (prefix: string, text: string): string =>
  digestOf(`${prefix} ${storableText(text)}`);

/** The link of the first row of a group begins with it. */
const groupMark = '.';

/**
 * A row's link. `base`: the link of the last row of the group before. PostgreSQL computes the same:
 * {@link linkSql}.
 */
const linkOf = (base: string, prefix: string, id: number, isFirst: boolean): string =>
  `${isFirst ? groupMark : ''}${digestOf(`${base} ${prefix} ${id}`)}`;

/**
 * {@link linkOf} on PostgreSQL; the arguments are SQL. `place`: 0 for the first row of the group.
 */
export const linkSql = (base: string, prefix: string, id: string, place: string): string =>
  `CASE WHEN ${place} = 0 THEN '${groupMark}' ELSE '' END ||
    substr(encode(sha256(convert_to(${base} || ' ' || ${prefix} || ' ' || ${id}, 'UTF8')), 'base64'), 1, ${linkLength})`;

/** What a link covers of a posting. {@link rowText} has the same for a stored row. */
export function postingText({
  userId,
  tokenId,
  kind,
  amount,
  balanceAfter,
  at,
  reference,
}: PlannedPosting): string {
  return `${userId} ${tokenId ?? '-'} ${kind} ${amount} ${balanceAfter} ${at} ${reference === null ? '-' : `=${reference}`}`;
}

/** What a link covers of a change of an allowance. */
export function allowanceText({
  tokenId,
  amount,
  used,
  remainAfter,
  at,
}: PlannedAllowance): string {
  return `${tokenId} ${amount} ${used} ${remainAfter} ${at}`;
}

/** SQL for the text of a stored row, on both engines. */
export const rowText: Readonly<Record<LinkedTable, string>> = {
  ledger: `user_id || ' ' || coalesce(cast(token_id AS text), '-') || ' ' || kind || ' ' || amount || ' ' || balance_after || ' ' ||
    created_at || ' ' || coalesce('=' || reference, '-')`,
  token_allowances: `token_id || ' ' || amount || ' ' || used || ' ' || remain_after || ' ' || created_at`,
};

/**
 * Links rows that are committed together, in their order. `base`: the link of the last row before
 * them.
 */
export function linkGroup(
  base: string,
  rows: readonly { readonly id: number; readonly text: string }[],
): string[] {
  let prefix = '';
  return rows.map(({ id, text }, place) => {
    prefix = nextPrefix(prefix, text);
    return linkOf(base, prefix, id, place === 0);
  });
}

/**
 * The hash over a segment: rows without links of their own, which are hashed as a whole. `digest`:
 * that of its rows so far; ''.
 */
export const nextDigest = (digest: string, id: number, text: string): string =>
  nextPrefix(digest, `${id} ${text}`);

/** What the row or the segment after a segment follows. `link`: what the segment follows. */
export const afterSegment = (link: string, digest: string): string => digestOf(`${link} ${digest}`);

/** Follows a chain, row by row. */
export class ChainWalk {
  #base = '';
  #prefix = '';
  #link: string;

  /** `link`: what the first row follows. */
  constructor(link: string) {
    this.#link = link;
  }

  /** The link of the last row that followed. */
  get link(): string {
    return this.#link;
  }

  /** Whether the row follows the last one. */
  follow({
    id,
    text,
    link,
  }: {
    readonly id: number;
    readonly text: string;
    readonly link: string;
  }): boolean {
    const isFirst = link.startsWith(groupMark);
    if (isFirst) this.#base = this.#link;
    this.#prefix = nextPrefix(isFirst ? '' : this.#prefix, text);
    this.#link = link;
    return linkOf(this.#base, this.#prefix, id, isFirst) === link;
  }
}
