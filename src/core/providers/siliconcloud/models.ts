/** Offered in the channel editor. */
export const siliconCloudModels = [
  ...[
    'deepseek-ai/DeepSeek-V3',
    'deepseek-ai/DeepSeek-R1',
    'Qwen/Qwen3-235B-A22B',
    'Qwen/Qwen3-32B',
    'Qwen/Qwen3-8B',
  ],
  ...[
    'THUDM/glm-4-9b-chat',
    'Pro/THUDM/glm-4-9b-chat',
    'Qwen/Qwen2-7B-Instruct',
    'Pro/Qwen/Qwen2-7B-Instruct',
  ],
  ...[
    'Qwen/Qwen2-1.5B-Instruct',
    'Pro/Qwen/Qwen2-1.5B-Instruct',
    'Qwen/Qwen2-72B-Instruct',
    'Qwen/Qwen2-57B-A14B-Instruct',
  ],
  ...[
    'internlm/internlm2_5-7b-chat',
    'internlm/internlm2_5-20b-chat',
    'deepseek-ai/DeepSeek-V2-Chat',
  ],
  ...['deepseek-ai/DeepSeek-Coder-V2-Instruct', 'Qwen/Qwen2-Math-72B-Instruct'],
  ...[
    'BAAI/bge-m3',
    'BAAI/bge-large-en-v1.5',
    'BAAI/bge-large-zh-v1.5',
    'netease-youdao/bce-embedding-base_v1',
  ],
  ...['BAAI/bge-reranker-v2-m3', 'netease-youdao/bce-reranker-base_v1'],
  ...[
    'black-forest-labs/FLUX.1-schnell',
    'FunAudioLLM/SenseVoiceSmall',
    'FunAudioLLM/CosyVoice2-0.5B',
  ],
] as const;
