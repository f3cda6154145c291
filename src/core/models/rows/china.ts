/** Models of China's vendors, the newest first. */
import type { ModelRow } from '../schema.ts';
import { genaiPrices, litellm, rowsFrom, stepped } from './listed.ts';

const workdays = [1, 2, 3, 4, 5] as const;
/**
 * V4's prices are those of the peak hours, 01:00 to 04:00 and 06:00 to 10:00 in UTC from Monday to
 * Friday. https://api-docs.deepseek.com/quick_start/pricing, 2026-11-28. China's public holidays,
 * on which there is no peak either, are announced year by year and not in here.
 */
const hours = {
  factors: { offpeak: 0.5 },
  peakHours: [
    { days: workdays, from: 60, to: 240 },
    { days: workdays, from: 360, to: 600 },
  ],
} as const;

const deepseek = rowsFrom({ vendor: 'deepseek', ...litellm }, [
  ['deepseek-v4-pro', { input: 1.32, output: 3.96, cacheRead: 0.044, ...hours }],
  [
    'deepseek-v4-flash',
    { input: 0.3, output: 1.2, cacheRead: 0.006, ...hours },
    { aliases: ['deepseek-flash'] },
  ],
  ['deepseek-v4-flash-vision-exp', { input: 0.3, output: 1.2, cacheRead: 0.006, ...hours }],
  [
    'deepseek-chat',
    { input: 0.28, output: 0.42, cacheRead: 0.028 },
    { ends: '2026-07-24', successor: 'deepseek-v4-flash', aliases: ['deepseek-coder'] },
  ],
  [
    'deepseek-reasoner',
    { input: 0.28, output: 0.42, cacheRead: 0.028 },
    { ends: '2026-07-24', successor: 'deepseek-v4-pro' },
  ],
]);

const moonshot = rowsFrom({ vendor: 'moonshot', ...litellm }, [
  ['kimi-k3.1-pro', { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2, longCacheWrite: 4 }],
  [
    'kimi-k3.1-pro-highspeed',
    { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 4, longCacheWrite: 8 },
  ],
  ['kimi-k3', { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3, longCacheWrite: 6 }],
  ['kimi-k2.7-code', { input: 0.95, output: 4, cacheRead: 0.19 }],
  ['kimi-k2.7-code-highspeed', { input: 1.9, output: 8, cacheRead: 0.38 }, genaiPrices],
  ['kimi-k2.6', { input: 0.95, output: 4, cacheRead: 0.16 }],
  [
    'kimi-k2.5',
    { input: 0.6, output: 3, cacheRead: 0.1 },
    { ends: '2026-08-31', successor: 'kimi-k2.6' },
  ],
  ['moonshot-v1-8k', { input: 0.2, output: 2 }, { ends: '2026-08-31', successor: 'kimi-k2.6' }],
  ['moonshot-v1-32k', { input: 1, output: 3 }, { ends: '2026-08-31', successor: 'kimi-k2.6' }],
  ['moonshot-v1-128k', { input: 2, output: 5 }, { ends: '2026-08-31', successor: 'kimi-k2.6' }],
  ['moonshot-v1-auto', { input: 2, output: 5 }, { ends: '2026-08-31', successor: 'kimi-k2.6' }],
]);

const zhipu = rowsFrom({ vendor: 'zhipu', ...litellm }, [
  ['glm-5.3', { input: 1.4, output: 4.4, cacheRead: 0.26 }],
  ['glm-5.3-flash', { input: 0.15, output: 0.5, cacheRead: 0.03 }],
  ['glm-5.2', { input: 1.4, output: 4.4, cacheRead: 0.26 }],
  ['glm-5.1', { input: 1.4, output: 4.4, cacheRead: 0.26 }],
  ['glm-5', { input: 1, output: 3.2, cacheRead: 0.2 }],
  ['glm-5-code', { input: 1.2, output: 5, cacheRead: 0.3 }],
  ['glm-5v-turbo', { input: 1.2, output: 4, cacheRead: 0.24 }],
  ['glm-4.7', { input: 0.6, output: 2.2, cacheRead: 0.11 }],
  ['glm-4.7-flash', { input: 0, output: 0 }],
  ['glm-4.6', { input: 0.6, output: 2.2, cacheRead: 0.11 }],
  ['glm-4.5', { input: 0.6, output: 2.2 }],
  ['glm-4.5-air', { input: 0.2, output: 1.1 }],
  ['glm-4.5-airx', { input: 1.1, output: 4.5 }],
  ['glm-4.5-x', { input: 2.2, output: 8.9 }],
  ['glm-4.5-flash', { input: 0, output: 0 }],
  ['glm-4.5v', { input: 0.6, output: 1.8 }],
]);

/**
 * Cache writes cost 1.25 times the input where callers mark them:
 * https://www.alibabacloud.com/help/en/model-studio/context-cache
 */
