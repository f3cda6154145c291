/** Which row of a chain was changed, added or removed (docs/rules/ledger.md#chain). */
import { describe, expect, it } from 'vitest';
import { verifyChains } from '../../../src/core/billing/verify-chain.ts';
import { afterSegment, linkGroup, nextDigest } from '../../../src/core/storage/ledger/chain.ts';
import type { ChainSegment, LinkedRow, Storage } from '../../../src/core/storage/storage.ts';
import type { linkedTables } from '../../../src/core/vocabulary/ledger-chain.ts';

type Table = (typeof linkedTables)[number];
interface Chain {
  rows: LinkedRow[];
  segments: ChainSegment[];
  end: { start: string; lastId: number; link: string };
}

const textOf = (id: number) => `row ${id}`;

/** `earlier` rows from before the chain in segments, then groups of so many rows. */
function makeChain(earlier: readonly number[], groups: readonly number[]): Chain {
  const rows: LinkedRow[] = [];
  const segments: ChainSegment[] = [];
  let link = 'start';
  const nextIds = (count: number) => Array.from({ length: count }, (_, i) => rows.length + i + 1);
  for (const count of earlier) {
    const ids = nextIds(count);
    const digest = ids.reduce((so, id) => nextDigest(so, id, textOf(id)), '');
    segments.push({ firstId: ids[0] ?? 0, lastId: ids.at(-1) ?? 0, count, digest });
    rows.push(...ids.map((id) => ({ id, text: textOf(id), link: null })));
    link = afterSegment(link, digest);
  }
  for (const count of groups) {
    const group = nextIds(count).map((id) => ({ id, text: textOf(id) }));
    const links = linkGroup(link, group);
    rows.push(...group.map((row, place) => ({ ...row, link: links[place] ?? '' })));
    link = links.at(-1) ?? link;
  }
  return { rows, segments, end: { start: 'start', lastId: rows.length, link } };
}

function chainsOf(ledger: Chain, allowances = makeChain([], [])): Storage['chains'] {
  const tables: Record<Table, Chain> = { ledger, token_allowances: allowances };
  return {
    end: async (table: Table) => tables[table].end,
    segments: async (table: Table) => tables[table].segments,
    rows: async (table: Table, after: number, limit: number) =>
      tables[table].rows.filter(({ id }) => id > after).slice(0, limit),
    linkAt: async (table: Table, id: number) =>
      id === 0 ? tables[table].end.start : tables[table].rows.find((row) => row.id === id)?.link,
  } as unknown as Storage['chains'];
}

const breaksOf = async (chain: Chain) =>
  (await verifyChains(chainsOf(chain), undefined)).breaks.map(({ table, ...one }) => {
    expect(table).toBe('ledger');
    return one;
  });

/** Three rows in one segment, two in another, then five with links in three groups. */
const sample = () => makeChain([3, 2], [2, 1, 2]);
const edit = (chain: Chain, id: number, change: Partial<LinkedRow>) => {
  chain.rows = chain.rows.map((row) => (row.id === id ? { ...row, ...change } : row));
};
const remove = (chain: Chain, ...gone: readonly number[]) => {
  chain.rows = chain.rows.filter(({ id }) => !gone.includes(id));
};

it('counts the postings that it followed, and those from before; allowances are not postings', async () => {
  const found = await verifyChains(chainsOf(sample(), makeChain([4], [1])), undefined);
  expect(found).toEqual({ linked: 5, earlier: 5, notedAt: null, breaks: [] });
});

it('follows more rows than are read at once, also in a segment', async () => {
  const chain = makeChain([1000, 1001], [999, 1001, 500]);
  const found = await verifyChains(chainsOf(chain), undefined);
  expect(found).toEqual({ linked: 2500, earlier: 2001, notedAt: null, breaks: [] });
  edit(chain, 2001, { text: 'changed' });
  edit(chain, 4500, { text: 'changed' });
  expect(await breaksOf(chain)).toEqual([
    { reason: 'earlier', id: 1001, until: 2001 },
    { reason: 'changed', id: 4500, until: 4500 },
  ]);
});

it('names the table', async () => {
  const allowances = makeChain([], [2]);
  edit(allowances, 1, { text: 'changed' });
  const { breaks } = await verifyChains(chainsOf(sample(), allowances), undefined);
  expect(breaks).toEqual([{ table: 'token_allowances', reason: 'changed', id: 1, until: 1 }]);
});

