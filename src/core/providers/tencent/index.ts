/**
 * Type 23 (docs/rules/providers.md#tencent-choice). Tencent replaced Hunyuan by TokenHub, which is
 * OpenAI-compatible and takes plain API keys. Channels with keys of several parts sign their
 * requests for Hunyuan, for private gateways.
 */
import type { ProviderError } from '../../canonical/chat-reply.ts';
import { readFailure } from '../../canonical/kit/failure.ts';
import type { Provider, UpstreamFailure } from '../../canonical/provider.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { tencentModels } from './models.ts';
import { tencentSigned } from './signed.ts';

/**
 * TokenHub replies with 402 to a model that is not activated
 * (docs/rules/providers.md#tencent-choice), which does not concern its other models.
 */
function readTokenHubFailure(failure: UpstreamFailure): ProviderError {
  const error = readFailure(failure);
  return error.status === 402 ? { ...error, accountFault: false } : error;
}

const paths = { chat: '/chat/completions', embedding: '/embeddings', models: '/models' } as const;

export const tencent: Provider<OpenAiSettings> = {
  ...openaiCompatible({
    slug: 'tencent',
    channelTypes: [23],
    defaultBaseUrl: 'https://tokenhub.tencentmaas.com/v1',
    measuresUsage: true,
    keyFormat: { example: 'sk-…, or AppId|SecretId|SecretKey' },
    models: tencentModels,
    without: ['completion'],
    developerRole: false,
    readFailure: readTokenHubFailure,
    address: (task, call) => call.baseUrl + (paths[task as keyof typeof paths] ?? ''),
  }),
  variants: [{ fits: ({ key }) => key.reveal().includes('|'), provider: tencentSigned }],
};
