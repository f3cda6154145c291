/**
 * Usage of zero: believed of a vendor's own API, counted of others, as the channel's setting says
 * otherwise.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Secret } from '../../../../src/core/kernel/secret.ts';
import { builtInProviders } from '../../../../src/core/providers/index.ts';
import { prepareChannel } from '../../../../src/core/upstream/prepare-channel.ts';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import {
  chatReply,
  messagesReply,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

let bench: CallBench;
let claude: TestUpstream;
const channels: Record<string, number> = {};

beforeAll(async () => {
  bench = await startCallBench('gpt-4o-mini');
  claude = await startUpstream();
  const add = (name: string, fields: { type: number; models: string; setting?: string }) =>
    bench.gateway.addChannel({
      baseUrl: fields.type === 14 ? claude.url : bench.upstream.url,
      name,
      ...fields,
    });
  channels['believing'] = await add('believing', {
    type: 14,
    models: 'claude-3-5-haiku-20241022',
    setting: '{"believe_zero_usage":true}',
  });
  channels['plain'] = await add('plain', { type: 14, models: 'claude-3-opus-20240229' });
  channels['chat'] = await add('chat', {
    type: 1,
    models: 'gpt-4o',
    setting: '{"believe_zero_usage":true}',
  });
});
afterAll(async () => {
  await bench.close();
  await claude.close();
});

const messages = [{ role: 'user', content: 'hi' }];
const noTokens = { input_tokens: 0, output_tokens: 0 };
const noChatTokens = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

async function chargedFor(path: string, body: object) {
  const { key, userId, username } = await bench.gateway.addCustomer(startQuota);
  const reply = await bench.post(path, key, JSON.stringify(body));
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
  const { row, other } = await bench.newestLog(username);
  return {
    spent: await bench.spent(userId),
    tokens: [row['prompt_tokens'], row['completion_tokens']],
    source: other.usage_source,
  };
}

it.each([false, true])('is believed where the setting says so (stream: %s)', async (stream) => {
  claude.answer(messagesReply('a step between tool calls', noTokens));
  bench.upstream.answer(chatReply('a step between tool calls', noChatTokens));
  const free = { spent: 0, tokens: [0, 0], source: 'upstream' };
  const claudeBody = { model: 'claude-3-5-haiku-20241022', messages, max_tokens: 50, stream };
  expect(await chargedFor('/v1/messages', claudeBody)).toEqual(free);
  expect(await chargedFor('/v1/chat/completions', claudeBody)).toEqual(free);
  const chatBody = {
    model: 'gpt-4o',
    messages,
    stream,
    stream_options: stream ? { include_usage: true } : undefined,
  };
  expect(await chargedFor('/v1/chat/completions', chatBody)).toEqual(free);
});

it.each([false, true])(
  'of a compatible server is counted for an answer with content (stream: %s)',
  async (stream) => {
    claude.answer(messagesReply('a step between tool calls', noTokens));
    bench.upstream.answer(chatReply('a step between tool calls', noChatTokens));
    for (const charged of [
      await chargedFor('/v1/messages', {
        model: 'claude-3-opus-20240229',
        messages,
        max_tokens: 50,
        stream,
      }),
      await chargedFor('/v1/chat/completions', { model: 'gpt-4o-mini', messages, stream }),
    ]) {
      expect(charged.source).toBe('counted');
      expect(charged.tokens[1]).toBeGreaterThan(3);
      expect(charged.spent).toBeGreaterThan(0);
    }
  },
);

it.each([
  [14, '', '{}', true],
  [14, 'https://api.anthropic.com/', '{}', true],
  [14, 'https://gateway.example.org', '{}', false],
  [14, 'https://gateway.example.org', '{"believe_zero_usage":true}', true],
  [14, '', '{"believe_zero_usage":false}', false],
  [1, 'https://api.openai.com', '{}', true],
  [1, 'https://vllm.example.org', '{}', false],
  [3, 'https://name.openai.azure.com', '{}', true],
  [33, '', '{}', true],
  [16, '', '{}', true],
  [26, '', '{}', true],
  [26, 'https://glm.example.org', '{}', false],
  [4, 'http://localhost:11434', '{}', false],
  [8, 'https://example.org/v1/chat/completions', '{}', false],
] as const)('type %s at "%s" with setting %s: believed %s', (type, baseUrl, setting, believed) => {
  const texts = {
    modelMapping: '',
    statusCodeMapping: '',
    paramOverride: '',
    openaiOrganization: '',
    other: '',
    otherInfo: '',
    cost: '',
  };
  const fields = {
    id: 1,
    name: 'c',
    models: 'm',
    group: 'default',
    priority: 0,
    weight: 1,
    autoBan: true,
    tag: '',
  };
  const channel = prepareChannel(
    { ...texts, ...fields, type, key: new Secret('a|b|c'), baseUrl, setting },
    builtInProviders,
  );
  expect(channel?.believesZeroUsage).toBe(believed);
});

it('a setting that is no true or false is refused', async () => {
  const id = channels['plain'] ?? 0;
  await expect(
    bench.gateway.client.channel.update({ id, setting: '{"believe_zero_usage":"yes"}' }),
  ).rejects.toThrow(/believe_zero_usage/);
});

it('usage that rides on a chunk with content is read', async () => {
  const chunk = (fields: object) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', ...fields })}\n\n`;
  const delta = (content: string) => [{ index: 0, delta: { content }, finish_reason: null }];
  const usage = { prompt_tokens: 700, completion_tokens: 300, total_tokens: 1000 };
  bench.upstream.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = [
      chunk({ choices: delta('Hello ') }),
      chunk({ choices: delta('there'), usage }),
      chunk({ choices: delta('!') }),
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
      'data: [DONE]\n\n',
    ];
    const next = () => {
      const event = events.shift();
      if (event === undefined) return response.end();
      response.write(event);
      setTimeout(next, 10);
    };
    next();
  });
  const body = { model: 'gpt-4o-mini', messages, stream: true };
  expect(await chargedFor('/v1/chat/completions', body)).toMatchObject({
    tokens: [700, 300],
    source: 'upstream',
  });
});
