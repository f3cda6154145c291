/**
 * Type 37 (docs/rules/providers.md#dify): an application per key, which chooses model and tools
 * itself. Always streamed: applications with agents only stream, and whole replies are cut off
 * after some 100 seconds.
 */

import { joinVersioned, jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { Provider } from '../../canonical/provider.ts';
import { z } from '../../kernel/zod.ts';
import { bearerHeaders } from '../openai-compatible/index.ts';
import { DifyStreamDecoder, readDifyReply } from './decode.ts';
import { writeDifyChat } from './encode-chat.ts';
import { readDifyFailure } from './failure.ts';
import { uploadFiles } from './upload.ts';

export const dify: Provider = {
  slug: 'dify',
  channelTypes: [37],
  defaultBaseUrl: 'https://api.dify.ai',
  keyFormat: { example: 'app-…' },
  settings: z.object({}),
  models: [],
  operations: {
    chat: {
      streamOnly: true,
      prepare: uploadFiles,
      encode: (request, call) => ({
        method: 'POST',
        url: joinVersioned(call.baseUrl, '/v1/chat-messages'),
        headers: { ...jsonHeaders(request.stream), ...bearerHeaders(call) },
        body: writeDifyChat(request),
      }),
      decode: readDifyReply,
      framing: 'sse',
      createStreamDecoder: (call) => new DifyStreamDecoder(call),
    },
  },
  readFailure: readDifyFailure,
};
