import { expect, it } from 'vitest';
import { killUnderLoad } from '../support/kill-rounds.ts';

it('survives kill -9 under load', async () => {
  const report = await killUnderLoad(1, false, 20);
  expect(report).toMatchObject({
    rounds: 1,
    unbilled: 0,
    lost: 0,
    drifted: 0,
    uncounted: 0,
    missing: [],
    unlocked: 0,
  });
  expect(report.finished).toBeGreaterThanOrEqual(20);
});
