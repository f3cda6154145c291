import type { VendorPrices } from '../../pricing/rows.ts';

export const coherePrices: VendorPrices = {
  modelRatio: [
    [0.5, 'command command-nightly'],
    [0.15, 'command-light command-light-nightly'],
  ],
  completionRatio: [[2, 'command command-nightly command-light command-light-nightly']],
  completionRules: [
    ['command*', 4],
    ['command-r', 3],
    ['command-r-plus', 5],
  ],
};
