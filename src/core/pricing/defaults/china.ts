import { type PriceRow, yuan } from '../rows.ts';

/** Model ratios of the Chinese vendors (spec, billing 3). */
export const chinaRatios: readonly PriceRow[] = [
  // Baidu
  [yuan(0.12), 'ERNIE-4.0-8K'],
  [yuan(0.012), 'ERNIE-3.5-8K ERNIE-3.5-8K-1222 ERNIE-3.5-4K-0205'],
  [yuan(0.024), 'ERNIE-3.5-8K-0205 ERNIE-Bot-8K'],
  [yuan(0.004), 'ERNIE-Speed-8K ERNIE-Speed-128K BLOOMZ-7B'],
  [yuan(0.008), 'ERNIE-Lite-8K-0922'],
  [yuan(0.003), 'ERNIE-Lite-8K-0308'],
  [yuan(0.001), 'ERNIE-Tiny-8K'],
  [yuan(0.002), 'Embedding-V1 bge-large-zh bge-large-en tao-8k'],

  // Zhipu
  [0.3572, 'chatglm_turbo chatglm_std glm-3-turbo'],
  [0.7143, 'chatglm_pro'],
  [0.1429, 'chatglm_lite'],
  [7.143, 'glm-4'],
  [yuan(0.05), 'glm-4v glm-4-plus'],
  [yuan(0.1), 'glm-4-alltools glm-4-0520'],
  [yuan(0.001), 'glm-4-air glm-4-long'],
  [yuan(0.01), 'glm-4-airx glm-4v-plus'],
  [0, 'glm-4-flash'],
  [0.3, 'glm-4.6 glm-4.7'],

  // Ali
  [0.8572, 'qwen-turbo'],
  [10, 'qwen-plus'],
  [0.05, 'text-embedding-v1'],
  [0.6, 'qwen3-max'],
  // By characters, as the vendor counts them.
  [yuan(0.08), 'qwen3-tts-flash'],
  [yuan(0.0016), 'qwen-tts'],
  // 0.000032 dollars a second, at 1,000 tokens a minute.
  [0.96, 'qwen3-asr-flash'],

  // Xunfei, 360, Tencent
  [1.2858, 'SparkDesk-v1.1 SparkDesk-v2.1 SparkDesk-v3.1 SparkDesk-v3.5 SparkDesk-v4.0'],
  [0.8572, '360GPT_S2_V9 360gpt-turbo-responsibility-8k 360gpt-pro 360gpt2-pro'],
  [0.0858, '360gpt-turbo'],
  [0.0715, 'embedding-bert-512-v1 embedding_s1_v1 semantic_similarity_s1_v1'],
  [7.143, 'hunyuan'],

  // Yi
  [0.18, 'yi-34b-chat-0205'],
  [0.864, 'yi-34b-chat-200k'],
  [0.432, 'yi-vl-plus'],
  [yuan(0.02), 'yi-large yi-large-preview'],
  [yuan(0.0025), 'yi-medium'],
  [yuan(0.006), 'yi-vision'],
  [yuan(0.012), 'yi-medium-200k yi-large-turbo'],
  [yuan(0.001), 'yi-spark'],
  [yuan(0.025), 'yi-large-rag yi-large-rag-preview'],

  // DeepSeek, Moonshot, MiniMax, Volcano Ark
  [0.135, 'deepseek-chat deepseek-coder'],
  [0.275, 'deepseek-reasoner'],
  [0.14, 'deepseek-v3.2'],
  [yuan(0.012), 'moonshot-v1-8k'],
  [yuan(0.024), 'moonshot-v1-32k'],
  [yuan(0.06), 'moonshot-v1-128k'],
  [0.3, 'kimi-k2 kimi-k2-thinking kimi-k2.5'],
  [yuan(0.0005), 'embo-01'],
  [0.055, 'doubao-seed-1.6'],
  [yuan(0.0007), 'doubao-embedding-vision-250328 doubao-embedding-vision-250615'],
];

/** An image's tokens over a text's. */
export const chinaImageRatios: readonly PriceRow[] = [
  [1.8 / 0.7, 'doubao-embedding-vision-250328 doubao-embedding-vision-250615'],
];

export const chinaCacheRatios: readonly PriceRow[] = [
  [0.25, 'deepseek-chat deepseek-coder deepseek-reasoner kimi-k2 kimi-k2-thinking'],
  [0.1, 'deepseek-v3.2'],
  [0.18, 'glm-4.6'],
  [0.2, 'qwen3-max doubao-seed-1.6'],
];
