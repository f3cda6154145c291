/**
 * Videos, which are sold by the second. They name no vendor: a provider offers the videos for which
 * it has a platform. Images that a video is made of (xAI, MiniMax) are paid for besides and not in
 * here.
 */
import type { ModelRow } from '../schema.ts';
import { litellm } from './listed.ts';

type Origin = Pick<ModelRow, 'source' | 'seen'>;
type Listed = readonly [
  name: string,
  secondPrices: NonNullable<ModelRow['secondPrices']>,
  more?: Pick<ModelRow, 'aliases' | 'ends' | 'successor' | 'vendor'>,
];

function videosOf(origin: Origin, models: readonly Listed[]): readonly ModelRow[] {
  return models.map(([name, secondPrices, more]) => ({
    name,
    kind: 'video',
    secondPrices,
    ...more,
    ...origin,
  }));
}

/**
 * The same in Google's own list, https://ai.google.dev/gemini-api/docs/pricing: sound is included.
 * Of ended previews the days are those of the Gemini API.
 */
const google = videosOf(litellm, [
  ['veo-3.1-generate-001', { '720P': 0.4, '1080P': 0.4, '4K': 0.6 }],
  ['veo-3.1-fast-generate-001', { '720P': 0.1, '1080P': 0.12, '4K': 0.3 }],
  ['veo-3.1-lite-generate-001', { '720P': 0.05, '1080P': 0.08 }],
  [
    'veo-3.1-generate-preview',
    { '720P': 0.4, '1080P': 0.4, '4K': 0.6 },
    { vendor: 'gemini', ends: '2026-10-22', successor: 'veo-3.1-generate-001' },
  ],
  [
    'veo-3.1-fast-generate-preview',
    { '720P': 0.1, '1080P': 0.12, '4K': 0.3 },
    { vendor: 'gemini', ends: '2026-10-22', successor: 'veo-3.1-fast-generate-001' },
  ],
  [
    'veo-3.1-lite-generate-preview',
    { '720P': 0.05, '1080P': 0.08 },
    { vendor: 'gemini', ends: '2026-10-22', successor: 'veo-3.1-lite-generate-001' },
  ],
  [
    'veo-3.0-generate-001',
    { '720P': 0.4, '1080P': 0.4 },
    { vendor: 'vertex', ends: '2026-06-30', successor: 'veo-3.1-generate-001' },
  ],
  [
    'veo-3.0-fast-generate-001',
    { '720P': 0.1, '1080P': 0.12 },
    { vendor: 'vertex', ends: '2026-06-30', successor: 'veo-3.1-fast-generate-001' },
  ],
  [
    'veo-2.0-generate-001',
    { '720P': 0.5 },
    { vendor: 'vertex', ends: '2026-06-30', successor: 'veo-3.1-generate-001' },
  ],
]);

/** The larger sizes of sora-2-pro are a model of their own in the list: sora-2-pro-high-res. */
const openai = videosOf(litellm, [
  ['sora-2', { '720P': 0.1 }, { vendor: 'openai', ends: '2026-09-24' }],
  ['sora-2-pro', { '720P': 0.3, '1080P': 0.5 }, { vendor: 'openai', ends: '2026-09-24' }],
]);

const xai = videosOf(litellm, [
  ['grok-imagine-video', { '480P': 0.05, '720P': 0.07 }],
  [
    'grok-imagine-video-1.5',
    { '480P': 0.08, '720P': 0.14, '1080P': 0.25 },
    { aliases: ['grok-imagine-video-1.5-preview', 'grok-imagine-video-1.5-2026-05-30'] },
  ],
  ['grok-imagine-video-1.5-lite', { '480P': 0.02, '720P': 0.03, '1080P': 0.14 }],
]);

const minimax = videosOf(litellm, [
  ['MiniMax-H3', { '768P': 0.08, '2K': 0.13 }],
  ['MiniMax-H3-Max', { '480P': 0.05, '768P': 0.08 }],
]);

/** Billed by tokens of pixels, which a second of 16:9 is these prices of. */
const seedance = videosOf(litellm, [
  ['doubao-seedance-2-5-260628', { '480P': 0.096075, '720P': 0.216, '1080P': 0.5346 }],
  [
    'doubao-seedance-2-0-260128',
    { '480P': 0.066003429, '720P': 0.141942857, '1080P': 0.354085714, '4K': 0.722057143 },
  ],
  ['doubao-seedance-2-0-fast-260128', { '480P': 0.053089714, '720P': 0.114171429 }],
  ['doubao-seedance-2-0-mini-260615', { '480P': 0.033001714, '720P': 0.070971429 }],
]);

