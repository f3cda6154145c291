import type { VendorPrices } from '../../pricing/rows.ts';

export const xaiPrices: VendorPrices = {
  modelRatio: [[2.5, 'grok-beta grok-vision-beta']],
  completionRatio: [[3, 'grok-beta grok-vision-beta']],
};
