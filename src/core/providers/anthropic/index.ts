/** Type 14, Anthropic's own API (docs/rules/providers.md#anthropic-headers). */

import { getJson, namesIn, readPages } from '../../canonical/kit/account.ts';
import { readFailure } from '../../canonical/kit/failure.ts';
import { stripForeignSignatures } from '../../canonical/kit/foreign-signature.ts';
import { listOf, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import { clientQuery, joinVersioned } from '../../canonical/kit/request-target.ts';
import type { PassThrough } from '../../canonical/pass-through.ts';
import type { AccountAdapter, Call, Effects, Provider } from '../../canonical/provider.ts';
import { isObject, type JsonValue } from '../../kernel/json.ts';
import { z } from '../../kernel/zod.ts';
import { readAnthropicList } from '../../models/sources/vendor-lists.ts';
import { anthropicHeaders } from '../anthropic-messages/request.ts';
import { createClaudeDecoder, readClaudeReply, readTokenCount, writeClaudeBody } from './claude.ts';
import { editMessages } from './edit-messages.ts';
import { takesTool } from './encode-chat.ts';
import { CompleteStreamDecoder, readCompleteReply, writeCompleteBody } from './legacy.ts';
import { isLegacyClaude, splitSuffix } from './model-rules.ts';
import { claudeModels } from './models.ts';

/** A native caller's body goes as it is; models of the text completion API know no messages. */
const passThrough: PassThrough<unknown> = {
  format: 'anthropic-messages',
  target(fields, call) {
    if (isLegacyClaude(call.model)) return undefined;
    const { model, edits } = editMessages(fields, call);
    return {
      url: joinVersioned(call.baseUrl, '/v1/messages') + clientQuery(call),
      headers: anthropicHeaders(call, fields.get('stream') === true, textOf(fields.get('model'))),
      edits,
      model: model === call.model ? undefined : model,
    };
  },
};

function readModels(call: Call, effects: Effects): Promise<JsonValue[]> {
  return readPages(async (last) => {
    const after = last === undefined ? '' : `&after_id=${encodeURIComponent(last)}`;
    const url = `${joinVersioned(call.baseUrl, '/v1/models')}?limit=1000${after}`;
    const body = recordOf(await getJson(effects, url, anthropicHeaders(call, false)));
    return {
      entries: listOf(body?.data) as readonly JsonValue[],
      next: body?.has_more === true ? textOf(body.last_id) : undefined,
    };
  });
}

const account: AccountAdapter = {
  listModels: async (call, effects) => namesIn(await readModels(call, effects), 'id'),
  describeModels: async (call, effects) => readAnthropicList(await readModels(call, effects)),
};

export const anthropic: Provider = {
  slug: 'anthropic',
  sharedSignatures: ['anthropic-messages'],
  channelTypes: [14],
  defaultBaseUrl: 'https://api.anthropic.com',
  measuresUsage: true,
  endUser: {
    field: 'metadata.user_id',
    source: 'https://docs.anthropic.com/en/api/messages',
    read: '2026-11-28',
  },
  keyFormat: { example: 'sk-ant-…' },
  settings: z.object({}),
  models: claudeModels,
  operations: {
    chat: {
      passThrough: [passThrough],
      takesTool: (tool, _request, call) => !isLegacyClaude(call.model) && takesTool(tool),
      encode(request, call) {
        const legacy = isLegacyClaude(call.model);
        return {
          method: 'POST',
          url: joinVersioned(call.baseUrl, legacy ? '/v1/complete' : '/v1/messages'),
          headers: anthropicHeaders(call, request.stream, request.model),
          body: legacy ? writeCompleteBody(request, call.model) : writeClaudeBody(request, call),
        };
      },
      decode: (body, call, request) =>
        isLegacyClaude(call.model) ? readCompleteReply(body) : readClaudeReply(body, call, request),
      framing: 'sse',
      createStreamDecoder: (call, request) =>
        isLegacyClaude(call.model)
          ? new CompleteStreamDecoder()
          : createClaudeDecoder(call, request),
    },
    countTokens: {
      encode(body, call) {
        const {
          max_tokens: _limit,
          stream: _stream,
          ...rest
        } = isObject(body) ? (body as Record<string, JsonValue>) : {};
        const messages = stripForeignSignatures(rest.messages) ?? [];
        return {
          method: 'POST',
          url: joinVersioned(call.baseUrl, '/v1/messages/count_tokens') + clientQuery(call),
          headers: anthropicHeaders(call, false, textOf(rest.model)),
          body: { ...rest, messages, model: splitSuffix(call.model, call.options).model },
        };
      },
      decode: readTokenCount,
    },
  },
  account,
  readFailure,
  // A 400 is often about the account (credit, beta), which another channel may not share.
  retryableStatuses: [400],
};
