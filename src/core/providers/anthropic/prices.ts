import type { VendorPrices } from '../../pricing/rows.ts';

const claude3Haiku = 'claude-3-haiku-20240307';
const claude35Haiku = 'claude-3-5-haiku-20241022';
const claude3Sonnet =
  'claude-3-sonnet-20240229 claude-3-5-sonnet-20240620 claude-3-5-sonnet-20241022';
const claude37Sonnet = 'claude-3-7-sonnet-20250219 claude-3-7-sonnet-20250219-thinking';
const claude3Opus = 'claude-3-opus-20240229';
const claude45Haiku =
  'claude-haiku-4-5 claude-haiku-4-5-20251001 claude-haiku-4-5-20251001-thinking';
const claude4Sonnet = [
  'claude-sonnet-4 claude-sonnet-4-20250514 claude-sonnet-4-20250514-thinking',
  'claude-sonnet-4-5 claude-sonnet-4-5-20250929 claude-sonnet-4-5-20250929-thinking',
  'claude-sonnet-4-6 claude-sonnet-4-6-thinking',
].join(' ');
const claude4Opus = [
  'claude-opus-4 claude-opus-4-20250514 claude-opus-4-20250514-thinking',
  'claude-opus-4-1 claude-opus-4-1-20250805 claude-opus-4-1-20250805-thinking',
].join(' ');
const claude45Opus = [
  'claude-opus-4-5 claude-opus-4-5-20251101 claude-opus-4-5-20251101-thinking claude-opus-4-6 claude-opus-4-6-thinking',
  'claude-opus-4-6-max claude-opus-4-6-high claude-opus-4-6-medium claude-opus-4-6-low',
].join(' ');

export const anthropicPrices: VendorPrices = {
  modelRatio: [
    [0.4, 'claude-instant-1 claude-instant-1.2'],
    [4, 'claude-2 claude-2.0 claude-2.1'],
    [0.125, claude3Haiku],
    [0.5, `${claude35Haiku} ${claude45Haiku}`],
    [1.5, `${claude3Sonnet} ${claude37Sonnet} ${claude4Sonnet}`],
    [7.5, `${claude3Opus} ${claude4Opus}`],
    [2.5, claude45Opus],
  ],
  cacheRatio: [
    // Cache reads cost a tenth.
    [0.1, `${claude3Haiku} ${claude35Haiku} ${claude3Sonnet} ${claude37Sonnet} ${claude3Opus}`],
    [0.1, `${claude45Haiku} ${claude4Sonnet} ${claude4Opus} ${claude45Opus}`],
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
