/**
 * Type 18, Spark (docs/rules/providers.md#spark-chat): one WebSocket per question, or HTTP where
 * the key is an APIPassword.
 */

import { splitKey } from '../../canonical/kit/split-key.ts';
import type { Call, Provider } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { z } from '../../kernel/zod.ts';
import { SparkStreamDecoder } from './decode-stream.ts';
import { writeSparkFrame } from './encode-chat.ts';
import { readSparkFailure } from './failure.ts';
import { xunfeiFields } from './fields.ts';
import { sparkHttp } from './http.ts';
import { sparkModels } from './models.ts';
import { signAddress } from './sign.ts';
import { sparkVersion } from './versions.ts';

function readKey({ key }: Call) {
  return splitKey(key, ['APPID', 'APISecret', 'APIKey']);
}

export const xunfei: Provider = {
  slug: 'xunfei',
  channelTypes: [18],
  defaultBaseUrl: 'https://spark-api.xf-yun.com',
  keyFormat: { example: 'APPID|APISecret|APIKey, or an APIPassword' },
  settings: z.object({}),
  other: { label: xunfeiFields.other.label.en, default: 'v2.1', pattern: /^[\w.-]+$/ },
  models: sparkModels,
  operations: {
    chat: {
      streamOnly: true,
      encode(request, call) {
        const version = sparkVersion(call);
        return {
          method: 'GET',
          url: call.baseUrl.replace(/^http/, 'ws') + version.path,
          headers: {},
          body: writeSparkFrame(request, version, readKey(call).APPID),
        };
      },
      decode() {
        throw new AppError('bad_response_body', { detail: 'Spark answers in frames' });
      },
      framing: 'ndjson',
      createStreamDecoder: () => new SparkStreamDecoder(),
    },
  },
  async authorize(request, call, effects) {
    return { ...request, url: signAddress(request.url, readKey(call), effects.now()) };
  },
  variants: [{ fits: ({ key }) => !key.reveal().includes('|'), provider: sparkHttp }],
  readFailure: readSparkFailure,
};
