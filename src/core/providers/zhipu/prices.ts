import { type VendorPrices, yuan } from '../../pricing/rows.ts';

export const zhipuPrices: VendorPrices = {
  modelRatio: [
    [0.3572, 'chatglm_turbo chatglm_std glm-3-turbo'],
    [0.7143, 'chatglm_pro'],
    [0.1429, 'chatglm_lite'],
    [7.143, 'glm-4'],
    [yuan(0.05), 'glm-4v glm-4-plus'],
    [yuan(0.1), 'glm-4-alltools glm-4-0520'],
    [yuan(0.001), 'glm-4-air glm-4-long'],
    [yuan(0.01), 'glm-4-airx glm-4v-plus'],
    [0, 'glm-4-flash'],
  ],
  completionRules: [
    ['glm-4.6', 2.2 / 0.6],
    ['glm-4.7', 2.2 / 0.6],
  ],
};
