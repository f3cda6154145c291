import type { Usage } from '../../../../src/ui/routes/detail/use-usage.ts';

/** Two hours of two models; the second hour has nothing of the second one. */
export const usage: Usage = {
  from: 1000,
  to: 87_400,
  by: 'hour',
  starts: [1_795_176_000, 1_795_179_600],
  models: [
    {
      model_name: 'dear',
      quota: 300_000,
      count: 2,
      tokens: 40,
      spans: { quota: [200_000, 100_000], count: [1, 1], tokens: [30, 10] },
    },
    {
      model_name: 'free',
      quota: 0,
      count: 5,
      tokens: 7,
      spans: { quota: [0, 0], count: [5, 0], tokens: [7, 0] },
    },
  ],
  totals: { quota: 300_000, count: 7, tokens: 47 },
  before: { quota: 100_000, count: 1, tokens: 1 },
  outcomes: { succeeded: 997, failed: 3, refused: 20, unlogged: 0 },
  balance: { opening: 900_000, closing: [700_000, -50_000] },
};
