import { expect, it } from 'vitest';
import { killUnderLoad } from '../support/kill-rounds.ts';

it('survives kill -9 under load, ten times', async () => {
  const report = await killUnderLoad(10);
  expect(report).toMatchObject({ rounds: 10, unbilled: 0, lost: 0, drifted: 0, uncounted: 0 });
  expect(report.finished).toBeGreaterThan(100);
  expect(report.granted).toBeGreaterThan(3);
}, 180_000);