const wan25 = { '480P': 0.043006, '720P': 0.086012, '1080P': 0.143353 } as const;
const wan26 = { '720P': 0.086012, '1080P': 0.143353 } as const;
const wan27 = wan26;
const wan22Plus = { '480P': 0.02007, '1080P': 0.100347 } as const;
const wan22Flash = { '480P': 0.014335, '720P': 0.028671, '1080P': 0.068809 } as const;
const wan21Turbo = { '480P': 0.034405, '720P': 0.034405 } as const;
const wan21Plus = { '720P': 0.100347 } as const;
const horse11 = { '480P': 0.0618845, '720P': 0.123769, '1080P': 0.165026 } as const;
const horse10 = { '720P': 0.123769, '1080P': 0.220034 } as const;

/** Beijing, which is the base address of the channel type. */
const newAli = videosOf(litellm, [
  ['wan3.0-video', { '480P': 0.041256, '720P': 0.082513, '1080P': 0.165025 }],
  ['wan3.0-video-prime', { '480P': 0.0636, '720P': 0.127199, '1080P': 0.254399 }],
  ['wan2.7-t2v', wan27],
  ['wan2.7-i2v', wan27],
  ['wan2.7-r2v', wan27],
  ['happyhorse-1.1-t2v', horse11],
  ['happyhorse-1.1-i2v', horse11],
  ['happyhorse-1.1-r2v', horse11],
  ['happyhorse-1.0-t2v', horse10],
  ['happyhorse-1.0-i2v', horse10],
  ['happyhorse-1.0-r2v', horse10],
]);

/**
 * In Alibaba's list in yuan, which are dollars here as they are of wan2.7: 0.143353 for one yuan. The
 * same of wan2.2 and 2.5: https://docs.crazyrouter.com/video/wan (2026-11-29); of 2.6:
 * https://help.aliyun.com/zh/model-studio/legacy-wan-text-to-video-api-reference (2026-09-02); of 2.1:
 * https://developer.aliyun.com/article/1763163 (2026-09-14).
 */
const alibaba = {
  source: 'https://help.aliyun.com/zh/model-studio/model-pricing',
  seen: '2026-11-29',
} as const;
const olderAli = videosOf(alibaba, [
  ['wan2.6-t2v', wan26],
  ['wan2.6-i2v', wan26],
  [
    'wan2.6-i2v-flash',
    { '720P': 0.043006, '720P silent': 0.021503, '1080P': 0.071677, '1080P silent': 0.035838 },
  ],
  ['wan2.5-t2v-preview', wan25],
  ['wan2.5-i2v-preview', wan25],
  ['wan2.2-t2v-plus', wan22Plus],
  ['wan2.2-i2v-plus', wan22Plus],
  ['wan2.2-i2v-flash', wan22Flash],
  ['wan2.2-kf2v-flash', wan22Flash],
  ['wanx2.1-t2v-turbo', wan21Turbo, { aliases: ['wan2.1-t2v-turbo'] }],
  ['wanx2.1-i2v-turbo', wan21Turbo, { aliases: ['wan2.1-i2v-turbo'] }],
  ['wanx2.1-t2v-plus', wan21Plus, { aliases: ['wan2.1-t2v-plus'] }],
  ['wanx2.1-i2v-plus', wan21Plus, { aliases: ['wan2.1-i2v-plus'] }],
]);

/**
 * With sound, and without. kling-v2-6, whose usual quality costs no more, also at
 * https://givon.ai/en/models/kling-2.6 (2026-11-29); kling-v3 in Alibaba's list.
 */
const kling = [
  ...videosOf(
    {
      source: 'https://developer.muvi.video/docs/models/video/kling/kling-2-6-pro-text-to-video',
      seen: '2026-11-29',
    },
    [['kling-v2-6', { '1080P': 0.14, '1080P silent': 0.07 }]],
  ),
  ...videosOf(alibaba, [
    [
      'kling-v3',
      { '720P': 0.129018, '720P silent': 0.086012, '1080P': 0.172024, '1080P silent': 0.114682 },
      { aliases: ['kling-v3-video-generation'] },
    ],
  ]),
];

export const videoRows: readonly ModelRow[] = [
  ...google,
  ...openai,
  ...xai,
  ...minimax,
  ...seedance,
  ...newAli,
  ...olderAli,
  ...kling,
];