const ali = rowsFrom({ vendor: 'ali', ...litellm }, [
  ['qwen3.8-max', { input: 2, output: 6, cacheRead: 0.25, cacheWrite: 2.5 }],
  ['qwen3.8-flash', { input: 0.15, output: 0.47, cacheRead: 0.016, cacheWrite: 0.2 }],
  ['qwen3.8-omni-flash', { input: 0.15, output: 0.47, cacheRead: 0.016 }],
  ['qwen3.7-max', { input: 2.5, output: 7.5, cacheRead: 0.5, cacheWrite: 3.125 }],
  [
    'qwen3.7-plus',
    {
      input: 0.4,
      output: 1.6,
      cacheRead: 0.08,
      cacheWrite: 0.5,
      steps: [{ above: 256_000, input: 3, output: 3 }],
    },
  ],
  [
    'qwen3.5-plus',
    {
      input: 0.4,
      output: 2.4,
      cacheWrite: 0.5,
      steps: [{ above: 256_000, input: 1.25, output: 1.25 }],
    },
  ],
  [
    'qwen3-max',
    {
      input: 1.2,
      output: 6,
      cacheRead: 0.24,
      cacheWrite: 1.5,
      steps: [
        { above: 32_000, input: 2, output: 2 },
        { above: 128_000, input: 2.5, output: 2.5 },
      ],
    },
  ],
  [
    'qwen3-coder-plus',
    {
      input: 1,
      output: 5,
      cacheRead: 0.1,
      cacheWrite: 1.25,
      steps: [
        { above: 32_000, input: 1.8, output: 1.8 },
        { above: 128_000, input: 3, output: 3 },
        { above: 256_000, input: 6, output: 12 },
      ],
    },
  ],
  [
    'qwen3-coder-flash',
    stepped({ input: 0.3, output: 1.5, cacheRead: 0.08, cacheWrite: 0.375 }, [
      [32_000, 0.5, 2.5, 0.12],
      [128_000, 0.8, 4, 0.2],
      [256_000, 1.6, 9.6, 0.4],
    ]),
  ],
  ['qwen-max', { input: 1.6, output: 6.4 }],
  ['qwen-plus', { input: 0.4, output: 1.2 }],
  ['qwen-flash', { input: 0.05, output: 0.4, steps: [{ above: 256_000, input: 5, output: 5 }] }],
  ['qwen-turbo', { input: 0.05, output: 0.2 }],
  ['qwen-coder', { input: 0.3, output: 1.5 }],
  ['qwq-plus', { input: 0.8, output: 2.4 }],
]);

const minimax = rowsFrom({ vendor: 'minimax', ...litellm }, [
  [
    'MiniMax-M3',
    { input: 0.3, output: 1.2, cacheRead: 0.06, steps: [{ above: 512_000, input: 2, output: 2 }] },
  ],
  ['MiniMax-M2.5', { input: 0.3, output: 1.2, cacheRead: 0.03, cacheWrite: 0.375 }],
  ['MiniMax-M2.5-lightning', { input: 0.3, output: 2.4, cacheRead: 0.03, cacheWrite: 0.375 }],
  ['MiniMax-M2.1', { input: 0.3, output: 1.2, cacheRead: 0.03, cacheWrite: 0.375 }],
  ['MiniMax-M2.1-lightning', { input: 0.3, output: 2.4, cacheRead: 0.03, cacheWrite: 0.375 }],
  ['MiniMax-M2', { input: 0.3, output: 1.2, cacheRead: 0.03, cacheWrite: 0.375 }],
  ['MiniMax-M2.7', { input: 0.3, output: 1.2, cacheRead: 0.06, cacheWrite: 0.375 }, genaiPrices],
  [
    'MiniMax-M2.7-highspeed',
    { input: 0.6, output: 2.4, cacheRead: 0.06, cacheWrite: 0.375 },
    genaiPrices,
  ],
  [
    'MiniMax-M2.5-highspeed',
    { input: 0.6, output: 2.4, cacheRead: 0.03, cacheWrite: 0.375 },
    genaiPrices,
  ],
  [
    'MiniMax-M2.1-highspeed',
    { input: 0.6, output: 2.4, cacheRead: 0.03, cacheWrite: 0.375 },
    genaiPrices,
  ],
]);

const volcengine = rowsFrom({ vendor: 'volcengine', ...litellm }, [
  ['doubao-seed-2-1-pro-260915', { input: 0.8625, output: 4.3125, cacheRead: 0.1725 }],
  [
    'doubao-seed-2-1-lite-260915',
    {
      input: 0.115,
      output: 0.388126,
      cacheRead: 0.023,
      audioInput: 1.725,
      audioCacheRead: 0.345,
    },
  ],
  ['doubao-seed-2-1-pro-260628', { input: 0.8625, output: 4.3125, cacheRead: 0.1725 }],
  ['doubao-seed-2-1-turbo-260628', { input: 0.43125, output: 2.15625, cacheRead: 0.08625 }],
  [
    'doubao-seed-2-0-pro-260215',
    stepped({ input: 0.46, output: 2.3 }, [
      [32_000, 0.7, 3.5],
      [128_000, 1.4, 7],
    ]),
  ],
  [
    'doubao-seed-2-0-lite-260215',
    stepped({ input: 0.087, output: 0.52 }, [
      [32_000, 0.13, 0.78],
      [128_000, 0.26, 1.6],
    ]),
  ],
  [
    'doubao-seed-2-0-mini-260215',
    stepped({ input: 0.029, output: 0.29 }, [
      [32_000, 0.058, 0.58],
      [128_000, 0.12, 1.2],
    ]),
  ],
  [
    'doubao-seed-2-0-code-preview-260215',
    stepped({ input: 0.46, output: 2.3 }, [
      [32_000, 0.7, 3.5],
      [128_000, 1.4, 7],
    ]),
  ],
]);

const tencent = rowsFrom({ vendor: 'tencent', ...litellm }, [
  ['hy4', { input: 0.834, output: 2.501, cacheRead: 0.042 }],
]);

export const chinaRows: readonly ModelRow[] = [
  ...deepseek,
  ...moonshot,
  ...zhipu,
  ...ali,
  ...minimax,
  ...volcengine,
  ...tencent,
];
