/**
 * What vendors write when a prompt is too long, when they hold content back, and when the account
 * behind a key cannot be used (docs/rules/relay.md#known-failures).
 */

/**
 * `context`: the prompt, or prompt and answer together, exceed what the model reads. `content`: a
 * filter of the vendor held the prompt or the answer back. `account`: nothing that the caller sent
 * is at fault.
 */
export type FailureTopic = 'context' | 'content' | 'account';

export interface KnownFailure {
  readonly about: FailureTopic;
  /** Slug of the provider whose codes these are; absent: whoever writes them means the same. */
  readonly vendor?: string;
  /** Codes, or types of errors; as a whole, in any case. */
  readonly codes?: readonly string[];
  /** Texts in lower case; one that has several parts is found where the message has all of them. */
  readonly words?: readonly (readonly string[])[];
  readonly source: string;
  readonly seen: string;
}

const seen = '2026-11-28';

const overflows: readonly KnownFailure[] = [
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

const filters: readonly KnownFailure[] = [
  {
    about: 'content',
    codes: [
      'content_filter',
      'content_policy_violation',
      'moderation_blocked',
      'invalid_prompt',
      'cyber_policy',
    ],
    source: 'https://learn.microsoft.com/en-us/azure/ai-foundry/openai/concepts/content-filter',
    seen,
  },
  {
    about: 'content',
    codes: ['prompt_blocked'],
    source: 'https://ai.google.dev/api/generate-content#BlockReason',
    seen,
  },
  {
    about: 'content',
    words: [['blocked by content filtering policy']],
    source: 'https://github.com/anthropics/claude-code/issues/6195',
    seen,
  },
  {
    about: 'content',
    words: [['blocked by our content filters']],
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/abuse-detection.html',
    seen,
  },
  {
    about: 'content',
    codes: ['data_inspection_failed', 'DataInspectionFailed'],
    words: [['may contain inappropriate content']],
    source: 'https://www.alibabacloud.com/help/en/model-studio/error-code',
    seen,
  },
  {
    about: 'content',
    words: [['content exists risk']],
    source: 'https://github.com/deepseek-ai/DeepSeek-V2/issues/30',
    seen,
  },
  {
    about: 'content',
    vendor: 'zhipu',
    codes: ['1301'],
    source: 'https://docs.bigmodel.cn/cn/api/api-code',
    seen,
  },
  {
    about: 'content',
    vendor: 'minimax',
    codes: ['1026', '1027'],
    words: [['new_sensitive']],
    source: 'https://platform.minimax.io/docs/api-reference/errorcode',
    seen,
  },
  {
    about: 'content',
    vendor: 'xunfei',
    codes: ['10013', '10014', '10019', '10021'],
    source: 'https://www.xfyun.cn/doc/spark/%E6%8E%A5%E5%8F%A3%E8%AF%B4%E6%98%8E.html',
    seen,
  },
  {
    about: 'content',
    vendor: 'volcengine',
    codes: [
      'SensitiveContentDetected',
      'InputTextSensitiveContentDetected',
      'InputImageSensitiveContentDetected',
      'OutputTextSensitiveContentDetected',
    ],
    source: 'https://www.volcengine.com/docs/82379/1299023',
    seen,
  },
  {
    about: 'content',
    words: [['content violates usage guidelines']],
    source: 'https://github.com/UKGovernmentBEIS/inspect_ai/pull/2267',
    seen,
  },
  {
    about: 'content',
    words: [['requires moderation', 'flagged'], ['input was flagged']],
    source: 'https://openrouter.ai/docs/api-reference/errors',
    seen,
  },
];

/** Besides those that have a status of their own, or a code that the vendor's reader knows. */
const accounts: readonly KnownFailure[] = [
  {
    about: 'account',
    words: [['credit balance is too low'], ['organization has been disabled']],
    source: 'https://platform.claude.com/docs/en/api/errors',
    seen,
  },
  {
    about: 'account',
    words: [['reached your specified api usage limits']],
    source: 'https://github.com/anthropics/claude-code/issues/2127',
    seen,
  },
  {
    about: 'account',
    vendor: 'xai',
    words: [['incorrect api key provided']],
    source: 'https://github.com/openai/codex/issues/1352',
    seen,
  },
  {
    about: 'account',
    words: [['used all available credits']],
    source: 'https://github.com/continuedev/continue/issues/10373',
    seen,
  },
  {
    about: 'account',
    codes: ['organization_restricted'],
    source: 'https://github.com/songquanpeng/one-api/issues/1764',
    seen,
  },
  {
    about: 'account',
    words: [['api key not found'], ['api key expired'], ['api key was reported as leaked']],
    source: 'https://ai.google.dev/gemini-api/docs/troubleshooting',
    seen,
  },
  {
    about: 'account',
    words: [['insufficient balance']],
    source: 'https://api-docs.deepseek.com/quick_start/error_codes',
    seen,
  },
  {
    about: 'account',
    codes: ['insufficient_user_quota'],
    source: 'https://github.com/songquanpeng/one-api/blob/main/monitor/manage.go',
    seen,
  },
];

const known = [...overflows, ...filters, ...accounts];

/** What an error of a vendor is known by; `message` as it came. */
export interface WrittenFailure {
  readonly type?: string | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/**
 * What an error is about; undefined: nothing that is known here. Of several meanings the first
 * counts: prompts before content, content before accounts. `vendor`: the provider's slug.
 */
export function topicOf(
  { type, code, message }: WrittenFailure,
  vendor: string,
): FailureTopic | undefined {
  const text = message?.toLowerCase() ?? '';
  const names = [type, code].map((name) => name?.toLowerCase());
  return known.find(
    (one) =>
      (one.vendor === undefined || vendor.startsWith(one.vendor)) &&
      (one.codes?.some((name) => names.includes(name.toLowerCase())) === true ||
        one.words?.some((parts) => parts.every((part) => text.includes(part))) === true),
  )?.about;
}
