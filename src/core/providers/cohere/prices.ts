import type { VendorPrices } from '../../pricing/rows.ts';

export const coherePrices: VendorPrices = {
  modelRatio: [
    [0.5, 'command command-nightly command-light command-light-nightly'],
    [0.25, 'command-r'],
    [1.5, 'command-r-plus'],
    [0.075, 'command-r-08-2024'],
    [1.25, 'command-r-plus-08-2024'],
  ],
  completionRules: [
    ['command*', 4],
    ['command-r', 3],
    ['command-r-plus', 5],
  ],
};
