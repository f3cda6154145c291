import { type KnownFailure, seen } from './known-failure.ts';

/** What vendors write when they hold content back. */
export const filters: readonly KnownFailure[] = [
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
