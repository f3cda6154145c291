/** Books in which nothing was posted, and nothing is wrong. */
import { toQuota } from '../../../src/core/kernel/quota.ts';

const point = { start: 's', id: 0, link: 's' };
/** The newest links of these books, as they were noted at a time. */
export const headOf = (at: number) => ({ at, ledger: point, token_allowances: point });

const none = async () => [];
export const soundBooks = {
  users: { find: async () => ({ quota: toQuota(1000) }), count: async () => 1 },
  ledger: { verify: none, verifyTokens: none, verifyTokenUse: none, sumByKind: none },
  statements: { verify: none },
  budgets: { verify: none },
  chains: {
    end: async () => ({ start: 's', lastId: 0, link: 's' }),
    segments: none,
    rows: none,
    linkAt: async () => 's',
  },
};
