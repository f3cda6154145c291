import type { VendorFields } from '../vocabulary/vendor-fields.ts';
import { aiProxyFields } from './ai-proxy/fields.ts';
import { aliFields } from './ali/fields.ts';
import { awsFields } from './aws/fields.ts';
import { azureFields } from './azure/fields.ts';
import { baiduFields } from './baidu/fields.ts';
import { cloudflareFields } from './cloudflare/fields.ts';
import { deepseekFields } from './deepseek/fields.ts';
import { geminiFields } from './gemini/fields.ts';
import { midjourneyFields } from './midjourney/fields.ts';
import { minimaxFields } from './minimax/fields.ts';
import { ollamaFields } from './ollama/fields.ts';
import { openaiFields } from './openai/fields.ts';
import { openAiSettingFields } from './openai-compatible/fields.ts';
import { vertexFields } from './vertex/fields.ts';
import { xunfeiFields } from './xunfei/fields.ts';

/** By slug of the channel type. */
const declared: Readonly<Record<string, VendorFields>> = {
  'ai-proxy': aiProxyFields,
  ali: aliFields,
  aws: awsFields,
  azure: azureFields,
  baidu: baiduFields,
  cloudflare: cloudflareFields,
  deepseek: deepseekFields,
  gemini: geminiFields,
  midjourney: midjourneyFields,
  'midjourney-plus': midjourneyFields,
  minimax: minimaxFields,
  ollama: ollamaFields,
  openai: openaiFields,
  vertex: vertexFields,
  xunfei: xunfeiFields,
};

/**
 * The words of a type's fields, with those of the settings that all OpenAI-compatible vendors
 * share.
 */
export function vendorFields(slug: string): VendorFields {
  const own = declared[slug];
  return { ...own, settings: { ...openAiSettingFields, ...own?.settings } };
}
