/**
 * Vendors whose models think: scripted, with six accounts each, and as strict as the real ones are
 * with the thinking of earlier turns.
 */
import type { ServerResponse } from 'node:http';
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
import { signatureOf, type Turn } from '../../agents/script.ts';
import type { Wire } from '../../agents/wire.ts';
import { eventFrame } from '../../support/aws-frames.ts';
import { type ReceivedRequest, sendJson } from '../../support/upstream.ts';
import {
  type Conversation,
  type Returned,
  turnsOfChat,
  turnsOfConverse,
  turnsOfGemini,
  turnsOfMessages,
  turnsOfResponses,
} from './turns.ts';

export const signed = (maker: string, account: string, tag: string, turn: number) =>
  Buffer.from(`${maker} ${account} ${tag} ${turn}`).toString('base64');
export const thoughtOf = (tag: string, turn: number) => `Thought ${turn} of ${tag}.`;

export interface Vendor {
  /** Type, settings and mapping of its channels. */
  readonly channel: Loose;
  readonly model: string;
  readonly adaptive?: boolean;
  /** As channels name accounts. */
  keyOf(account: string): string;
  accountOf(request: ReceivedRequest): string;
  read(request: ReceivedRequest): Conversation;
  thinks(body: Loose): boolean;
  /** Whose signatures these are; undefined: its thinking has none. */
  readonly maker?: string;
  /** Signatures are valid at all its accounts. */
  readonly isShared?: boolean;
  /** What the real one answers with 400. */
  refusal(conversation: Conversation, request: ReceivedRequest): string | undefined;
  /** Whether a turn came back with its thinking. */
  hasThinking(turn: Returned, tag: string, number: number): boolean;
  write(response: ServerResponse, turn: Turn, request: ReceivedRequest, signature: string): void;
}

const bearer = ({ headers }: ReceivedRequest) =>
  textOf(headers.authorization)?.replace('Bearer ', '') ?? textOf(headers['x-api-key']) ?? '';

function sendWire(
  response: ServerResponse,
  wire: Wire,
  turn: Turn,
  request: ReceivedRequest,
  signature: string,
  complete = (text: string) => text,
): string {
  const mine = (text: string) => complete(text.replaceAll(signatureOf(turn.number), signature));
  const streams = wire.streams?.(request) ?? request.json['stream'] === true;
  const text = mine(
    streams ? wire.write(turn, request) : JSON.stringify(wire.writeWhole(turn, request)),
  );
  response.writeHead(200, {
    'content-type': streams ? 'text/event-stream' : 'application/json',
  });
  response.end(text);
  return text;
}

/** What all of them refuse: a call without its result, or a result without its call. */
function unanswered({ turns }: Conversation): string | undefined {
  const open = turns.find(
    ({ calls, answered }) => [...calls].sort().join() !== [...answered].sort().join(),
  );
  return open && `calls ${open.calls.join()} are answered by ${open.answered.join()}`;
}

const thoughtIs = ({ thought }: Returned, tag: string, number: number) =>
  thought === thoughtOf(tag, number);

function claudeThinks(thinking: unknown): boolean {
  return ['enabled', 'adaptive'].includes(textOf(recordOf(thinking)?.['type']) ?? '');
}

/** A turn in the middle of calls begins with its thinking, unless the model decides by itself. */
function lostThinking({ turns, inLoop }: Conversation, thinking: unknown): string | undefined {
  const isEnabled = recordOf(thinking)?.['type'] === 'enabled';
  const { begins } = turns.at(-1) ?? {};
  if (!isEnabled || !inLoop || begins === 'thought') return undefined;
  return `messages: Expected \`thinking\` or \`redacted_thinking\`, but found \`${begins}\``;
}

const claude = {
  maker: 'claude',
  isShared: true,
  hasThinking: thoughtIs,
} as const;

const messages: Omit<Vendor, 'channel' | 'model'> = {
  ...claude,
  keyOf: (account) => account,
  accountOf: bearer,
  read: ({ json }) => turnsOfMessages(json),
  thinks: (body) => claudeThinks(body['thinking']),
  refusal: (conversation, { json }) => {
    const { budget_tokens: budget = 0 } = recordOf(json['thinking']) ?? {};
    if (Number(budget) >= Number(json['max_tokens'])) return 'max_tokens: must be greater';
    return lostThinking(conversation, json['thinking']);
  },
  write: (response, turn, request, signature) =>
    void sendWire(response, messagesWire, turn, request, signature),
};

const awsKeys = {
  keyOf: (account: string) => `${account}|secret|us-east-1`,
  accountOf: ({ headers }: ReceivedRequest) =>
    /Credential=([^/]+)/.exec(headers.authorization ?? '')?.[1] ?? '',
};

/** The events of a stream of messages. */
function eventsOf(turn: Turn, request: ReceivedRequest, signature: string): Loose[] {
  const text = messagesWire.write(turn, request).replaceAll(signatureOf(turn.number), signature);
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as Loose);
}

