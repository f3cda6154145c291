/**
 * The provider set's files used here; each is an asset of its own, loaded when it is first shown.
 */
import ai360 from '@lobehub/icons-static-svg/icons/ai360-color.svg?url&no-inline';
import aws from '@lobehub/icons-static-svg/icons/aws.svg?url&no-inline';
import azureai from '@lobehub/icons-static-svg/icons/azureai-color.svg?url&no-inline';
import baichuan from '@lobehub/icons-static-svg/icons/baichuan-color.svg?url&no-inline';
import baidu from '@lobehub/icons-static-svg/icons/baidu-color.svg?url&no-inline';
import claude from '@lobehub/icons-static-svg/icons/claude-color.svg?url&no-inline';
import cloudflare from '@lobehub/icons-static-svg/icons/cloudflare-color.svg?url&no-inline';
import cohere from '@lobehub/icons-static-svg/icons/cohere-color.svg?url&no-inline';
import deepseek from '@lobehub/icons-static-svg/icons/deepseek-color.svg?url&no-inline';
import dify from '@lobehub/icons-static-svg/icons/dify-color.svg?url&no-inline';
import doubao from '@lobehub/icons-static-svg/icons/doubao-color.svg?url&no-inline';
import fastgpt from '@lobehub/icons-static-svg/icons/fastgpt-color.svg?url&no-inline';
import flux from '@lobehub/icons-static-svg/icons/flux.svg?url&no-inline';
import gemini from '@lobehub/icons-static-svg/icons/gemini-color.svg?url&no-inline';
import google from '@lobehub/icons-static-svg/icons/google-color.svg?url&no-inline';
import hunyuan from '@lobehub/icons-static-svg/icons/hunyuan-color.svg?url&no-inline';
import jina from '@lobehub/icons-static-svg/icons/jina.svg?url&no-inline';
import kimi from '@lobehub/icons-static-svg/icons/kimi.svg?url&no-inline';
import kling from '@lobehub/icons-static-svg/icons/kling-color.svg?url&no-inline';
import meta from '@lobehub/icons-static-svg/icons/meta-color.svg?url&no-inline';
import midjourney from '@lobehub/icons-static-svg/icons/midjourney.svg?url&no-inline';
import minimax from '@lobehub/icons-static-svg/icons/minimax-color.svg?url&no-inline';
import mistral from '@lobehub/icons-static-svg/icons/mistral-color.svg?url&no-inline';
import moonshot from '@lobehub/icons-static-svg/icons/moonshot.svg?url&no-inline';
import nvidia from '@lobehub/icons-static-svg/icons/nvidia-color.svg?url&no-inline';
import ollama from '@lobehub/icons-static-svg/icons/ollama.svg?url&no-inline';
import openai from '@lobehub/icons-static-svg/icons/openai.svg?url&no-inline';
import openrouter from '@lobehub/icons-static-svg/icons/openrouter.svg?url&no-inline';
import palm from '@lobehub/icons-static-svg/icons/palm-color.svg?url&no-inline';
import perplexity from '@lobehub/icons-static-svg/icons/perplexity-color.svg?url&no-inline';
import qwen from '@lobehub/icons-static-svg/icons/qwen-color.svg?url&no-inline';
import siliconcloud from '@lobehub/icons-static-svg/icons/siliconcloud-color.svg?url&no-inline';
import spark from '@lobehub/icons-static-svg/icons/spark-color.svg?url&no-inline';
import stepfun from '@lobehub/icons-static-svg/icons/stepfun-color.svg?url&no-inline';
import suno from '@lobehub/icons-static-svg/icons/suno.svg?url&no-inline';
import vertexai from '@lobehub/icons-static-svg/icons/vertexai-color.svg?url&no-inline';
import volcengine from '@lobehub/icons-static-svg/icons/volcengine-color.svg?url&no-inline';
import wenxin from '@lobehub/icons-static-svg/icons/wenxin-color.svg?url&no-inline';
import xai from '@lobehub/icons-static-svg/icons/xai.svg?url&no-inline';
import xinference from '@lobehub/icons-static-svg/icons/xinference-color.svg?url&no-inline';
import zeroone from '@lobehub/icons-static-svg/icons/zeroone.svg?url&no-inline';
import zhipu from '@lobehub/icons-static-svg/icons/zhipu-color.svg?url&no-inline';

export interface LogoFile {
  readonly url: string;
  /** Drawn in the ink of its surroundings; the others bring their colours. */
  readonly ink: boolean;
}

const coloured = (url: string): LogoFile => ({ url, ink: false });
const inked = (url: string): LogoFile => ({ url, ink: true });

export const logoFiles = {
  ai360: coloured(ai360),
  aws: inked(aws),
  azureai: coloured(azureai),
  baichuan: coloured(baichuan),
  baidu: coloured(baidu),
  claude: coloured(claude),
  cloudflare: coloured(cloudflare),
  cohere: coloured(cohere),
  deepseek: coloured(deepseek),
  dify: coloured(dify),
  doubao: coloured(doubao),
  fastgpt: coloured(fastgpt),
  flux: inked(flux),
  gemini: coloured(gemini),
  google: coloured(google),
  hunyuan: coloured(hunyuan),
  jina: inked(jina),
  kimi: inked(kimi),
  kling: coloured(kling),
  meta: coloured(meta),
  midjourney: inked(midjourney),
  minimax: coloured(minimax),
  mistral: coloured(mistral),
  moonshot: inked(moonshot),
  nvidia: coloured(nvidia),
  ollama: inked(ollama),
  openai: inked(openai),
  openrouter: inked(openrouter),
  palm: coloured(palm),
  perplexity: coloured(perplexity),
  qwen: coloured(qwen),
  siliconcloud: coloured(siliconcloud),
  spark: coloured(spark),
  stepfun: coloured(stepfun),
  suno: inked(suno),
  vertexai: coloured(vertexai),
  volcengine: coloured(volcengine),
  wenxin: coloured(wenxin),
  xai: inked(xai),
  xinference: coloured(xinference),
  zeroone: inked(zeroone),
  zhipu: coloured(zhipu),
} as const satisfies Record<string, LogoFile>;
export type LogoKey = keyof typeof logoFiles;
