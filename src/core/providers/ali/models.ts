/** Offered in the channel editor besides the catalogue's models. */
export const aliModels = [
  ...['qwen-max-longcontext', 'qwq-32b', 'qwen3-235b-a22b'],
  ...['text-embedding-v4', 'text-embedding-v3', 'text-embedding-v1'],
  ...['qwen3-rerank', 'gte-rerank-v2'],
  ...['qwen-image', 'wanx2.1-t2i-turbo'],
  ...['qwen3-tts-flash', 'qwen-audio-3.0-tts-flash', 'qwen3-asr-flash'],
  ...['wanx2.1-t2v-turbo', 'wanx2.1-t2v-plus', 'wanx2.1-i2v-turbo', 'wanx2.1-i2v-plus'],
] as const;
