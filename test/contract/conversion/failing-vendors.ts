/**
 * What vendors write when a prompt is too long, when they hold content back and when an account is
 * at its end: recorded, or as the sources in src/core/models/known-failures.ts have it.
 */
import { eventFrame, exceptionFrame } from '../../support/aws-frames.ts';
import { chunk } from '../../support/half-answers.ts';

export type Topic = 'context' | 'content' | 'account';

export interface Vendor {
  readonly name: string;
  readonly type: number;
  readonly model: string;
  readonly key?: string;
  readonly other?: string;
  readonly setting?: object;
  readonly failures: Readonly<
    Partial<
      Record<Topic, readonly [status: number, body: object, headers?: Record<string, string>]>
    >
  >;
  /**
   * A word and then the error, as the vendor streams them with status 200. Absent: its streams are
   * not known to report one.
   */
  readonly stream?: (error: object) => readonly [word: Buffer | string, error: Buffer | string];
  /** Absent: events. */
  readonly streamType?: string;
}

const openAi = (message: string, fields: object = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...fields },
});
const claude = (message: string, type = 'invalid_request_error') => ({
  type: 'error',
  error: { type, message },
});
const google = (code: number, message: string, status = 'INVALID_ARGUMENT') => ({
  error: { code, message, status },
});
const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const named = (value: { readonly type: string; readonly [name: string]: unknown }) =>
  `event: ${value.type}\n${data(value)}`;

const chatEvents: NonNullable<Vendor['stream']> = (error) => [
  data(chunk({ content: 'Well' })),
  data(error),
];
/** The error of a body, whatever wire it was written for, as an object. */
function errorOf(body: object): object {
  const { error, base_resp: base } = body as {
    error?: object | string;
    base_resp?: { status_code: number; status_msg: string };
  };
  if (base !== undefined)
    return { type: 'bad_request_error', message: `${base.status_msg} (${base.status_code})` };
  return typeof error === 'string'
    ? { ...body, error: undefined, message: error }
    : (error ?? body);
}

