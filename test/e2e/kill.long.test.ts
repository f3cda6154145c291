import { expect, it } from 'vitest';
import { killUnderLoad } from '../support/kill-rounds.ts';

const nothingLost = { unbilled: 0, lost: 0, drifted: 0, uncounted: 0, missing: [], unlocked: 0 };

it('survives kill -9 under load, five times', async () => {
  const report = await killUnderLoad(5);
  expect(report).toMatchObject({ rounds: 5, ...nothingLost });
  expect(report.finished).toBeGreaterThan(50);
  expect(report.granted).toBeGreaterThan(1);
}, 180_000);

it('loses nothing by kill -9 after other programs have opened and closed the database', async () => {
  const report = await killUnderLoad(2, true);
  expect(report).toMatchObject({ rounds: 2, ...nothingLost });
  expect(report.visits).toBeGreaterThanOrEqual(4);
  expect(report.added).toBeGreaterThan(3);
}, 180_000);
