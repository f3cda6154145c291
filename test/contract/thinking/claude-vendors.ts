/** Claude at Anthropic and on Bedrock. */
import type { ServerResponse } from 'node:http';
import {
  type Loose,
  recordOf,
  recordsOf,
  textOf,
} from '../../../src/core/canonical/kit/read-json.ts';
import { messagesWire } from '../../agents/messages-wire.ts';
import { signatureOf, type Turn } from '../../agents/script.ts';
import { eventFrame } from '../../support/aws-frames.ts';
import { type ReceivedRequest, sendJson } from '../../support/upstream.ts';
import { type Conversation, turnsOfConverse, turnsOfMessages } from './turns.ts';
import { bearer, sendWire, thoughtIs, type Vendor } from './vendor.ts';

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
    inputTokens: fresh,
    outputTokens: output,
    totalTokens: total,
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

export const claudeVendors: Readonly<Record<string, Vendor>> = {
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
        stopReason,
        usage: converseUsage(turn),
      });
    },
  },
};