describe('a row from before the chain', () => {
  const first = { reason: 'earlier', id: 1, until: 3 };
  const second = { reason: 'earlier', id: 4, until: 5 };
  it.each<[string, (chain: Chain) => void, object[]]>([
    ['changed', (chain) => edit(chain, 2, { text: 'changed' }), [first]],
    ['changed in the last place', (chain) => edit(chain, 3, { text: 'changed' }), [first]],
    ['removed', (chain) => remove(chain, 2), [first]],
    ['removed from the second segment', (chain) => remove(chain, 5), [second]],
    ['all removed', (chain) => remove(chain, 1, 2, 3, 4, 5), [first, second]],
  ])('%s', async (_, change, breaks) => {
    const chain = sample();
    change(chain);
    expect(await breaksOf(chain)).toEqual(breaks);
  });

  it('a segment with another number of rows than was noted', async () => {
    const chain = sample();
    chain.segments = chain.segments.map((segment) => ({ ...segment, count: segment.count + 1 }));
    expect(await breaksOf(chain)).toEqual([first, second]);
  });
});

describe('a row of the chain', () => {
  it.each<[string, (chain: Chain) => void, object]>([
    ['changed', (chain) => edit(chain, 7, { text: 'changed' }), { reason: 'changed', id: 7 }],
    ['with another link', (chain) => edit(chain, 8, { link: '.x' }), { reason: 'changed', id: 8 }],
    ['without a link', (chain) => edit(chain, 8, { link: null }), { reason: 'unlinked', id: 8 }],
    ['removed', (chain) => remove(chain, 7), { reason: 'changed', id: 8 }],
    [
      'that another program added',
      (chain) => chain.rows.push({ id: 11, text: 'x', link: null }),
      {
        reason: 'unlinked',
        id: 11,
      },
    ],
    [
      'removed at the end',
      (chain) => remove(chain, 9, 10),
      {
        reason: 'missing',
        id: 9,
        until: 10,
      },
    ],
    [
      'all removed',
      (chain) => remove(chain, 6, 7, 8, 9, 10),
      {
        reason: 'missing',
        id: 6,
        until: 10,
      },
    ],
    [
      'removed with the end of the chain set back',
      (chain) => {
        remove(chain, 10);
        chain.end.lastId = 9;
      },
      { reason: 'changed', id: 9 },
    ],
    [
      'added with the end of the chain as it was',
      (chain) => {
        chain.end = { ...chain.end, lastId: 9, link: chain.rows[8]?.link ?? '' };
      },
      { reason: 'changed', id: 10 },
    ],
    [
      'other than the end of the chain says',
      (chain) => {
        chain.end.link = 'x';
      },
      { reason: 'changed', id: 10 },
    ],
  ])('%s', async (_, change, found) => {
    const chain = sample();
    change(chain);
    const { id } = found as { id: number };
    expect(await breaksOf(chain)).toEqual([{ until: id, ...found }]);
  });

  it('written while the chain is followed belongs to it', async () => {
    const whole = sample();
    const chain = { ...whole, rows: whole.rows.slice(0, 8) };
    const chains = chainsOf(chain);
    let ends = 0;
    const growing: typeof chains = {
      ...chains,
      end: async (table) => {
        // The last two are committed after the rows were read, and before the end is.
        if (table === 'ledger' && ends++ === 1) chain.rows = whole.rows;
        return chains.end(table);
      },
    };
    expect(await verifyChains(growing, undefined)).toMatchObject({ linked: 5, breaks: [] });
    expect(ends).toBe(3);
  });
});

it('rows from before the chain are read once', async () => {
  const chains = chainsOf(
    makeChain(
      Array.from({ length: 10 }, () => 1500),
      [],
    ),
  );
  let reads = 0;
  const counting: typeof chains = {
    ...chains,
    rows: async (...page) => {
      reads += 1;
      return chains.rows(...page);
    },
  };
  expect(await verifyChains(counting, undefined)).toMatchObject({ earlier: 15_000, breaks: [] });
  // Of each segment two pages and the one that is read ahead; of each table the empty page at its end.
  expect(reads).toBeLessThanOrEqual(32);
});

describe('what was noted elsewhere', () => {
  const head = (link: string) => ({
    at: 77,
    ledger: { start: 'start', id: 8, link },
    token_allowances: { start: 'start', id: 0, link: 'start' },
  });
  it('fits, or the row is not what it was', async () => {
    const chain = sample();
    const link = chain.rows[7]?.link ?? '';
    expect(await verifyChains(chainsOf(chain), head(link))).toMatchObject({
      notedAt: 77,
      breaks: [],
    });
    expect((await verifyChains(chainsOf(chain), head('other'))).breaks).toEqual([
      { table: 'ledger', reason: 'unsealed', id: 8, until: 8 },
    ]);
  });
});