export const claudeEvents: NonNullable<Vendor['stream']> = (body) => [
  named({
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'text', text: 'Well' },
  }),
  named({ type: 'error', error: errorOf(body) }),
];
const googleEvents: NonNullable<Vendor['stream']> = (error) => [
  data({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Well' }] } }] }),
  data(error),
];
export const responsesEvents: NonNullable<Vendor['stream']> = (body) => {
  const error = errorOf(body);
  const response = { id: 'r', object: 'response', status: 'failed', output: [], error };
  return [
    named({ type: 'response.output_text.delta', output_index: 0, delta: 'Well' }),
    named({ ...error, type: 'error' }) + named({ type: 'response.failed', response }),
  ];
};

const cohereEvents: NonNullable<Vendor['stream']> = (error) => [
  named({ type: 'content-start', index: 0, delta: { message: { content: { type: 'text' } } } }) +
    named({
      type: 'content-delta',
      index: 0,
      delta: { message: { content: { text: 'Well' } } },
    }),
  named({
    type: 'message-end',
    delta: { finish_reason: 'ERROR', error: (error as { message: string }).message },
  }),
];
/** https://docs.ollama.com/api/errors */
const ollamaLines: NonNullable<Vendor['stream']> = (error) => [
  `${JSON.stringify({ model: 'llama3.1', message: { role: 'assistant', content: 'Well' }, done: false })}\n`,
  `${JSON.stringify(error)}\n`,
];
const converseEvents: NonNullable<Vendor['stream']> = (error) => [
  eventFrame({ contentBlockIndex: 0, delta: { text: 'Well' } }, 'contentBlockDelta'),
  exceptionFrame('validationException', (error as { message: string }).message),
];
const awsFailure = (status: number, type: string, message: string) =>
  [status, { message }, { 'x-amzn-errortype': type }] as const;
const awsRevoked = awsFailure(
  403,
  'UnrecognizedClientException',
  'The security token included in the request is invalid.',
);
const awsFiltered = awsFailure(
  400,
  'ValidationException',
  'The generated text has been blocked by our content filters.',
);

const bedrockEvents: NonNullable<Vendor['stream']> = (error) => [
  eventFrame({
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'text', text: 'Well' },
  }),
  exceptionFrame('validationException', (error as { message: string }).message),
];

export const failingVendors: readonly Vendor[] = [
  {
    name: 'OpenAI chat',
    type: 1,
    model: 'gpt-4o',
    setting: { use_responses: false },
    stream: chatEvents,
    failures: {
      context: [
        400,
        openAi(
          "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
          { code: 'context_length_exceeded', param: 'messages' },
        ),
      ],
      content: [400, openAi('Invalid prompt: it was flagged.', { code: 'invalid_prompt' })],
      account: [
        429,
        openAi('You exceeded your current quota, please check your plan and billing details.', {
          type: 'insufficient_quota',
          code: 'insufficient_quota',
        }),
      ],
    },
  },
  {
    name: 'OpenAI Responses',
    type: 1,
    model: 'gpt-5',
    setting: { use_responses: true },
    failures: {
      context: [
        400,
        openAi('Your input exceeds the context window of this model. Please adjust your input.', {
          code: 'context_length_exceeded',
          param: 'input',
        }),
      ],
      content: [400, openAi('It was flagged for cyber risk.', { code: 'cyber_policy' })],
      account: [401, openAi('Incorrect API key provided: sk-x.', { code: 'invalid_api_key' })],
    },
    stream: responsesEvents,
  },
  {
    name: 'Azure',
    type: 3,
    model: 'gpt-4o-mini',
    other: '2024-10-21',
    stream: chatEvents,
    failures: {
      // https://github.com/BerriAI/litellm/issues/15968
      context: [
        400,
        openAi(
          'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens. Please reduce the length of the messages.',
          { code: 'context_length_exceeded', param: 'messages' },
        ),
      ],
      account: [
        401,
        openAi(
          'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription.',
          { code: '401' },
        ),
      ],
      content: [
        400,
        {
          error: {
            message:
              "The response was filtered due to the prompt triggering Azure OpenAI's policy.",
            type: null,
            param: 'prompt',
            code: 'content_filter',
            status: 400,
          },
        },
      ],
    },
  },
  {
    name: 'Claude',
    type: 14,
    model: 'claude-sonnet-4-5',
    failures: {
      context: [400, claude('prompt is too long: 213462 tokens > 200000 maximum')],
      content: [400, claude('Output blocked by content filtering policy')],
      account: [
        400,
        claude('Your credit balance is too low to access the Anthropic API. Please go to Plans.'),
      ],
    },
    stream: claudeEvents,
  },
  {
    name: 'Gemini',
    type: 24,
    model: 'gemini-2.5-flash',
    failures: {
      context: [
        400,
        google(
          400,
          'The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).',
        ),
      ],
      account: [400, google(400, 'API key expired. Please renew the API key.')],
    },
    stream: googleEvents,
  },
  {
    name: 'Bedrock',
    type: 33,
    model: 'claude-sonnet-4-20250514',
    key: 'AKIDEXAMPLE|secret|us-east-1',
    stream: bedrockEvents,
    failures: {
      context: awsFailure(400, 'ValidationException', 'Input is too long for requested model.'),
      content: awsFiltered,
      account: awsRevoked,
    },
  },
  {
    name: 'Bedrock, Converse',
    type: 33,
    model: 'nova-lite-v1:0',
    key: 'AKIDEXAMPLE|secret|us-east-1',
    stream: converseEvents,
    failures: {
      context: awsFailure(
        400,
        'ValidationException',
        'The model returned the following errors: prompt is too long: 227255 tokens > 200000 maximum',
      ),
      content: awsFiltered,
      account: awsRevoked,
    },
  },
  {
    name: 'Cohere',
    type: 34,
    model: 'command-a-03-2025',
    stream: cohereEvents,
    failures: {
      context: [
        400,
        {
          message:
            'too many tokens: size limit exceeded by 19296 tokens. Try using shorter or fewer inputs. ' +
            'The limit for this model is 132000 tokens.',
        },
      ],
      account: [401, { message: 'invalid api token' }],
    },
  },
  {
    name: 'xAI',
    type: 48,
    model: 'grok-4',
    stream: chatEvents,
    failures: {
      context: [
        400,
        {
          code: 'Client specified an invalid argument',
          error:
            "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
        },
      ],
      content: [
        403,
        {
          code: 'The caller does not have permission to execute the specified operation',
          error: 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO',
        },
      ],
      account: [
        400,
        {
          code: 'Client specified an invalid argument',
          error:
            'Incorrect API key provided: xa***y1. You can obtain an API key from https://console.x.ai.',
        },
      ],
    },
  },
  {
    name: 'Mistral',
    type: 42,
    model: 'mistral-large-latest',
    stream: chatEvents,
    failures: {
      context: [
        400,
        {
          object: 'error',
          message:
            'Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
          type: 'invalid_request_error',
          code: '3051',
        },
      ],
    },
  },
  {
    name: 'OpenRouter',
    type: 20,
    model: 'openai/gpt-4o',
    stream: chatEvents,
    failures: {
      context: [
        400,
        openAi(
          "This endpoint's maximum context length is 128000 tokens. However, you requested about 140000 tokens.",
          { code: 400 },
        ),
      ],
      content: [
        403,
        { error: { code: 403, message: 'The model requires moderation. Your input was flagged' } },
      ],
      account: [402, { error: { code: 402, message: 'Insufficient credits' } }],
    },
  },
  {
    name: 'DeepSeek',
    type: 43,
    model: 'deepseek-chat',
    stream: chatEvents,
    failures: {
      context: [
        400,
        openAi(
          "This model's maximum context length is 131072 tokens. However, you requested 200000 tokens (200000 in the messages, 0 in the completion). Please reduce the length of the messages or completion.",
          { code: 'invalid_request_error' },
        ),
      ],
      content: [400, openAi('Content Exists Risk', { code: 'invalid_request_error' })],
      account: [402, openAi('Insufficient Balance', { type: 'unknown_error' })],
    },
  },
  {
    name: 'Ali',
    type: 17,
    model: 'qwen-plus',
    stream: chatEvents,
    failures: {
      context: [
        400,
        openAi(
          '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]',
          {
            code: 'invalid_parameter_error',
          },
        ),
      ],
      content: [
        400,
        openAi('Input data may contain inappropriate content.', { code: 'data_inspection_failed' }),
      ],
      account: [400, openAi('Access denied, your account is in arrears.', { code: 'Arrearage' })],
    },
  },
  {
    name: 'Moonshot',
    type: 25,
    model: 'kimi-k2.5',
    stream: chatEvents,
    failures: {
      context: [
        400,
        openAi(
          'Invalid request: Your request exceeded model token limit: 262144 (requested: 300000)',
        ),
      ],
      content: [400, openAi('The request was rejected as high risk', { type: 'content_filter' })],
      account: [
        429,
        openAi('Your account is suspended.', { type: 'exceeded_current_quota_error' }),
      ],
    },
  },
  {
    name: 'Volcano Ark',
    type: 45,
    model: 'doubao-seed-1-6',
    stream: chatEvents,
    failures: {
      context: [
        400,
        {
          error: {
            code: 'InvalidParameter',
            message: 'Total tokens of image and text exceed max message tokens. Request id: 1',
            type: 'BadRequest',
          },
        },
      ],
      content: [
        400,
        {
          error: {
            code: 'InputTextSensitiveContentDetected',
            message: 'The request failed because the input text may contain sensitive information.',
            type: 'BadRequest',
          },
        },
      ],
      account: [
        403,
        {
          error: {
            code: 'AccountOverdueError',
            message: 'The request failed because your account has an overdue balance.',
            type: 'Forbidden',
          },
        },
      ],
    },
  },
  {
    name: 'Zhipu',
    type: 26,
    model: 'glm-4.6',
    stream: chatEvents,
    failures: {
      context: [400, { error: { code: '1261', message: 'Prompt 超长' } }],
      content: [400, { error: { code: '1301', message: '系统检测到不安全或敏感内容' } }],
      account: [429, { error: { code: '1113', message: '您的账户已欠费' } }],
    },
  },
  {
    name: 'Baidu',
    type: 46,
    model: 'ernie-4.5-turbo-128k',
    stream: chatEvents,
    failures: {
      context: [400, openAi('prompt tokens too long', { code: 'invalid_argument' })],
    },
  },
  {
    name: 'MiniMax',
    type: 35,
    model: 'MiniMax-M2',
    stream: chatEvents,
    failures: {
      context: [
        400,
        {
          base_resp: {
            status_code: 2013,
            status_msg: 'invalid params, context window exceeds limit',
          },
        },
      ],
      content: [200, { base_resp: { status_code: 1026, status_msg: 'input new_sensitive' } }],
      account: [200, { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }],
    },
  },
  {
    name: 'SiliconCloud',
    type: 40,
    model: 'Qwen/Qwen3-32B',
    stream: chatEvents,
    failures: {
      context: [
        400,
        {
          code: 20015,
          message: 'length of prompt_tokens (57535) must be less than max_seq_len (32768).',
          data: null,
        },
      ],
    },
  },
  {
    name: 'Cloudflare',
    type: 39,
    model: '@cf/meta/llama-3.1-8b-instruct',
    other: 'account-id',
    failures: {
      context: [
        413,
        {
          errors: [
            {
              message:
                'AiError: The estimated number of input and maximum output tokens (35000) exceeded this model context window limit (24000).',
              code: 5021,
            },
          ],
          success: false,
          result: {},
          messages: [],
        },
      ],
    },
  },
  {
    name: 'Ollama',
    type: 4,
    model: 'llama3.1',
    setting: { native_api: true },
    stream: ollamaLines,
    streamType: 'application/x-ndjson',
    failures: {
      context: [500, { error: 'prompt too long; exceeded max context length by 4 tokens' }],
    },
  },
  {
    name: 'a server of llama.cpp',
    type: 8,
    model: 'local',
    stream: chatEvents,
    failures: {
      context: [
        400,
        {
          error: {
            code: 400,
            message:
              'request (35999 tokens) exceeds the available context size (32768 tokens), try increasing it',
            type: 'exceed_context_size_error',
            n_prompt_tokens: 35_999,
            n_ctx: 32_768,
          },
        },
      ],
    },
  },
  {
    name: 'xAI without credits',
    type: 48,
    model: 'grok-4.1-fast',
    stream: chatEvents,
    failures: {
      account: [
        429,
        {
          code: 'Some resource has been exhausted',
          error:
            'Your team 16f2151a has either used all available credits or reached its monthly spending limit. To continue making API requests, please purchase more credits or raise your spending limit.',
        },
      ],
    },
  },
  {
    name: 'Claude past its limit',
    type: 14,
    model: 'claude-haiku-4-5',
    stream: claudeEvents,
    failures: {
      account: [
        400,
        claude(
          'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.',
        ),
      ],
    },
  },
  {
    name: 'Groq',
    type: 8,
    model: 'llama-3.3-70b-versatile',
    stream: chatEvents,
    failures: {
      context: [
        400,
        openAi('Please reduce the length of the messages or completion.', {
          code: 'context_length_exceeded',
          param: 'messages',
        }),
      ],
      account: [
        400,
        openAi(
          'Organization has been restricted. Please reach out to support if you believe this was in error.',
          { code: 'organization_restricted' },
        ),
      ],
    },
  },
  {
    // https://github.com/sgl-project/sglang/issues/4048
    name: 'a server of SGLang',
    type: 8,
    model: 'local-2',
    stream: chatEvents,
    failures: {
      context: [
        400,
        {
          object: 'error',
          message:
            'Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).',
          type: 'BadRequestError',
          code: 400,
        },
      ],
    },
  },
];
