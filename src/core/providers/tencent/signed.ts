/**
 * The signed interface, for keys `AppId|SecretId|SecretKey`
 * (docs/rules/providers.md#tencent-choice).
 */

import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import { splitKey } from '../../canonical/kit/split-key.ts';
import { textInputs } from '../../canonical/kit/text-inputs.ts';
import type { Call, Provider, UpstreamRequest } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { z } from '../../kernel/zod.ts';
import { readEmbeddingReply } from '../openai-compatible/embedding.ts';
import { readTencentReply, replyOfTencent, TencentStreamDecoder } from './decode-chat.ts';
import { writeTencentChat } from './encode-chat.ts';
import { readTencentFailure } from './failure.ts';
import { tencentModels } from './models.ts';
import { signTc3 } from './sign.ts';

/** The application's number was part of older signatures; it may be left out. */
function readKey({ key }: Call): { readonly SecretId: string; readonly SecretKey: string } {
  if (key.reveal().split('|').length === 2) return splitKey(key, ['SecretId', 'SecretKey']);
  const parts = splitKey(key, ['AppId', 'SecretId', 'SecretKey']);
  if (!/^\d+$/.test(parts.AppId))
    throw new AppError('invalid_channel_key', { detail: 'AppId|SecretId|SecretKey' });
  return parts;
}

function post(action: string, call: Call, body: JsonObject, stream: boolean): UpstreamRequest {
  return {
    method: 'POST',
    url: `${call.baseUrl}/`,
    headers: { ...jsonHeaders(stream), 'x-tc-action': action, 'x-tc-version': '2023-09-01' },
    body,
  };
}

export const tencentSigned: Provider = {
  slug: 'tencent-signed',
  channelTypes: [23],
  defaultBaseUrl: 'https://hunyuan.tencentcloudapi.com',
  keyFormat: { example: 'AppId|SecretId|SecretKey' },
  settings: z.object({}),
  models: tencentModels,
  operations: {
    chat: {
      encode: (request, call) => {
        readKey(call);
        return post('ChatCompletions', call, writeTencentChat(request, call.model), request.stream);
      },
      decode: readTencentReply,
      framing: 'sse',
      createStreamDecoder: () => new TencentStreamDecoder(),
    },
    embedding: {
      encode: (request, call) => {
        readKey(call);
        return post('GetEmbedding', call, { InputList: textInputs(request) }, false);
      },
      decode: (body) => readEmbeddingReply(replyOfTencent(body)),
    },
  },
  /** The body becomes the bytes that are signed: what is sent later is exactly them. */
  async authorize(request, call, effects) {
    const { SecretId, SecretKey } = readKey(call);
    const { body } = request;
    const payload = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body ?? {}));
    const timestamp = Math.floor(effects.now().getTime() / 1000);
    const authorization = signTc3({
      secretId: SecretId,
      secretKey: SecretKey,
      service: 'hunyuan',
      host: new URL(request.url).host,
      action: request.headers['x-tc-action'] ?? '',
      payload,
      timestamp,
    });
    return {
      ...request,
      headers: { ...request.headers, 'x-tc-timestamp': String(timestamp), authorization },
      body: payload,
    };
  },
  readFailure: readTencentFailure,
};
