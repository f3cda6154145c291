import { describe, expect, it } from 'vitest';
import {
  durationTone,
  firstTokenTone,
  ratioTone,
  responseText,
  responseTone,
} from '../../../src/ui/components/measured-tone.ts';

describe('colours of measured values, at the seeds’ limits', () => {
  it.each([
    [0, 'off'],
    [1000, 'ok'],
    [1001, 'lime'],
    [3000, 'lime'],
    [3001, 'yel'],
    [5000, 'yel'],
    [5001, 'red'],
  ])('response of %i ms: %s', (milliseconds, tone) =>
    expect(responseTone(milliseconds)).toBe(tone),
  );

  it.each([
    [100, 'ok'],
    [101, 'org'],
    [299, 'org'],
    [300, 'red'],
  ])('duration of %i s: %s', (seconds, tone) => expect(durationTone(seconds)).toBe(tone));

  it.each([
    [2.99, 'ok'],
    [3, 'org'],
    [10, 'red'],
  ])('first token after %d s: %s', (seconds, tone) => expect(firstTokenTone(seconds)).toBe(tone));

  it.each([
    [1, 'ok'],
    [1.5, 'blu'],
    [3, 'blu'],
    [3.5, 'org'],
    [5, 'org'],
    [5.1, 'red'],
  ])('ratio %d: %s', (ratio, tone) => expect(ratioTone(ratio)).toBe(tone));
});

it('writes response times with two decimals', () => {
  expect([620, 3000, 12_345].map(responseText)).toEqual(['0.62 s', '3.00 s', '12.35 s']);
});
