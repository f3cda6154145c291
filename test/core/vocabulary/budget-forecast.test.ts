import { expect, it } from 'vitest';
import { usedUpAt } from '../../../src/core/vocabulary/budget-forecast.ts';

const day = 86_400;
const week = { limit: 700, starts_at: 0, ends_at: 7 * day };

it.each([
  ['what is spent evenly lasts', { ...week, spent: 300 }, 3 * day, undefined],
  ['twice as fast ends in the middle', { ...week, spent: 350 }, 1.75 * day, 3.5 * day],
  ['what ends with its window lasts', { ...week, spent: 100 }, day, undefined],
  ['one request at the beginning is no pace', { ...week, spent: 600 }, 0.3 * day, undefined],
  ['nothing spent has none', { ...week, spent: 0 }, 3 * day, undefined],
  ['what is spent is no forecast', { ...week, spent: 700 }, 3 * day, undefined],
  ['without an end', { ...week, ends_at: 0, spent: 70 }, day, 10 * day],
  ['without an end, in the first minutes', { ...week, ends_at: 0, spent: 70 }, 599, undefined],
  ['in more than a year', { ...week, ends_at: 0, spent: 1 }, day, undefined],
])('%s', (_, window, now, expected) => {
  expect(usedUpAt(window, now)).toBe(expected);
});
