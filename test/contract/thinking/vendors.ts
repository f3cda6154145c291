/**
 * Vendors whose models think: scripted, with six accounts each, and as strict as the real ones are
 * with the thinking of earlier turns.
 */
import {
  type Loose,
  recordOf,
  recordsOf,
  textOf,
} from '../../../src/core/canonical/kit/read-json.ts';
import { chatWire } from '../../agents/chat-wire.ts';
import { geminiWire } from '../../agents/gemini-wire.ts';
import { messagesWire } from '../../agents/messages-wire.ts';
import { responsesWire } from '../../agents/responses-wire.ts';
import type { ReceivedRequest } from '../../support/upstream.ts';
import { claudeVendors } from './claude-vendors.ts';
import { turnsOfChat, turnsOfGemini, turnsOfMessages, turnsOfResponses } from './turns.ts';
import { bearer, placeholder, sendWire, thoughtIs, type Vendor } from './vendor.ts';

const ownResponses = new Map<string, readonly Loose[]>();
const responsesOf = (request: ReceivedRequest) =>
  ownResponses.get(`${bearer(request)} ${String(request.json['previous_response_id'])}`);

/** From the whole reply, or from the last event of a stream. */
function responseIn(text: string): Loose {
  const line = text.startsWith('{') ? text : (text.trim().split('\ndata: ').at(-1) ?? '{}');
  const value = JSON.parse(line) as Loose;
  return recordOf(value['response']) ?? value;
}

const openAi: Vendor = {
  channel: { type: 1 },
  model: 'gpt-5.6',
  maker: 'openai',
  keyOf: (account) => account,
  accountOf: bearer,
  read: (request) => turnsOfResponses(request.json, responsesOf(request) ?? []),
  thinks: (body) => !['none', undefined].includes(textOf(recordOf(body['reasoning'])?.['effort'])),
  refusal: (_, request) =>
    request.json['previous_response_id'] !== undefined && responsesOf(request) === undefined
      ? `Previous response with id '${String(request.json['previous_response_id'])}' not found.`
      : undefined,
  // Its summary is for people only.
  hasThinking: ({ signatures }) => signatures.length > 0,
  write: (response, turn, request, signature) => {
    const text = sendWire(response, responsesWire, turn, request, signature, (written) =>
      request.json['store'] === false
        ? written
        : written.replaceAll('"object":"response"', '"object":"response","store":true'),
    );
    const { id, output } = responseIn(text);
    const { input } = request.json;
    const given = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
    ownResponses.set(`${bearer(request)} ${String(id)}`, [
      ...(responsesOf(request) ?? []),
      ...recordsOf(given),
      ...recordsOf(output),
    ]);
  },
};

export const vendors: Readonly<Record<string, Vendor>> = {
  ...claudeVendors,
  ...Object.fromEntries(
    ['gemini-3.1-pro-preview', 'gemini-4-carbon'].map((model): [string, Vendor] => [
      model,
      {
        channel: { type: 24 },
        model,
        maker: 'gemini',
        keyOf: (account) => account,
        accountOf: ({ headers }) => textOf(headers['x-goog-api-key']) ?? '',
        read: ({ json }) => turnsOfGemini(json),
        thinks: (body) => {
          const config = recordOf(recordOf(body['generationConfig'])?.['thinkingConfig']);
          return config !== undefined && config['thinkingBudget'] !== 0;
        },
        refusal: ({ turns, inLoop }) =>
          inLoop && turns.at(-1)?.signatures.length === 0
            ? 'Function call is missing a thought_signature in functionCall parts.'
            : undefined,
        hasThinking: ({ calls, signatures }) =>
          calls.length === 0 || signatures.some((one) => one !== placeholder),
        write: (response, turn, request, signature) =>
          void sendWire(response, geminiWire, turn, request, signature),
      },
    ]),
  ),
  OpenAI: openAi,
  // As many compatible servers: it takes `store`, and keeps nothing.
  'Responses without a memory': {
    ...openAi,
    channel: { type: 1, setting: JSON.stringify({ use_responses: true }) },
    model: 'gpt-5.6-here',
    write: (response, turn, request, signature) =>
      void sendWire(response, responsesWire, turn, request, signature),
  },
  DeepSeek: {
    channel: { type: 43 },
    model: 'deepseek-v4-pro',
    keyOf: (account) => account,
    accountOf: bearer,
    read: ({ json, path }) =>
      path.includes('/anthropic') ? turnsOfMessages(json) : turnsOfChat(json),
    thinks: (body) => recordOf(body['thinking'])?.['type'] !== 'disabled',
    refusal: ({ turns }, { path }) => {
      const field = path.includes('/anthropic') ? 'content[].thinking' : 'reasoning_content';
      return turns.every(({ thought }) => thought !== '')
        ? undefined
        : `The \`${field}\` in the thinking mode must be passed back to the API.`;
    },
    hasThinking: thoughtIs,
    write: (response, turn, request, signature) =>
      void sendWire(
        response,
        request.path.includes('/anthropic') ? messagesWire : chatWire,
        turn,
        request,
        signature,
      ),
  },
};
