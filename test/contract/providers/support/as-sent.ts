/** What a provider would be sent for a caller's request, without a gateway between. */

import type { BodyFields } from '../../../../src/core/canonical/pass-through.ts';
import type { Call, Provider } from '../../../../src/core/canonical/provider.ts';
import type { JsonObject } from '../../../../src/core/kernel/json.ts';
import { anthropicMessages } from '../../../../src/core/relay/formats/anthropic-messages/index.ts';
import { geminiGenerate } from '../../../../src/core/relay/formats/gemini-generate/index.ts';
import { openAiChat } from '../../../../src/core/relay/formats/openai-chat/index.ts';
import { openAiResponses } from '../../../../src/core/relay/formats/openai-responses/index.ts';
import { testCall } from './call.ts';

export const chatFormats = {
  chat: openAiChat,
  messages: anthropicMessages,
  Gemini: geminiGenerate,
  Responses: openAiResponses,
} as const;
export type ChatCaller = keyof typeof chatFormats;

export interface SentRequest {
  readonly url: string;
  readonly body: JsonObject;
  /** The caller's own body went, with edits. */
  readonly forwarded: boolean;
}

function fieldsOf(body: JsonObject): BodyFields {
  const text = JSON.stringify(body);
  return {
    get: (name) => body[name],
    has: (name) => name in body,
    contains: (part) => text.includes(part),
  };
}

/** Forwarded where the provider forwards such a body, else translated, as the relay does it. */
export function asSent(
  provider: Provider,
  caller: ChatCaller,
  model: string,
  given: JsonObject,
  changes: Partial<Call> = {},
): SentRequest {
  const chat = provider.operations.chat;
  if (chat === undefined) throw new Error(`${provider.slug} has no chats`);
  const stream = given.stream === true;
  const action = stream ? 'streamGenerateContent' : 'generateContent';
  const clientPath = caller === 'Gemini' ? `/v1beta/models/${model}:${action}` : '';
  const call = testCall({ model, clientPath, ...changes });
  const body = caller === 'Gemini' ? given : { ...given, model };
  const format = chatFormats[caller];
  for (const entry of chat.passThrough ?? []) {
    if (entry.format !== format.name) continue;
    const target = entry.target(fieldsOf(body), call);
    if (target === undefined) continue;
    const sent: JsonObject = JSON.parse(JSON.stringify({ ...body, ...target.edits }));
    const named = target.modelInUrl === true ? sent : { ...sent, model: target.model ?? model };
    return { url: target.url, body: named, forwarded: true };
  }
  const request = format.readRequest(body, { model, stream });
  const { url, body: written } = chat.encode(request, call);
  return { url, body: JSON.parse(JSON.stringify(written)), forwarded: false };
}
