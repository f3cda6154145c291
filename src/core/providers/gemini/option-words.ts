import type { geminiOptions } from './options.ts';

type Key = keyof typeof geminiOptions;
type Words = Record<`option.${Key}.label`, string> & Partial<Record<`option.${Key}.hint`, string>>;

export const geminiOptionWords = {
  zh: {
    'option.gemini.safety_settings.label': 'Gemini 安全设置',
    'option.gemini.safety_settings.hint': '类别 → 阈值，default 为其余类别',
    'option.gemini.version_settings.label': 'Gemini 接口版本',
    'option.gemini.version_settings.hint': '模型 → 版本，default 为其余模型',
    'option.gemini.thinking_adapter_enabled.label': 'Gemini 思考后缀',
    'option.gemini.thinking_adapter_enabled.hint':
      '模型名可加 -thinking、-thinking-数字、-nothinking，Gemini 3 可加 -high 等',
    'option.gemini.thinking_adapter_budget_tokens_percentage.label': 'Gemini 思考预算占比',
    'option.gemini.thinking_adapter_budget_tokens_percentage.hint':
      '占 maxOutputTokens 的比例，大于 0，最多 1',
  },
  en: {
    'option.gemini.safety_settings.label': 'Gemini safety settings',
    'option.gemini.safety_settings.hint': 'Category → threshold; default is for all others',
    'option.gemini.version_settings.label': 'Gemini API version',
    'option.gemini.version_settings.hint': 'Model → version; default is for all others',
    'option.gemini.thinking_adapter_enabled.label': 'Gemini thinking suffix',
    'option.gemini.thinking_adapter_enabled.hint':
      'Model names may end in -thinking, -thinking-NUMBER or -nothinking; Gemini 3 also in -high and the like',
    'option.gemini.thinking_adapter_budget_tokens_percentage.label': 'Gemini thinking budget share',
    'option.gemini.thinking_adapter_budget_tokens_percentage.hint':
      'Above 0, at most 1, of maxOutputTokens',
  },
} satisfies Record<'zh' | 'en', Words>;
