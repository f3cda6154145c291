/**
 * Type 19 (docs/rules/providers.md#plain-resellers): a platform of many vendors' models; the
 * operator fetches the names of today.
 */
import { openaiCompatible } from '../openai-compatible/index.ts';

export const zhinao360 = openaiCompatible({
  slug: '360',
  channelTypes: [19],
  defaultBaseUrl: 'https://api.360.cn',
  keyFormat: { example: 'key' },
  models: [
    ...[
      '360gpt-turbo',
      '360gpt-turbo-responsibility-8k',
      '360gpt-pro',
      '360gpt2-pro',
      '360GPT_S2_V9',
    ],
    ...['embedding-bert-512-v1', 'embedding_s1_v1', 'semantic_similarity_s1_v1'],
  ],
  streamOptions: false,
  developerRole: false,
});
