import { expect, it } from 'vitest';
import { emptyDay } from '../../../src/ui/hooks/empty-day.ts';

it('names the weekday on which a balance is empty, from a week on the date', () => {
  const saturday = new Date(2026, 10, 28, 23, 30);
  expect(emptyDay(0, saturday)).toBe('星期六');
  expect(emptyDay(5, saturday)).toBe('星期四');
  expect(emptyDay(7, saturday)).toBe('2026-12-05');
});
