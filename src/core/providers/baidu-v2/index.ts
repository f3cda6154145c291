/**
 * Type 46, Qianfan's V2 interface (docs/rules/providers.md#baidu-v2): OpenAI's wire below `/v2`.
 */

import type { Call, Provider } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import type { EditFields } from '../openai-compatible/model-rules.ts';
import type { OpenAiTask } from '../openai-compatible/vendor.ts';
import { qianfanModels } from './models.ts';

const searchSuffix = '-search';
const search = { enable: true, enable_citation: true, enable_trace: true, enable_status: false };

const paths: Partial<Record<OpenAiTask, string>> = {
  chat: '/chat/completions',
  completion: '/completions',
  embedding: '/embeddings',
  models: '/models',
  image: '/images/generations',
  'image-edit': '/images/edits',
  rerank: '/rerank',
};

/** The key, and the application where the key names one: `APIKey|appid`. */
function qianfanHeaders(call: Call): Record<string, string> {
  const [key = '', app, ...more] = call.key
    .reveal()
    .split('|')
    .map((part) => part.trim());
  if (key === '' || app === '' || more.length > 0) {
    throw new AppError('invalid_channel_key', { detail: 'APIKey, or APIKey|appid' });
  }
  return { authorization: `Bearer ${key}`, ...(app === undefined ? {} : { appid: app }) };
}

/** A model requested as `NAME-search` is NAME with Baidu's search. */
const editChat: EditFields = (field, model) => {
  if (!model.endsWith(searchSuffix)) return { model, edits: {} };
  const edits = field('web_search') === undefined ? { web_search: search } : {};
  return { model: model.slice(0, -searchSuffix.length), edits };
};

interface Qianfan {
  readonly slug: string;
  readonly channelTypes: Provider['channelTypes'];
  /** The name V2 knows a model by. */
  readonly nameOf?: (model: string) => string;
  /** The address behind the channel's base URL, without `/v2`. */
  readonly rootOf?: (baseUrl: string) => string;
}

/** Also used by channels of the older type with a key for V2. */
export function qianfan({
  slug,
  channelTypes,
  nameOf = (model) => model,
  rootOf = (baseUrl) => baseUrl,
}: Qianfan) {
  const renamed: EditFields = (_field, model) => ({ model: nameOf(model), edits: {} });
  return openaiCompatible({
    slug,
    channelTypes,
    defaultBaseUrl: 'https://qianfan.baidubce.com',
    measuresUsage: true,
    keyFormat: { example: 'bce-v3/ALTAK-…, or bce-v3/ALTAK-…|app-…' },
    models: qianfanModels,
    embedsTextOnly: true,
    also: ['image', 'image-edit', 'rerank'],
    address: (task, call) => `${rootOf(call.baseUrl).replace(/\/v2$/, '')}/v2${paths[task]}`,
    headers: qianfanHeaders,
    edit: (field, model, call) => editChat(field, nameOf(model), call),
    edits: {
      completion: renamed,
      embedding: renamed,
      image: renamed,
      'image-edit': renamed,
      rerank: renamed,
    },
    developerRole: false,
  });
}

export const baiduV2 = qianfan({ slug: 'baidu-v2', channelTypes: [46] });
