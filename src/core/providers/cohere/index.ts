/** Type 34, Cohere, by version 2 of its interface (docs/rules/providers.md#cohere-chat). */

import { getJson, namesIn, readPages } from '../../canonical/kit/account.ts';
import { readFailure } from '../../canonical/kit/failure.ts';
import { recordOf, textOf } from '../../canonical/kit/read-json.ts';
import {
  fitToolNames,
  restoreNamesInReply,
  restoreNamesInStream,
} from '../../canonical/kit/tool-names.ts';
import type { PassThrough } from '../../canonical/pass-through.ts';
import type { Call, Effects, Provider } from '../../canonical/provider.ts';
import { z } from '../../kernel/zod.ts';
import { readChatReply } from './decode-chat.ts';
import { CohereStreamDecoder } from './decode-stream.ts';
import { embedding } from './embedding.ts';
import { writeChatBody } from './encode-chat.ts';
import { cohereModels } from './models.ts';
import { cohereAddress, cohereHeaders } from './request.ts';
import { rerank } from './rerank.ts';

/** Names of functions. */
const toolNames = { limit: 64 };

/**
 * The site's safety mode is added where Cohere accepts one
 * (docs/rules/providers.md#cohere-pass-through).
 */
const chatPassThrough: PassThrough<unknown> = {
  format: 'cohere-chat',
  target(fields, call) {
    const mode = call.options.cohereSafetyMode;
    const takesMode = !['safety_mode', 'tools', 'documents'].some((name) => fields.has(name));
    return {
      url: cohereAddress(call, '/v2/chat'),
      headers: cohereHeaders(call, fields.get('stream') === true),
      edits: takesMode && mode !== undefined && mode !== 'NONE' ? { safety_mode: mode } : {},
    };
  },
};

function listModels(call: Call, effects: Effects): Promise<string[]> {
  return readPages(async (token) => {
    const page = token === undefined ? '' : `&page_token=${encodeURIComponent(token)}`;
    const url = `${cohereAddress(call, '/v1/models')}?page_size=1000${page}`;
    const body = recordOf(await getJson(effects, url, cohereHeaders(call)));
    return { entries: namesIn(body?.models, 'name'), next: textOf(body?.next_page_token) };
  });
}

export const cohere: Provider = {
  slug: 'cohere',
  channelTypes: [34],
  defaultBaseUrl: 'https://api.cohere.ai',
  measuresUsage: true,
  keyFormat: { example: 'key' },
  settings: z.object({}),
  models: cohereModels,
  operations: {
    chat: {
      passThrough: [chatPassThrough],
      encode: (request, call) => ({
        method: 'POST',
        url: cohereAddress(call, '/v2/chat'),
        headers: cohereHeaders(call, request.stream),
        body: writeChatBody(fitToolNames(request, toolNames), call),
      }),
      decode: (body, _call, request) =>
        restoreNamesInReply(readChatReply(body), request, toolNames),
      framing: 'sse',
      createStreamDecoder: (_call, request) =>
        restoreNamesInStream(new CohereStreamDecoder(), request, toolNames),
    },
    embedding,
    rerank,
  },
  account: { listModels },
  readFailure,
};
