/** What a verification of the books says (docs/rules/ledger.md#ledger-verify). */
import { expect, it } from 'vitest';
import { verifyLedger } from '../../../src/core/billing/verify.ts';

type Books = Parameters<typeof verifyLedger>[0];

/** Books without a fault, but for what is given. */
function books(more: Readonly<Record<string, unknown>> = {}): Books {
  const found = async (name: string) => more[name] ?? [];
  const end = { start: 's', lastId: more['lastId'] ?? 0, link: 's' };
  return {
    users: { count: async () => 3 },
    ledger: {
      verify: () => found('wallets'),
      verifyTokens: () => found('tokens'),
      verifyTokenUse: () => found('usages'),
      sumByKind: () => found('kinds'),
    },
    statements: { verify: () => found('statements') },
    budgets: { verify: () => found('windows') },
    chains: { end: async () => end, segments: async () => [], rows: async () => [] },
  } as unknown as Books;
}

it('adds up all postings', async () => {
  const kinds = [
    { kind: 'grant', count: 2, amount: 900n },
    { kind: 'charge', count: 5, amount: -40n },
  ];
  expect(await verifyLedger(books({ kinds }), { staleHolds: 4 })).toEqual({
    ok: true,
    users: 3,
    postings: 7,
    sum: 860,
    staleHolds: 4,
    chain: { linked: 0, earlier: 0, notedAt: null, breaks: [] },
    drifts: [],
  });
  expect((await verifyLedger(books())).staleHolds).toBe(0);
});

const whose = { owner: 'group', ownerId: 'default', each: 'user' };
const budget = { ...whose, budgetId: 9, name: 'team', spent: 3n, charged: 5n };
it.each([
  [
    { wallets: [{ userId: 1, username: 'ann', quota: 7n, posted: 9n }] },
    { account: 'user', id: 1, name: 'ann', expected: 9, actual: 7, drift: -2 },
  ],
  [
    { tokens: [{ tokenId: 2, name: 'key', granted: 8n, posted: 5n }] },
    { account: 'token', id: 2, name: 'key', expected: 5, actual: 8, drift: 3 },
  ],
  [
    { usages: [{ tokenId: 2, name: 'key', used: 1n, posted: 0n }] },
    { account: 'token_used', id: 2, name: 'key', expected: 0, actual: 1, drift: 1 },
  ],
  [
    {
      statements: [
        { userId: 1, username: 'ann', month: 202609, figure: 'closing', stored: 4n, posted: 6n },
      ],
    },
    { account: 'statement', id: 1, name: 'ann 2026-09 closing', expected: 6, actual: 4, drift: -2 },
  ],
  [
    { windows: [{ ...budget, subject: '' }] },
    { account: 'budget', id: 9, name: 'team', expected: 5, actual: 3, drift: -2 },
  ],
  [
    { windows: [{ ...budget, subject: 'ann' }] },
    { account: 'budget', id: 9, name: 'team ann', expected: 5, actual: 3, drift: -2 },
  ],
  [
    { windows: [{ ...budget, each: 'token', subject: '-12' }] },
    { account: 'budget', id: 9, name: 'team playground of #12', expected: 5, actual: 3, drift: -2 },
  ],
])('names what does not agree with the postings: %o', async (found, drift) => {
  expect(await verifyLedger(books(found))).toMatchObject({ ok: false, drifts: [drift] });
});

it('is not fine where the chain is broken', async () => {
  expect(await verifyLedger(books({ lastId: 1 }))).toMatchObject({ ok: false, drifts: [] });
});
