import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  afterSegment,
  allowanceText,
  ChainWalk,
  linkGroup,
  nextDigest,
  nextPrefix,
  postingText,
} from '../../../../src/core/storage/ledger/chain.ts';

/** The definition, written a second time: it stands in every row that was ever written. */
const digest = (text: string) => createHash('sha256').update(text).digest('base64').slice(0, 24);

const posting = {
  userId: 1,
  tokenId: 5,
  kind: 'charge',
  amount: -30,
  balanceAfter: 70,
  at: 20,
  reference: 'r30',
};

describe('the text of a row', () => {
  it('has all that a link covers', () => {
    expect(postingText(posting)).toBe('1 5 charge -30 70 20 =r30');
    expect(postingText({ ...posting, tokenId: null, reference: null })).toBe(
      '1 - charge -30 70 20 -',
    );
    expect(postingText({ ...posting, tokenId: 0, reference: '' })).toBe('1 0 charge -30 70 20 =');
    const allowance = { tokenId: 5, amount: -20n, used: 0, remainAfter: 50, at: 30 };
    expect(allowanceText(allowance)).toBe('5 -20 0 50 30');
  });
});

const rows = [
  { id: 7, text: 'a' },
  { id: 8, text: 'b' },
  { id: 9, text: 'c' },
];

describe('links', () => {
  it('are hashes over the group before, the rows so far and the id', () => {
    const a = digest(' a');
    const b = digest(`${a} b`);
    expect(linkGroup('base', rows.slice(0, 2))).toEqual([
      `.${digest(`base ${a} 7`)}`,
      digest(`base ${b} 8`),
    ]);
    expect(nextPrefix('', 'a')).toBe(a);
    expect(linkGroup('base', [])).toEqual([]);
  });

  it('of segments are hashes over their rows', () => {
    expect(nextDigest('', 7, 'a')).toBe(digest(' 7 a'));
    expect(nextDigest('x', 8, 'b')).toBe(digest('x 8 b'));
    expect(afterSegment('link', 'digest')).toBe(digest('link digest'));
  });
});

describe('a walk', () => {
  const first = linkGroup('start', rows.slice(0, 2));
  const second = linkGroup(String(first[1]), rows.slice(2));
  const linked = rows.map((row, at) => ({ ...row, link: String([...first, ...second][at]) }));
  const follow = (chain: typeof linked, start = 'start') => {
    const walk = new ChainWalk(start);
    return { followed: chain.map((row) => walk.follow(row)), link: walk.link };
  };

  it('follows rows from group to group', () => {
    expect(follow(linked)).toEqual({ followed: [true, true, true], link: second[0] });
    expect(new ChainWalk('start').link).toBe('start');
  });

  it('stops at a row that was changed, added or taken out', () => {
    const changed = linked.map((row, at) => (at === 1 ? { ...row, text: 'x' } : row));
    expect(follow(changed).followed).toEqual([true, false, true]);
    const renumbered = linked.map((row, at) => (at === 2 ? { ...row, id: 10 } : row));
    expect(follow(renumbered).followed).toEqual([true, true, false]);
    expect(follow(linked.slice(1)).followed[0]).toBe(false);
    expect(follow(linked.filter((_, at) => at !== 1)).followed).toEqual([true, false]);
    expect(follow(linked, 'elsewhere').followed[0]).toBe(false);
  });
});
