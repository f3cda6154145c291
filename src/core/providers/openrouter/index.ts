/** Type 20 (docs/rules/providers.md#openrouter-requests). */

import type { ImageRequest } from '../../canonical/calls.ts';
import { amountOf, getJson } from '../../canonical/kit/account.ts';
import { recordOf } from '../../canonical/kit/read-json.ts';
import { bareBase, joinVersioned, jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { BodyFields } from '../../canonical/pass-through.ts';
import type { Balance, Call, Effects, OperationAdapter } from '../../canonical/provider.ts';
import { decimal, subtract, toText } from '../../kernel/decimal.ts';
import { forwardMessages } from '../anthropic-messages/forward.ts';
import { bearerHeaders, openAiAddress, openaiCompatible } from '../openai-compatible/index.ts';
import { readImageChat, writeImageChat } from './images.ts';
import { readFailure, rewrite } from './reply.ts';
import {
  editForOpenRouter,
  isClaude,
  reasoningDetails,
  takesCacheControl,
  takesDeveloperRole,
  writeOwnFields,
} from './request.ts';

/** A header accepts printable ASCII; a site whose name has other characters is not named. */
function headerText(name: string, value: string | undefined): Record<string, string> {
  return value !== undefined && /^[\x21-\x7e][\x20-\x7e]*$/.test(value) ? { [name]: value } : {};
}

/** OpenRouter ranks the applications that it serves by these two. */
function headers(call: Call): Record<string, string> {
  const { siteAddress, siteName } = call.options;
  return {
    ...bearerHeaders(call),
    ...headerText('http-referer', siteAddress),
    ...headerText('x-title', siteName),
  };
}

/** Marks that the model's server does not know are taken out, which only a translation does. */
function mustTranslate(fields: BodyFields, { model }: Call): boolean {
  return fields.contains?.('"cache_control"') === true && !takesCacheControl(model);
}

/** Claude's callers reach Claude in its own format, with thinking and cache marks unchanged. */
const messages = forwardMessages(({ baseUrl, model }) => {
  return isClaude(model) && !model.endsWith('-thinking') ? bareBase(baseUrl) : undefined;
}, headers);

const images = {
  encode: (request: ImageRequest, call: Call) => ({
    method: 'POST',
    url: openAiAddress('chat', call),
    headers: { ...jsonHeaders(false), ...headers(call) },
    body: writeImageChat(request, call.model),
  }),
  decode: readImageChat,
} satisfies OperationAdapter<'image' | 'image-edit'>;

async function readBalance(call: Call, effects: Effects): Promise<Balance> {
  const body = recordOf(
    await getJson(effects, joinVersioned(call.baseUrl, '/v1/credits'), bearerHeaders(call)),
  );
  const { total_credits: total, total_usage: used } = recordOf(body?.data) ?? {};
  return {
    amount: toText(subtract(decimal(amountOf(total)), decimal(amountOf(used)))),
    currency: 'USD',
  };
}

export const openrouter = openaiCompatible({
  slug: 'openrouter',
  channelTypes: [20],
  defaultBaseUrl: 'https://openrouter.ai/api',
  measuresUsage: true,
  endUser: {
    field: 'user',
    source: 'https://openrouter.ai/docs/guides/administration/user-tracking',
    read: '2026-11-28',
  },
  answerImages: {
    source:
      'https://github.com/OpenRouterTeam/python-sdk/blob/main/docs/components/assistantmessage.md',
    read: '2026-11-29',
  },
  statesCost: true,
  keyFormat: { example: 'sk-or-…' },
  models: [],
  also: ['rerank', 'responses'],
  chatServesAll: true,
  operations: { image: images, 'image-edit': images },
  headers,
  edit: editForOpenRouter,
  extend: writeOwnFields,
  reasoningDetails,
  takesCacheControl,
  developerRole: takesDeveloperRole,
  mustTranslate,
  rewrite,
  passThrough: [messages],
  readFailure,
  readBalance,
});
