/** Which logo stands for a channel type or a model name. */
import type { LogoKey } from './provider-logo-files.ts';

const byType: Readonly<Record<number, LogoKey>> = {
  1: 'openai',
  2: 'midjourney',
  3: 'azureai',
  4: 'ollama',
  5: 'midjourney',
  11: 'palm',
  14: 'claude',
  15: 'baidu',
  16: 'zhipu',
  17: 'qwen',
  18: 'spark',
  19: 'ai360',
  20: 'openrouter',
  22: 'fastgpt',
  23: 'hunyuan',
  24: 'gemini',
  25: 'moonshot',
  26: 'zhipu',
  27: 'perplexity',
  31: 'zeroone',
  33: 'aws',
  34: 'cohere',
  35: 'minimax',
  36: 'suno',
  37: 'dify',
  38: 'jina',
  39: 'cloudflare',
  40: 'siliconcloud',
  41: 'vertexai',
  42: 'mistral',
  43: 'deepseek',
  45: 'volcengine',
  46: 'baidu',
  47: 'xinference',
  48: 'xai',
};

/** First match wins; names are lower-cased and may carry a vendor before a slash. */
const byModel: readonly (readonly [RegExp, LogoKey])[] = [
  [/^(gpt|chatgpt|o[1-9](-|$)|text-|dall-e|whisper|tts-|davinci|babbage|omni-|codex|sora)/, 'openai'],
  [/^claude/, 'claude'],
  [/^(gemini|imagen|veo)/, 'gemini'],
  [/^(gemma|learnlm|aqa)/, 'google'],
  [/^(palm|text-bison|chat-bison)/, 'palm'],
  [/^deepseek/, 'deepseek'],
  [/^(qwen|qwq|qvq|wan|tongyi)/, 'qwen'],
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

export function logoOfType(type: number): LogoKey | undefined {
  return byType[type];
}

export function logoOfModel(model: string): LogoKey | undefined {
  const name = model.toLowerCase();
  const tail = name.slice(name.lastIndexOf('/') + 1);
  return byModel.find(([pattern]) => pattern.test(tail))?.[1] ?? byModel.find(([pattern]) => pattern.test(name))?.[1];
}
