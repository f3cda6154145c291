/** The logo of a channel type or a model name. */
import { type ChannelTypeSlug, channelTypeInfo } from '../../core/vocabulary/channel-types.ts';
import type { LogoKey } from './provider-logo-files.ts';

/** The logo of each channel type that has a vendor. */
const bySlug: Readonly<Partial<Record<ChannelTypeSlug, LogoKey>>> = {
  openai: 'openai',
  midjourney: 'midjourney',
  azure: 'azureai',
  ollama: 'ollama',
  'midjourney-plus': 'midjourney',
  palm: 'palm',
  anthropic: 'claude',
  baidu: 'baidu',
  zhipu: 'zhipu',
  ali: 'qwen',
  xunfei: 'spark',
  '360': 'ai360',
  openrouter: 'openrouter',
  fastgpt: 'fastgpt',
  tencent: 'hunyuan',
  gemini: 'gemini',
  moonshot: 'moonshot',
  'zhipu-4v': 'zhipu',
  perplexity: 'perplexity',
  lingyi: 'zeroone',
  aws: 'aws',
  cohere: 'cohere',
  minimax: 'minimax',
  suno: 'suno',
  dify: 'dify',
  jina: 'jina',
  cloudflare: 'cloudflare',
  siliconcloud: 'siliconcloud',
  vertex: 'vertexai',
  mistral: 'mistral',
  deepseek: 'deepseek',
  volcengine: 'volcengine',
  'baidu-v2': 'baidu',
  xinference: 'xinference',
  xai: 'xai',
};

/** The first match wins. Names are lower case and may have a vendor prefix before a slash. */
const byModel: readonly (readonly [RegExp, LogoKey])[] = [
  [
    /^(gpt|chatgpt|o[1-9](-|$)|text-|dall-e|whisper|tts-|davinci|babbage|omni-|codex|sora)/,
    'openai',
  ],
  [/^claude/, 'claude'],
  [/^(gemini|imagen|veo)/, 'gemini'],
  [/^(gemma|learnlm|aqa)/, 'google'],
  [/^(palm|text-bison|chat-bison)/, 'palm'],
  [/^deepseek/, 'deepseek'],
  [/^(qwen|qwq|qvq|wan|tongyi|happyhorse)/, 'qwen'],
  [/^kling/, 'kling'],
  [/^kimi/, 'kimi'],
  [/^moonshot/, 'moonshot'],
  [/^(glm|chatglm|cogview|cogvideo|charglm)/, 'zhipu'],
  [/^(doubao|skylark|ep-)/, 'doubao'],
  [/^(ernie|wenxin)/, 'wenxin'],
  [/^hunyuan/, 'hunyuan'],
  [/^spark/, 'spark'],
  [/^(abab|minimax|speech-)/, 'minimax'],
  [/^yi-/, 'zeroone'],
  [/^(mistral|mixtral|codestral|ministral|pixtral|magistral|devstral|open-mi)/, 'mistral'],
  [/^(command|c4ai|rerank-|embed-)/, 'cohere'],
  [/^(llama|meta-)/, 'meta'],
  [/^grok/, 'xai'],
  [/^(sonar|pplx)/, 'perplexity'],
  [/^jina/, 'jina'],
  [/^step-/, 'stepfun'],
  [/^baichuan/, 'baichuan'],
  [/^(mj_|midjourney)/, 'midjourney'],
  [/^(suno|chirp)/, 'suno'],
  [/^(flux|black-forest)/, 'flux'],
  [/^(nemotron|nvidia)/, 'nvidia'],
  [/^360/, 'ai360'],
];

/** The logo of a channel type, given by its number. */
export function logoOfType(type: number): LogoKey | undefined {
  const slug = channelTypeInfo(type)?.slug;
  return slug === undefined ? undefined : bySlug[slug];
}

/** `vendor`: what the catalogue says, for names that tell nothing. */
export function logoOfModel(model: string, vendor = ''): LogoKey | undefined {
  const name = model.toLowerCase();
  const tail = name.slice(name.lastIndexOf('/') + 1);
  return (
    byModel.find(([pattern]) => pattern.test(tail))?.[1] ??
    byModel.find(([pattern]) => pattern.test(name))?.[1] ??
    bySlug[vendor as ChannelTypeSlug]
  );
}
