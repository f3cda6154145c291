import type { VendorPrices } from '../../pricing/rows.ts';

export const xaiPrices: VendorPrices = {
  modelRatio: [
    [1.5, 'grok-3-beta'],
    [0.15, 'grok-3-mini-beta'],
    [1, 'grok-2 grok-2-vision'],
    [2.5, 'grok-beta grok-vision-beta grok-3-fast-beta'],
    [0.3, 'grok-3-mini-fast-beta'],
  ],
};
