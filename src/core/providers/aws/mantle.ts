/**
 * Bedrock's newer interface, which speaks the makers' own wires: Anthropic's for Claude, OpenAI's for
 * all others (docs/rules/providers.md#bedrock-mantle).
 */

import { readFailure } from '../../canonical/kit/failure.ts';
import { recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { PassThrough } from '../../canonical/pass-through.ts';
import type { Call, ChannelFacts, OperationAdapter, Provider } from '../../canonical/provider.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { z } from '../../kernel/zod.ts';
import { anthropic } from '../anthropic/index.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import { type OpenAiSettings, openAiSettings } from '../openai-compatible/settings.ts';
import { openAiAddress } from '../openai-compatible/vendor.ts';
import { regionOf } from './address.ts';
import { takesInvokedTool } from './claude-body.ts';
import { authorizeRequest, keyExample } from './credentials.ts';
import { isClaude } from './models.ts';

/** What requests are signed for. */
const service = 'bedrock-mantle';
const host = /^https:\/\/bedrock-mantle\./i;

/** By the channel's setting, or by its address. */
export function isMantle({ setting, baseUrl }: ChannelFacts): boolean {
  return setting.use_mantle === true || host.test(baseUrl);
}

/** The root of all wires, also where the address names one of them. */
function rootOf(call: Call): string {
  if (call.baseUrl === '') return `https://${service}.${regionOf(call)}.api.aws`;
  return call.baseUrl
    .replace(/\/+$/, '')
    .replace(/\/(?:openai(?:\/v1)?|anthropic(?:\/v1)?|v1)$/, '');
}

/** Ids name the maker; what names one already stays. */
function idOf(maker: 'anthropic' | 'openai', name: string): string {
  return name.includes('.') && /^[a-z]+\./.test(name) ? name : `${maker}.${name}`;
}

/** The signature and the API key stand in `authorization`, which is added before sending. */
function withoutKey(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { 'x-api-key': _key, ...rest } = headers;
  return rest;
}

const asAnthropic = <S>(call: Call<S>): Call<S> => ({
  ...call,
  baseUrl: `${rootOf(call)}/anthropic`,
});

const openAi = openaiCompatible({
  slug: 'aws-mantle',
  channelTypes: [33],
  defaultBaseUrl: '',
  settings: openAiSettings.extend({ use_mantle: z.boolean().optional() }),
  models: [],
  without: ['models', 'completion', 'embedding'],
  also: ['responses'],
  address: (task, call) => openAiAddress(task, { ...call, baseUrl: `${rootOf(call)}/openai/v1` }),
  headers: () => ({}),
  upstreamModel: (model) => (model.startsWith('gpt-') ? idOf('openai', model) : model),
});

function chatOf<S>(provider: Provider<S>) {
  const { chat } = provider.operations;
  const createStreamDecoder = chat?.createStreamDecoder;
  if (chat === undefined || createStreamDecoder === undefined)
    throw new Error(`${provider.slug} has no chats`);
  return { ...chat, createStreamDecoder };
}
const claudeChat = chatOf(anthropic);
const openAiChat = chatOf(openAi);

const claudePassThrough = (entry: PassThrough<unknown>): PassThrough<OpenAiSettings> => ({
  ...entry,
  target(fields, call) {
    const target = isClaude(call.model) ? entry.target(fields, asAnthropic(call)) : undefined;
    if (target === undefined) return undefined;
    const model = idOf('anthropic', target.model ?? call.model);
    return { ...target, headers: withoutKey(target.headers), model };
  },
});

const openAiPassThrough = (entry: PassThrough<OpenAiSettings>): PassThrough<OpenAiSettings> => ({
  ...entry,
  target: (fields, call) => (isClaude(call.model) ? undefined : entry.target(fields, call)),
});

const chat: OperationAdapter<'chat', OpenAiSettings> = {
  ...openAiChat,
  passThrough: [
    ...(claudeChat.passThrough ?? []).map(claudePassThrough),
    ...(openAiChat.passThrough ?? []).map(openAiPassThrough),
  ],
  takesTool: (tool, request, call) =>
    isClaude(call.model)
      ? takesInvokedTool(tool)
      : openAiChat.takesTool?.(tool, request, call) !== false,
  encode(request, call) {
    if (!isClaude(call.model)) return openAiChat.encode(request, call);
    const sent = claudeChat.encode(request, asAnthropic(call));
    const body = recordOf(sent.body) as JsonObject;
    const model = idOf('anthropic', textOf(body.model) ?? call.model);
    return { ...sent, headers: withoutKey(sent.headers), body: { ...body, model } };
  },
  decode: (body, call, request) =>
    (isClaude(call.model) ? claudeChat : openAiChat).decode(body, call, request),
  createStreamDecoder: (call, request) =>
    (isClaude(call.model) ? claudeChat : openAiChat).createStreamDecoder(call, request),
};

export const mantle: Provider<OpenAiSettings> = {
  ...openAi,
  serves: ['anthropic', 'openai'],
  sharedSignatures: ['anthropic-messages'],
  measuresUsage: true,
  keyFormat: { example: keyExample },
  operations: { chat },
  account: undefined,
  authorize: (request, call, effects) =>
    authorizeRequest(request, call.key, effects.now(), service),
  readFailure,
};
