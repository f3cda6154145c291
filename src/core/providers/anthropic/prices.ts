import type { VendorPrices } from '../../pricing/rows.ts';

const claude3Sonnet =
  'claude-3-sonnet-20240229 claude-3-5-sonnet-20240620 claude-3-5-sonnet-20241022';
const claude37Sonnet = 'claude-3-7-sonnet-20250219 claude-3-7-sonnet-20250219-thinking';
const claude4Sonnet = 'claude-sonnet-4 claude-sonnet-4-20250514 claude-sonnet-4-20250514-thinking';
const claude3Opus = 'claude-3-opus-20240229';
const claude4Opus = [
  'claude-opus-4 claude-opus-4-20250514 claude-opus-4-20250514-thinking',
  'claude-opus-4-1 claude-opus-4-1-20250805 claude-opus-4-1-20250805-thinking',
].join(' ');

/** Models that have ended. What is sold now is priced by the catalogue. */
export const anthropicPrices: VendorPrices = {
  modelRatio: [
    [0.4, 'claude-instant-1 claude-instant-1.2'],
    [4, 'claude-2 claude-2.0 claude-2.1'],
    [1.5, `${claude3Sonnet} ${claude37Sonnet} ${claude4Sonnet}`],
    [7.5, `${claude3Opus} ${claude4Opus}`],
  ],
  // Cache reads cost a tenth.
  cacheRatio: [
    [0.1, `${claude3Sonnet} ${claude37Sonnet} ${claude4Sonnet} ${claude3Opus} ${claude4Opus}`],
  ],
  completionRules: [
    ['*claude-instant-1*', 3],
    ['*claude-2*', 3],
    ['*claude-3*', 5],
    ['*claude-sonnet-*', 5],
    ['*claude-opus-*', 5],
    ['*claude-haiku-*', 5],
  ],
};
