/**
 * Type 23 (spec, providers-china 8.1, 13). Tencent closed Hunyuan as a product in favour of TokenHub, which speaks OpenAI's
 * wire with plain API keys. Keys of several parts sign their requests as Hunyuan wants it, for private gateways.
 */
import { openaiCompatible } from '../openai-compatible/index.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import type { Provider } from '../provider.ts';
import { tencentModels } from './models.ts';
import { tencentSigned } from './signed.ts';

const paths = { chat: '/chat/completions', embedding: '/embeddings', models: '/models' } as const;

export const tencent: Provider<OpenAiSettings> = {
  ...openaiCompatible({
    slug: 'tencent',
    channelTypes: [23],
    defaultBaseUrl: 'https://tokenhub.tencentmaas.com/v1',
    keyFormat: { example: 'sk-…, or AppId|SecretId|SecretKey' },
    models: tencentModels,
    without: ['completion'],
    address: (task, call) => call.baseUrl + (paths[task as keyof typeof paths] ?? ''),
  }),
  variants: [{ fits: ({ key }) => key.reveal().includes('|'), provider: tencentSigned }],
};
