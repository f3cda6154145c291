import { type KnownFailure, seen } from './known-failure.ts';

/** What vendors write when a prompt is too long. */
export const overflows: readonly KnownFailure[] = [
  {
    about: 'context',
    codes: ['context_length_exceeded', 'context_window_exceeded'],
    words: [['maximum context length'], ['exceeds the context window']],
    source: 'https://platform.openai.com/docs/guides/error-codes',
    seen,
  },
  {
    about: 'context',
    words: [['prompt is too long'], ['input length and', 'exceed context limit']],
    source: 'https://platform.claude.com/docs/en/build-with-claude/context-windows',
    seen,
  },
  {
    about: 'context',
    words: [
      ['input token count', 'exceeds the maximum'],
      ['input token count', 'only supports up to'],
    ],
    source: 'https://github.com/google-gemini/gemini-cli/issues/6678',
    seen,
  },
  {
    about: 'context',
    words: [['input is too long'], ['too many input tokens'], ['input tokens exceeded']],
    source: 'https://github.com/aws-samples/bedrock-chat/issues/95',
    seen,
  },
  {
    about: 'context',
    words: [
      ['too many tokens', 'size limit exceeded'],
      ['too many tokens', 'shorter'],
    ],
    source: 'https://docs.cohere.com/reference/errors',
    seen,
  },
  // Mistral, xAI, Groq, Together, Moonshot, MiniMax, GitHub Models, llama.cpp, LM Studio, Ollama.
  {
    about: 'context',
    codes: ['exceed_context_size_error', 'tokens_limit_reached'],
    words: [
      ['too large for model with', 'context length'],
      ['maximum prompt length is'],
      ['reduce the length of the messages'],
      ["longer than the model's context length"],
      ['exceeds the maximum allowed input length'],
      ['exceeded model token limit'],
      ['context window exceeds limit'],
      ['prompt token count', 'exceeds the limit'],
      ['exceeds the available context size'],
      ['greater than the context length'],
      ['prompt too long', 'exceeded', 'context length'],
      ['the configured context size is'],
    ],
    source: 'https://github.com/earendil-works/pi/blob/main/packages/ai/src/utils/overflow.ts',
    seen,
  },
  {
    about: 'context',
    words: [['range of input length should be']],
    source: 'https://www.alibabacloud.com/help/en/model-studio/error-code',
    seen,
  },
  {
    about: 'context',
    vendor: 'zhipu',
    codes: ['1261'],
    source: 'https://docs.bigmodel.cn/cn/api/api-code',
    seen,
  },
  {
    about: 'context',
    vendor: 'xunfei',
    codes: ['10907'],
    source: 'https://www.xfyun.cn/doc/spark/%E6%8E%A5%E5%8F%A3%E8%AF%B4%E6%98%8E.html',
    seen,
  },
  {
    about: 'context',
    vendor: 'baidu',
    codes: ['336103'],
    source: 'https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh',
    seen,
  },
  {
    about: 'context',
    words: [['prompt tokens too long']],
    source: 'https://github.com/PaddlePaddle/ERNIE-SDK/issues/336',
    seen,
  },
  {
    about: 'context',
    words: [
      ['input length', 'exceeds the maximum length'],
      ['input length', 'exceeds the maximum allowed length'],
    ],
    source: 'https://github.com/langgenius/dify/issues/32221',
    seen,
  },
  {
    about: 'context',
    words: [['exceed max message tokens']],
    source: 'https://www.volcengine.com/docs/82379/1299023',
    seen,
  },
  {
    about: 'context',
    words: [['prompt_tokens', 'must be less than max_seq_len']],
    source: 'https://github.com/langgenius/dify/issues/19394',
    seen,
  },
  {
    about: 'context',
    vendor: 'cloudflare',
    codes: ['5021'],
    source: 'https://developers.cloudflare.com/workers-ai/platform/errors/',
    seen,
  },
  {
    about: 'context',
    words: [['exceeded this model context window limit']],
    source: 'https://developers.cloudflare.com/workers-ai/platform/errors/',
    seen,
  },
  {
    about: 'context',
    words: [['inputs', 'tokens +', 'max_new_tokens', 'must be']],
    source:
      'https://github.com/huggingface/text-generation-inference/blob/main/router/src/validation.rs',
    seen,
  },
];
