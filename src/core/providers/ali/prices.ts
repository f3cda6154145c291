import { type VendorPrices, yuan } from '../../pricing/rows.ts';

export const aliPrices: VendorPrices = {
  modelRatio: [
    [0.05, 'text-embedding-v1'],
    // By characters, as the vendor counts them.
    [yuan(0.08), 'qwen3-tts-flash'],
    [yuan(0.0016), 'qwen-tts'],
    // 0.000032 dollars a second, at 1,000 tokens a minute.
    [0.96, 'qwen3-asr-flash'],
  ],
  completionRules: [
    ['qwen3-max*', 5],
    ['qwen-tts', 6.25],
  ],
};
