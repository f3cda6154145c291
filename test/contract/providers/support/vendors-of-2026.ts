/**
 * What the vendors answer with status 400 in November 2026, written from their documents and error
 * messages, not from the catalogue. Undefined: the request is served.
 */
import { isObject, type JsonObject } from '../../../../src/core/kernel/json.ts';
import type { SentRequest } from './as-sent.ts';

type Refusal = string | undefined;
type Check = (model: string, body: JsonObject) => Refusal;

const has = (body: JsonObject, ...names: readonly string[]): Refusal =>
  names.map((name) => (body[name] === undefined ? undefined : `${name} is refused`)).find(Boolean);
const record = (value: unknown): JsonObject => (isObject(value) ? (value as JsonObject) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const above = (value: unknown, most: number): Refusal =>
  typeof value === 'number' && value > most ? `${value} output tokens` : undefined;

function unknownEffort(effort: unknown, known: readonly string[]): Refusal {
  return effort === undefined || known.includes(String(effort)) ? undefined : `effort ${effort}`;
}

const gptEfforts = (model: string): readonly string[] => {
  if (/-pro$/.test(model)) return ['medium', 'high', 'xhigh'];
  if (/^gpt-6-(astra|rosalind)|^gpt-6\.1-sol/.test(model))
    return ['low', 'medium', 'high', 'xhigh', 'max'];
  if (/^gpt-([6-9]|5\.6)/.test(model)) return ['none', 'low', 'medium', 'high', 'xhigh', 'max'];
  if (/^gpt-5\.[2-5]/.test(model)) return ['none', 'low', 'medium', 'high', 'xhigh'];
  return ['minimal', 'low', 'medium', 'high'];
};

/** `tools` of both of OpenAI's wires. */
const openAi =
  (wire: 'chat' | 'responses'): Check =>
  (model, body) => {
    const effort = wire === 'chat' ? body.reasoning_effort : record(body.reasoning).effort;
    const tools = list(body.tools).length > 0;
    const silent = effort === 'none';
    if (wire === 'chat' && /-pro$/.test(model)) return 'only served by /v1/responses';
    if (wire === 'chat' && tools) {
      if (/^gpt-([6-9]|5\.6)/.test(model) && !silent) return 'Function tools need /v1/responses';
      if (/^gpt-5\.[45]/.test(model) && effort !== undefined && !silent)
        return 'Function tools with reasoning_effort need /v1/responses';
    }
    return (
      unknownEffort(effort, gptEfforts(model)) ??
      (silent ? undefined : has(body, 'temperature', 'top_p')) ??
      has(body, wire === 'chat' ? 'max_tokens' : 'max_completion_tokens') ??
      (wire === 'chat' && record(body.prompt_cache_options).ttl === '12h'
        ? 'prompt_cache_options.ttl'
        : undefined) ??
      above(body.max_completion_tokens ?? body.max_output_tokens, 128_000)
    );
  };

const alwaysThinks = /claude-(fable|mythos)-[5-9]|claude-(opus|sonnet)-(5-5|[6-9])/;
const neverForced = /claude-(fable|mythos)-5-[1-9]|claude-(opus|sonnet)-(5-5|[6-9])/;

/** Claude 4.5 thinks by a budget or not at all; only Opus takes an effort. */
const claude45: Check = (model, body) => {
  const { type, budget_tokens: budget } = record(body.thinking);
  const least = Math.min(Number(body.max_tokens), model.includes('opus') ? 32_000 : 64_000);
  return (
    (type === 'adaptive' || type === 'between_tools' ? `thinking ${type}` : undefined) ??
    (type === 'enabled' && !(Number(budget) >= 1024 && Number(budget) < least)
      ? `budget ${budget} of ${body.max_tokens}`
      : undefined) ??
    (body.temperature !== undefined && body.top_p !== undefined ? 'two samplings' : undefined) ??
    (type === 'enabled' &&
    ![undefined, 'auto', 'none'].includes(record(body.tool_choice).type as string)
      ? 'forced tools with thinking'
      : undefined) ??
    unknownEffort(
      record(body.output_config).effort,
      model.includes('opus') ? ['low', 'medium', 'high'] : [],
    ) ??
    above(body.max_tokens, 64_000)
  );
};

const anthropic: Check = (model, body) => {
  if (model.includes('-4-5')) return claude45(model, body);
  const thinking = record(body.thinking).type;
  const effort = record(body.output_config).effort;
  const choice = record(body.tool_choice).type;
  const last = record(list(body.messages).at(-1));
  if (alwaysThinks.test(model) && thinking === 'disabled') return 'thinking cannot be disabled';
  const isOlder = model.includes('-4-6');
  if (thinking === 'enabled' && !isOlder) return 'budget_tokens are refused';
  if (thinking === 'between_tools' && !model.includes('sonnet-5-5')) return 'between_tools';
  if (thinking === 'between_tools' && (effort === 'xhigh' || effort === 'max'))
    return 'between_tools above high';
  if (neverForced.test(model) && (choice === 'any' || choice === 'tool')) return 'forced tools';
  if (last.role === 'assistant') return 'assistant message prefill';
  return (
    (isOlder ? undefined : has(body, 'temperature', 'top_p', 'top_k')) ??
    unknownEffort(effort, ['low', 'medium', 'high', ...(isOlder ? [] : ['xhigh']), 'max']) ??
    above(body.max_tokens, 128_000)
  );
};

const gemini: Check = (model, body) => {
  const config = record(body.generationConfig);
  const thinking = record(config.thinkingConfig);
  if (thinking.thinkingBudget !== undefined && thinking.thinkingLevel !== undefined)
    return 'budget and level';
  const levels = [
    ...(/^gemini-3(\.[0-6])?-flash/.test(model) ? ['minimal'] : []),
    'low',
    'medium',
    'high',
    ...(model.includes('hydrogen') ? ['xhigh'] : []),
  ];
  return (
    unknownEffort(
      typeof thinking.thinkingLevel === 'string' ? thinking.thinkingLevel.toLowerCase() : undefined,
      levels,
    ) ?? above(config.maxOutputTokens, /^gemini-[4-9]/.test(model) ? 1_048_576 : 65_536)
  );
};

const xai: Check = (model, body) => {
  const refusesEffort = /^grok-4\.20(-\d{4})?-(non-)?reasoning$/.test(model);
  const known = [
    'none',
    'low',
    'medium',
    'high',
    ...(/^grok-(4\.[6-9]|[5-9])/.test(model) ? ['xhigh'] : []),
  ];
  return (
    (refusesEffort ? has(body, 'reasoning_effort', 'reasoning') : undefined) ??
    unknownEffort(body.reasoning_effort ?? record(body.reasoning).effort, known) ??
    (model.includes('non-')
      ? undefined
      : has(body, 'presence_penalty', 'frequency_penalty', 'stop'))
  );
};

const deepseek: Check = (_model, body) =>
  unknownEffort(body.reasoning_effort, ['low', 'medium', 'high', 'xhigh', 'max']) ??
  (list(body.messages).some(
    (message) =>
      record(message).role === 'assistant' && record(message).reasoning_content === undefined,
  ) && record(body.thinking).type !== 'disabled'
    ? 'The reasoning_content in the thinking mode must be passed back'
    : above(body.max_tokens, 393_216));

const moonshot: Check = (model, body) =>
  has(body, 'temperature', 'top_p', 'n', 'presence_penalty', 'frequency_penalty', 'max_tokens') ??
  (body.tool_choice === 'required' ? 'tool_choice required' : undefined) ??
  unknownEffort(body.reasoning_effort, /^kimi-k[3-9]/.test(model) ? ['low', 'high', 'max'] : []);

const mistral: Check = (model, body) =>
  unknownEffort(
    body.reasoning_effort,
    /^mistral-large-[4-9]/.test(model) ? ['low', 'medium', 'high'] : ['none', 'high'],
  );

const outside = (body: JsonObject, name: string, low: number, high: number): Refusal => {
  const value = body[name];
  return typeof value === 'number' && (value < low || value > high)
    ? `${name} ${value}`
    : undefined;
};
const hasDeveloper = (body: JsonObject): Refusal =>
  list(body.messages).some((message) => record(message).role === 'developer')
    ? 'role developer'
    : undefined;

/** https://docs.bigmodel.cn/api-reference/模型-api/对话补全 and the page of GLM 5.3. */
const zhipu: Check = (model, body) =>
  has(body, 'frequency_penalty', 'presence_penalty', 'n', 'logprobs', 'parallel_tool_calls') ??
  has(body, 'max_completion_tokens', 'user', 'logit_bias') ??
  (body.tool_choice === undefined || body.tool_choice === 'auto' ? undefined : 'tool_choice') ??
  (typeof body.stop === 'string' ? 'stop is no list' : undefined) ??
  outside(body, 'temperature', 0, 1) ??
  outside(body, 'top_p', 0.01, 0.99) ??
  hasDeveloper(body) ??
  (/^glm-(5\.[3-9]|[6-9])/.test(model)
    ? ((record(body.thinking).type === 'disabled' ? 'thinking is always on' : undefined) ??
      unknownEffort(body.reasoning_effort, ['low', 'high', 'max']))
    : has(body, 'reasoning_effort')) ??
  above(body.max_tokens, 131_072);

/** https://www.alibabacloud.com/help/en/model-studio/qwen-api-reference */
const ali: Check = (_model, body) =>
  outside(body, 'top_p', 0.0001, 0.9999) ??
  (typeof body.thinking_budget === 'number' && body.enable_thinking !== true
    ? 'a budget without thinking'
    : undefined);

/** https://platform.minimax.io/docs/api-reference/text-openai-api */
const minimax: Check = (_model, body) =>
  outside(body, 'temperature', 0.01, 1) ?? hasDeveloper(body);

/** https://docs.byteplus.com/en/docs/Byteplus_LAS/Chat_API */
const volcengine: Check = (_model, body) => {
  const { type } = record(body.thinking);
  const effort = body.reasoning_effort ?? record(body.reasoning).effort;
  return (
    (type === undefined || ['enabled', 'disabled', 'auto'].includes(String(type))
      ? undefined
      : 'thinking.type') ??
    unknownEffort(effort, ['minimal', 'low', 'medium', 'high']) ??
    (body.max_tokens !== undefined && body.max_completion_tokens !== undefined
      ? 'two limits'
      : undefined) ??
    hasDeveloper(body)
  );
};

const vendors: Readonly<Record<string, Check>> = {
  'zhipu-4v': zhipu,
  ali,
  minimax,
  volcengine,
  // TokenHub, of which only this is known.
  tencent: (_model, body) => hasDeveloper(body),
  openai: openAi('chat'),
  anthropic,
  gemini,
  xai,
  deepseek,
  moonshot,
  mistral,
};

/** Why the vendor refuses a request; undefined: it does not. */
export function refusalOf(vendor: string, model: string, { url, body }: SentRequest): Refusal {
  // Another vendor's copy of Anthropic's wire, of which nothing is known.
  if (vendor !== 'anthropic' && url.includes('/anthropic/')) return undefined;
  const check =
    vendor === 'openai' && url.endsWith('/v1/responses') ? openAi('responses') : vendors[vendor];
  if (check === undefined) throw new Error(`nothing is known of ${vendor}`);
  return check(model, body);
}
