import type { anthropicOptions } from './options.ts';

type Key = keyof typeof anthropicOptions;
type Words = Record<`option.${Key}.label`, string> & Partial<Record<`option.${Key}.hint`, string>>;

export const anthropicOptionWords = {
  zh: {
    'option.claude.model_headers_settings.label': 'Claude 请求头',
    'option.claude.model_headers_settings.hint': '模型 → 请求头 → 值',
    'option.claude.default_max_tokens.label': 'Claude 默认 max_tokens',
    'option.claude.default_max_tokens.hint': '模型 → 上限，default 为其余模型',
    'option.claude.thinking_adapter_enabled.label': 'Claude 思考后缀',
    'option.claude.thinking_adapter_enabled.hint': '模型名加 -thinking 即开启思考',
    'option.claude.thinking_adapter_budget_tokens_percentage.label': '思考预算占比',
    'option.claude.thinking_adapter_budget_tokens_percentage.hint': '占 max_tokens 的 0.1 到 1',
  },
  en: {
    'option.claude.model_headers_settings.label': 'Claude headers',
    'option.claude.model_headers_settings.hint': 'Model → header → values',
    'option.claude.default_max_tokens.label': 'Claude default max_tokens',
    'option.claude.default_max_tokens.hint': 'Model → limit; default is for all others',
    'option.claude.thinking_adapter_enabled.label': 'Claude thinking suffix',
    'option.claude.thinking_adapter_enabled.hint':
      'A model name ending in -thinking turns thinking on',
    'option.claude.thinking_adapter_budget_tokens_percentage.label': 'Thinking budget share',
    'option.claude.thinking_adapter_budget_tokens_percentage.hint': '0.1 to 1 of max_tokens',
  },
} satisfies Record<'zh' | 'en', Words>;
