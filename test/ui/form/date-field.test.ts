import { expect, it } from 'vitest';
import { fieldOfTime, timeOfField } from '../../../src/ui/form/date-field.ts';

// Chrome reports each digit of a year: the field must be given back what was typed, or it is
// emptied.
it('keeps a time while its year is typed digit by digit', () => {
  for (const year of ['0002', '0020', '0202', '2026']) {
    const typed = `${year}-11-30T10:00:05`;
    expect(fieldOfTime(timeOfField(typed))).toBe(typed);
  }
});

it('is empty for never and for what is no time', () => {
  expect(fieldOfTime(-1)).toBe('');
  expect(fieldOfTime(Number.NaN)).toBe('');
  expect(timeOfField('')).toBe(-1);
  expect(timeOfField('10:00')).toBeNaN();
});
