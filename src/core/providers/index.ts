/** Every vendor of this program: one import and one line each. */

import { createProviderRegistry } from '../canonical/registry.ts';
import { zhinao360 } from './360/index.ts';
import { aiProxy } from './ai-proxy/index.ts';
import { ali } from './ali/index.ts';
import { anthropic } from './anthropic/index.ts';
import { aws } from './aws/index.ts';
import { azure } from './azure/index.ts';
import { baidu } from './baidu/index.ts';
import { baiduV2 } from './baidu-v2/index.ts';
import { cloudflare } from './cloudflare/index.ts';
import { cohere } from './cohere/index.ts';
import { custom } from './custom/index.ts';
import { deepseek } from './deepseek/index.ts';
import { dify } from './dify/index.ts';
import { fastgpt } from './fastgpt/index.ts';
import { gemini } from './gemini/index.ts';
import { importedProviders } from './imported/index.ts';
import { jina } from './jina/index.ts';
import { lingyi } from './lingyi/index.ts';
import { midjourney } from './midjourney/index.ts';
import { minimax } from './minimax/index.ts';
import { mistral } from './mistral/index.ts';
import { moka } from './moka/index.ts';
import { moonshot } from './moonshot/index.ts';
import { ollama } from './ollama/index.ts';
import { openai } from './openai/index.ts';
import { openrouter } from './openrouter/index.ts';
import { palm } from './palm/index.ts';
import { perplexity } from './perplexity/index.ts';
import { siliconcloud } from './siliconcloud/index.ts';
import { suno } from './suno/index.ts';
import { tencent } from './tencent/index.ts';
import { vertex } from './vertex/index.ts';
import { volcengine } from './volcengine/index.ts';
import { xai } from './xai/index.ts';
import { xinference } from './xinference/index.ts';
import { xunfei } from './xunfei/index.ts';
import { zhipu, zhipu4v } from './zhipu/index.ts';

export const builtInProviders = createProviderRegistry([
  openai,
  anthropic,
  gemini,
  deepseek,
  baidu,
  baiduV2,
  zhipu,
  zhipu4v,
  tencent,
  xunfei,
  ali,
  minimax,
  volcengine,
  aws,
  vertex,
  cohere,
  azure,
  openrouter,
  perplexity,
  xai,
  mistral,
  siliconcloud,
  xinference,
  jina,
  moka,
  moonshot,
  lingyi,
  ollama,
  cloudflare,
  dify,
  fastgpt,
  aiProxy,
  zhinao360,
  palm,
  suno,
  midjourney,
  custom,
  ...importedProviders,
]);
