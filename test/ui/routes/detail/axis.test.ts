import { describe, expect, it } from 'vitest';
import { axisOf } from '../../../../src/ui/routes/detail/axis.ts';

describe('the ticks of a chart', () => {
  it.each([
    [0, [0, 1], 0],
    [0.33, [0, 0.1, 0.2, 0.3, 0.4], 1],
    [0.2, [0, 0.05, 0.1, 0.15, 0.2], 2],
    [1, [0, 0.5, 1], 1],
    [3.7, [0, 1, 2, 3, 4], 0],
    [40, [0, 10, 20, 30, 40], 0],
    [41, [0, 20, 40, 60], 0],
    [0.000_07, [0, 0.000_02, 0.000_04, 0.000_06, 0.000_08], 5],
  ])('for values up to %d are %j', (largest, ticks, places) => {
    expect(axisOf(largest, false)).toEqual({ ticks, top: ticks.at(-1), places });
  });

  it('of integers are integers', () => {
    expect(axisOf(2, true).ticks).toEqual([0, 1, 2]);
    expect(axisOf(16_789, true).ticks).toEqual([0, 5000, 10_000, 15_000, 20_000]);
  });

  it('reach the largest value in four steps at most, and no two of them read the same', () => {
    for (let largest = 0.000_002; largest < 1e9; largest *= 1.37) {
      const { ticks, top, places } = axisOf(largest, false);
      expect(top).toBeGreaterThanOrEqual(largest * (1 - 1e-9));
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(new Set(ticks.map((tick) => tick.toFixed(places))).size).toBe(ticks.length);
      for (const tick of ticks) expect(Number(tick.toFixed(places))).toBe(tick);
    }
  });
});
