/** The makers of models, as the price list and the model square name them. */
import type { Language } from '../../core/vocabulary/languages.ts';
import type { LogoKey } from './provider-logo-files.ts';
import { logoOfModel } from './provider-logo-names.ts';

type VendorName = string | Readonly<Record<Language, string>>;

const names: Readonly<Partial<Record<LogoKey, VendorName>>> = {
  openai: 'OpenAI',
  claude: 'Anthropic',
  gemini: 'Google',
  google: 'Google',
  palm: 'Google',
  deepseek: 'DeepSeek',
  qwen: { zh: '阿里云', en: 'Alibaba Cloud' },
  kimi: { zh: '月之暗面', en: 'Moonshot AI' },
  moonshot: { zh: '月之暗面', en: 'Moonshot AI' },
  zhipu: { zh: '智谱', en: 'Zhipu AI' },
  doubao: { zh: '火山引擎', en: 'Volcengine' },
  wenxin: { zh: '百度', en: 'Baidu' },
  hunyuan: { zh: '腾讯', en: 'Tencent' },
  spark: { zh: '讯飞', en: 'iFLYTEK' },
  minimax: 'MiniMax',
  zeroone: { zh: '零一万物', en: '01.AI' },
  mistral: 'Mistral AI',
  cohere: 'Cohere',
  meta: 'Meta',
  xai: 'xAI',
  perplexity: 'Perplexity',
  jina: 'Jina AI',
  stepfun: { zh: '阶跃星辰', en: 'StepFun' },
  baichuan: { zh: '百川智能', en: 'Baichuan' },
  midjourney: 'Midjourney',
  suno: 'Suno',
  flux: 'Black Forest Labs',
  nvidia: 'NVIDIA',
  ai360: '360',
};

/** Empty where neither the name of the model nor the catalogue (`vendor`) tells. */
export function vendorOfModel(model: string, language: Language, vendor = ''): string {
  const logo = logoOfModel(model, vendor);
  const name = logo === undefined ? undefined : names[logo];
  return typeof name === 'object' ? name[language] : (name ?? '');
}
