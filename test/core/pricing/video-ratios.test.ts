import { describe, expect, it } from 'vitest';
import { multiply, toText } from '../../../src/core/kernel/decimal.ts';
import { buildVideoRatios, videoRatios } from '../../../src/core/pricing/video-ratios.ts';

const table = buildVideoRatios({
  'wan2.5-t2v-preview': { '480P': 1, '720p': 2, '1080P': 3.3333333333333335 },
  'wan2.6*': { '720P': 1, '1080P': 1.5 },
  'wan*': { '720P': 4 },
});

describe('VideoRatios', () => {
  it.each([
    ['wan2.5-t2v-preview', 10, '720P', '20'],
    ['wan2.5-t2v-preview', 5, '1080P', '16.6666666666666675'],
    ['wan2.6-i2v-flash', 8, '1080P', '12'],
    ['wan2.2-t2v-plus', 5, '720P', '20'],
    // A resolution that is not listed has ratio 1.
    ['wan2.2-t2v-plus', 5, '1080P', '5'],
  ])('%s: %i seconds of %s are %s times the price', (model, seconds, resolution, factor) => {
    const ratios = videoRatios(model, { seconds, resolution }, table);
    expect(toText(Object.values(ratios ?? {}).reduce(multiply))).toBe(factor);
  });

  it('a model without an entry has its price per video', () => {
    expect(videoRatios('my-video', { seconds: 10, resolution: '1080P' }, table)).toBeUndefined();
  });
});
