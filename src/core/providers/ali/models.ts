/** Offered in the channel editor. Names end and follow each other every few months. */
export const aliModels = [
  ...[
    'qwen-plus',
    'qwen-flash',
    'qwen-turbo',
    'qwen-max',
    'qwen-max-longcontext',
    'qwq-32b',
    'qwen3-235b-a22b',
  ],
  ...[
    'qwen3-coder-plus',
    'text-embedding-v4',
    'text-embedding-v3',
    'text-embedding-v1',
    'qwen3-rerank',
    'gte-rerank-v2',
  ],
  ...[
    'qwen-image',
    'wanx2.1-t2i-turbo',
    'qwen3-tts-flash',
    'qwen-audio-3.0-tts-flash',
    'qwen3-asr-flash',
  ],
  ...['wanx2.1-t2v-turbo', 'wanx2.1-t2v-plus', 'wanx2.1-i2v-turbo', 'wanx2.1-i2v-plus'],
] as const;
