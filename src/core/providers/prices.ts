import type { VendorPrices } from '../pricing/rows.ts';
import { zhinao360Prices } from './360/prices.ts';
import { aliPrices } from './ali/prices.ts';
import { anthropicPrices } from './anthropic/prices.ts';
import { baiduPrices } from './baidu/prices.ts';
import { coherePrices } from './cohere/prices.ts';
import { deepseekPrices } from './deepseek/prices.ts';
import { geminiPrices } from './gemini/prices.ts';
import { lingyiPrices } from './lingyi/prices.ts';
import { minimaxPrices } from './minimax/prices.ts';
import { mistralPrices } from './mistral/prices.ts';
import { moonshotPrices } from './moonshot/prices.ts';
import { openaiPrices } from './openai/prices.ts';
import { palmPrices } from './palm/prices.ts';
import { perplexityPrices } from './perplexity/prices.ts';
import { tencentPrices } from './tencent/prices.ts';
import { volcenginePrices } from './volcengine/prices.ts';
import { xaiPrices } from './xai/prices.ts';
import { xunfeiPrices } from './xunfei/prices.ts';
import { zhipuPrices } from './zhipu/prices.ts';

/** Default prices of the vendors' models. */
export const vendorPrices: readonly VendorPrices[] = [
  openaiPrices,
  anthropicPrices,
  palmPrices,
  geminiPrices,
  baiduPrices,
  zhipuPrices,
  aliPrices,
  xunfeiPrices,
  zhinao360Prices,
  tencentPrices,
  lingyiPrices,
  deepseekPrices,
  moonshotPrices,
  minimaxPrices,
  volcenginePrices,
  coherePrices,
  perplexityPrices,
  xaiPrices,
  mistralPrices,
];