function converseUsage({ tokens: { fresh, cached, output } }: Turn): Loose {
  const total = fresh + cached + output;
  return {
    ...{ inputTokens: fresh, outputTokens: output, totalTokens: total },
    cacheReadInputTokens: cached,
  };
}

/** The same event as Converse writes it. */
function converseEvent(event: Loose, usage: Loose): readonly [string, Loose] | undefined {
  const contentBlockIndex = event['index'];
  const delta = recordOf(event['delta']) ?? {};
  switch (event['type']) {
    case 'message_start':
      return ['messageStart', { role: 'assistant' }];
    case 'content_block_start': {
      const { type, id, name } = recordOf(event['content_block']) ?? {};
      if (type !== 'tool_use') return undefined;
      return [
        'contentBlockStart',
        { contentBlockIndex, start: { toolUse: { toolUseId: id, name } } },
      ];
    }
    case 'content_block_delta': {
      const { text, thinking, signature, partial_json: input } = delta;
      const written =
        text !== undefined
          ? { text }
          : input !== undefined
            ? { toolUse: { input } }
            : { reasoningContent: thinking === undefined ? { signature } : { text: thinking } };
      return ['contentBlockDelta', { contentBlockIndex, delta: written }];
    }
    case 'content_block_stop':
      return ['contentBlockStop', { contentBlockIndex }];
    case 'message_delta':
      return ['messageStop', { stopReason: delta['stop_reason'] }];
    case 'message_stop':
      return ['metadata', { usage }];
    default:
      return undefined;
  }
}

function converseBlock(block: Loose): Loose {
  const { type, text, thinking, signature, id, name, input } = block;
  if (type === 'thinking')
    return { reasoningContent: { reasoningText: { text: thinking, signature } } };
  return type === 'text' ? { text } : { toolUse: { toolUseId: id, name, input } };
}

function sendFrames(response: ServerResponse, frames: readonly Buffer[]): void {
  response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
  response.end(Buffer.concat(frames));
}

const arn = 'arn:aws:bedrock:us-east-1:1:application-inference-profile/x1';
const behindArn = 'claude-opus-4-5-20251101';
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
  'Claude with a budget': { ...messages, channel: { type: 14 }, model: 'claude-haiku-4-5' },
  'Claude, adaptive': {
    ...messages,
    channel: { type: 14 },
    model: 'claude-opus-5',
    adaptive: true,
  },
  'Bedrock, invoke': {
    ...messages,
    ...awsKeys,
    channel: { type: 33 },
    model: 'claude-opus-4-5',
    write: (response, turn, request, signature) => {
      if (!request.path.includes('stream'))
        return void sendWire(response, messagesWire, turn, request, signature);
      sendFrames(
        response,
        eventsOf(turn, request, signature).map((event) => eventFrame(event)),
      );
    },
  },
  'Bedrock, Converse behind an ARN': {
    ...claude,
    ...awsKeys,
    channel: { type: 33, model_mapping: JSON.stringify({ [behindArn]: arn }) },
    model: behindArn,
    read: ({ json }) => turnsOfConverse(json),
    thinks: (body) => claudeThinks(recordOf(body['additionalModelRequestFields'])?.['thinking']),
    refusal: (conversation, { json }) =>
      lostThinking(conversation, recordOf(json['additionalModelRequestFields'])?.['thinking']),
    write: (response, turn, request, signature) => {
      if (request.path.includes('stream'))
        return sendFrames(
          response,
          eventsOf(turn, request, signature).flatMap((event) => {
            const [name, value] = converseEvent(event, converseUsage(turn)) ?? [];
            return name === undefined ? [] : [eventFrame(value ?? {}, name)];
          }),
        );
      const text = JSON.stringify(messagesWire.writeWhole(turn, request));
      const { content, stop_reason: stopReason } = JSON.parse(
        text.replaceAll(signatureOf(turn.number), signature),
      ) as Loose;
      sendJson(response, 200, {
        output: { message: { role: 'assistant', content: recordsOf(content).map(converseBlock) } },
        ...{ stopReason, usage: converseUsage(turn) },
      });
    },
  },
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

/** The documented placeholder of Gemini for callers without a signature. */
export const placeholder = 'skip_thought_signature_validator';

/** What every vendor refuses besides: signatures that it did not make, and loose ends. */
export function refusalOf(
  vendor: Vendor,
  conversation: Conversation,
  request: ReceivedRequest,
): string | undefined {
  const account = vendor.accountOf(request);
  for (const signature of conversation.turns.flatMap(({ signatures }) => signatures)) {
    if (signature === placeholder || vendor.maker === undefined) continue;
    const [maker, maker_account] = Buffer.from(signature, 'base64').toString().split(' ');
    const isValid =
      maker === vendor.maker && (vendor.isShared === true || maker_account === account);
    if (!isValid)
      return `Invalid \`signature\`: encrypted content or thought signature of ${maker} ${maker_account}`;
  }
  return unanswered(conversation) ?? vendor.refusal(conversation, request);
}
