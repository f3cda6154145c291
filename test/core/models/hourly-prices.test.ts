// Covers src/core/models/sources/hourly-price.ts
import { describe, expect, it } from 'vitest';
import { readModelList } from '../../../src/core/models/sources/read-list.ts';

const read = (value: unknown) => readModelList(JSON.stringify(value), '2026-11-28');

describe('prices by the hour', () => {
  const workdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
  const double = { prompt: '0.000002', completion: '0.000008', input_cache_read: '0.0000002' };
  const half = { prompt: '0.0000005', completion: '0.000002', input_cache_read: '0.00000005' };
  const found = (overrides: readonly object[], base = {}) => {
    const pricing = {
      prompt: '0.000001',
      completion: '0.000004',
      input_cache_read: '0.0000001',
      ...base,
      overrides,
    };
    const [model] = read({ data: [{ id: 'a/m', pricing }] })?.models ?? [];
    return model?.price ?? model?.unread;
  };

  it('of OpenRouter are those of the peak, with its hours', () => {
    const times = [
      { utc_start: 100, utc_end: 400, utc_days: workdays, ...double },
      { utc_start: 600, utc_end: 1030, utc_days: workdays, ...double },
    ];
    const peakHours = [
      { days: [1, 2, 3, 4, 5], from: 60, to: 240 },
      { days: [1, 2, 3, 4, 5], from: 360, to: 630 },
    ];
    const peak = { input: 2, output: 8, cacheRead: 0.2 };
    expect(found(times)).toEqual({ ...peak, factors: { offpeak: 0.5 }, peakHours });
    // Steps hold at all hours, if they do by the same factors.
    const long = { min_prompt_tokens: 128_000 };
    const steps = [
      { ...long, prompt: '0.000002', completion: '0.000008', input_cache_read: '0.0000002' },
      ...times.map((one) => ({
        ...one,
        ...long,
        prompt: '0.000004',
        completion: '0.000016',
        input_cache_read: '0.0000004',
      })),
    ];
    expect(found([...times, ...steps])).toMatchObject({
      ...peak,
      peakHours,
      steps: [{ above: 128_000, input: 2, output: 2 }],
    });
  });

  it('that are lower at night, past midnight, are the others', () => {
    expect(found([{ utc_start: 1630, utc_end: 30, ...half }])).toEqual({
      input: 1,
      output: 4,
      cacheRead: 0.1,
      factors: { offpeak: 0.5 },
      peakHours: [{ days: [0, 1, 2, 3, 4, 5, 6], from: 30, to: 990 }],
    });
    expect(found([{ utc_days: ['sunday'], ...half }])).toMatchObject({
      peakHours: [{ days: [1, 2, 3, 4, 5, 6], from: 0, to: 1440 }],
    });
  });

  it.each([
    ['only input', [{ utc_start: 0, utc_end: 800, prompt: '0.000002' }]],
    [
      'three prices',
      [
        { utc_end: 800, ...double },
        { utc_start: 2000, ...half },
      ],
    ],
    ['nothing at night', [{ utc_end: 800, prompt: '0', completion: '0', input_cache_read: '0' }]],
    ['a step at one hour', [{ utc_end: 800, min_prompt_tokens: 1000, ...double }]],
  ])('are not read, and named: %s', (_what, overrides) => {
    expect(found(overrides)).toBe('request');
  });

  it('of LiteLLM have the days of their zone', () => {
    const off = { input_cost_per_token: 6.6e-7, output_cost_per_token: 1.98e-6 };
    const windows = [
      { hours_utc: ['00:00-01:00', '04:00-06:00', '10:00-00:00'], weekdays: [1, 2, 3, 4, 5] },
      { hours_utc: '00:00-00:00', weekdays: [6, 7] },
    ];
    const price = (off_peak_pricing: object) =>
      read({
        'deepseek/deepseek-v4-pro': {
          litellm_provider: 'deepseek',
          mode: 'chat',
          off_peak_pricing,
          input_cost_per_token: 1.32e-6,
          output_cost_per_token: 3.96e-6,
        },
      })?.models[0];
    const workdays = [1, 2, 3, 4, 5];
    const listed = {
      input: 1.32,
      output: 3.96,
      factors: { offpeak: 0.5 },
      peakHours: [
        { days: workdays, from: 60, to: 240 },
        { days: workdays, from: 360, to: 600 },
      ],
    };
    expect(price({ ...off, windows })?.price).toEqual(listed);
    const shanghai = { ...off, windows, weekday_timezone: 'Asia/Shanghai' };
    expect(price(shanghai)?.price).toEqual(listed);
    // Sunday 20:00 in UTC is Monday there.
    const sunday = { ...shanghai, windows: [{ hours_utc: '00:00-00:00', weekdays: [7] }] };
    expect(price(sunday)?.price?.peakHours).toEqual([
      { days: [0], from: 960, to: 1440 },
      { days: [1, 2, 3, 4, 5], from: 0, to: 1440 },
      { days: [6], from: 0, to: 960 },
    ]);
    expect(price({ ...off, windows: [{ hours_utc: 'at night' }] })?.unread).toBe('request');
    expect(price({ ...shanghai, weekday_timezone: 'Europe/Berlin' })?.unread).toBe('request');
  });
});
