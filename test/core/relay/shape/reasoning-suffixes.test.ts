/**
 * Model names with a reasoning suffix, for every caller, passed through and translated
 * (docs/rules/channel-rules.md#model-suffixes).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readLogOther } from '../../../../src/core/contract/log-other.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { generateReply } from '../../../support/gemini-upstream.ts';
import {
  chatReply,
  messagesReply,
  type ReceivedRequest,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

let gateway: TestGateway;
let upstream: TestUpstream;
let caller: { key: string; username: string };

const openAiModels = 'o3-mini-high,o1-low,gpt-5-minimal,gpt-5.1-none,gpt-5.2-xhigh,gpt-4o-high';
const claudeModels = 'claude-3-7-sonnet-20250219-thinking,claude-opus-4-6-max';
const geminiModels = [
  'gemini-2.5-flash-thinking',
  'gemini-2.5-flash-thinking-99999',
  'gemini-2.5-pro-thinking-1',
  'gemini-2.5-flash-lite-thinking-1',
  'gemini-2.5-flash-nothinking',
  'gemini-2.5-pro-nothinking',
  'gemini-3-pro-preview-low',
].join(',');

beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  caller = await gateway.addCustomer(1_000_000_000);
  await gateway.set('SelfUseModeEnabled', true);
  await gateway.set('gemini.thinking_adapter_enabled', true);
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: openAiModels });
  await gateway.addChannel({ type: 14, baseUrl: upstream.url, models: claudeModels });
  await gateway.addChannel({ type: 24, baseUrl: upstream.url, models: geminiModels });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
  upstream.answer((response, request) => {
    const reply = request.path.includes('generateContent')
      ? generateReply()
      : request.path.startsWith('/v1/messages')
        ? messagesReply()
        : chatReply();
    return reply(response, request);
  });
});

const messages = [{ role: 'user', content: 'Hello' }];
const wires = {
  chat: (model: string, extra: object) => ['/v1/chat/completions', { model, messages, ...extra }],
  messages: (model: string, extra: object) => [
    '/v1/messages',
    { model, messages, max_tokens: 2000, ...extra },
  ],
  generate: (model: string, extra: object) => [
    `/v1beta/models/${model}:generateContent`,
    { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }], ...extra },
  ],
} as const;
type Wire = keyof typeof wires;

/** The upstream request and the effort in its log row. */
async function ask(wire: Wire, model: string, extra: object = {}) {
  const [path = '', body] = wires[wire](model, extra);
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
  const { items } = await gateway.client.log.list({ username: caller.username, type: 2 });
  const sent = upstream.requests.at(-1) as ReceivedRequest;
  return { sent, json: sent.json, log: items[0], other: readLogOther(items[0]?.other ?? '') };
}

describe.each<Wire>(['chat', 'messages', 'generate'])('OpenAI for %s callers', (wire) => {
  it.each([
    ['o3-mini-high', 'o3-mini', 'high'],
    ['o1-low', 'o1', 'low'],
    ['gpt-5-minimal', 'gpt-5', 'minimal'],
    ['gpt-5.1-none', 'gpt-5.1', 'none'],
    ['gpt-5.2-xhigh', 'gpt-5.2', 'xhigh'],
  ])('%s', async (model, bare, effort) => {
    const { json, log, other } = await ask(wire, model);
    expect(json).toMatchObject({ model: bare, reasoning_effort: effort });
    expect(json).not.toHaveProperty('max_tokens');
    expect(log?.model_name).toBe(model);
    expect(other).toMatchObject({
      reasoning_effort: effort,
      upstream_model_name: bare,
      is_model_mapped: true,
    });
  });

  it('other models keep their names', async () => {
    const { json, other } = await ask(wire, 'gpt-4o-high');
    expect(json['model']).toBe('gpt-4o-high');
    expect(other).not.toHaveProperty('reasoning_effort');
  });
});

it('limits, sampling and system messages are what such models take', async () => {
  const system = [{ role: 'system', content: 'S' }, ...messages];
  const { json } = await ask('chat', 'o3-mini-high', {
    max_tokens: 50,
    temperature: 0.1,
    messages: system,
  });
  expect(json).toEqual({
    model: 'o3-mini',
    reasoning_effort: 'high',
    max_completion_tokens: 50,
    messages: [{ role: 'developer', content: 'S' }, ...messages],
  });
});

it('is priced by the requested name', async () => {
  await gateway.set('ModelRatio', { 'o3-mini-high': 5, 'o3-mini': 1 });
  const { other } = await ask('chat', 'o3-mini-high');
  expect(other.model_ratio).toBe(5);
});

describe.each<Wire>(['chat', 'messages', 'generate'])('Claude for %s callers', (wire) => {
  it('-thinking gets a share of the token limit', async () => {
    const limit = {
      chat: { max_tokens: 2000 },
      messages: {},
      generate: { generationConfig: { maxOutputTokens: 2000 } },
    }[wire];
    const { json } = await ask(wire, 'claude-3-7-sonnet-20250219-thinking', limit);
    expect(json).toMatchObject({
      model: 'claude-3-7-sonnet-20250219',
      max_tokens: 2000,
      thinking: { type: 'enabled', budget_tokens: 1600 },
    });
    expect(json['temperature'] ?? 1).toBe(1);
  });

  it('an effort lets the model decide', async () => {
    const { json, other } = await ask(wire, 'claude-opus-4-6-max');
    expect(json).toMatchObject({
      model: 'claude-opus-4-6',
      thinking: { type: 'adaptive' },
      output_config: { effort: 'max' },
    });
    expect(other.reasoning_effort).toBe('max');
  });
});

it('the thinking settings of a messages caller win', async () => {
  const thinking = { type: 'disabled' };
  const { json } = await ask('messages', 'claude-3-7-sonnet-20250219-thinking', { thinking });
  expect(json).toMatchObject({ model: 'claude-3-7-sonnet-20250219', thinking, max_tokens: 2000 });
});

it('the adapter can be switched off', async () => {
  await gateway.set('claude.thinking_adapter_enabled', false);
  const { json } = await ask('messages', 'claude-3-7-sonnet-20250219-thinking');
  await gateway.set('claude.thinking_adapter_enabled', true);
  expect(json['model']).toBe('claude-3-7-sonnet-20250219-thinking');
  expect(json).not.toHaveProperty('thinking');
});

describe.each<Wire>(['chat', 'messages', 'generate'])('Gemini for %s callers', (wire) => {
  it.each([
    ['gemini-2.5-flash-thinking-99999', 'gemini-2.5-flash', { thinkingBudget: 24_576 }],
    ['gemini-2.5-pro-thinking-1', 'gemini-2.5-pro', { thinkingBudget: 128 }],
    ['gemini-2.5-flash-lite-thinking-1', 'gemini-2.5-flash-lite', { thinkingBudget: 512 }],
    ['gemini-2.5-flash-nothinking', 'gemini-2.5-flash', { thinkingBudget: 0 }],
    ['gemini-3-pro-preview-low', 'gemini-3-pro-preview', { thinkingLevel: 'low' }],
  ])('%s', async (model, bare, config) => {
    const { sent, json, other } = await ask(wire, model);
    expect(sent.path).toContain(`/models/${bare}:generateContent`);
    expect(json['generationConfig']).toMatchObject({ thinkingConfig: config });
    if ('thinkingLevel' in config) expect(other.reasoning_effort).toBe('low');
  });

  it('-thinking gets a share of the token limit', async () => {
    const limit = {
      chat: { max_tokens: 2000 },
      messages: {},
      generate: { generationConfig: { maxOutputTokens: 2000 } },
    }[wire];
    const { json } = await ask(wire, 'gemini-2.5-flash-thinking', limit);
    expect(json['generationConfig']).toMatchObject({
      thinkingConfig: { includeThoughts: true, thinkingBudget: 1200 },
    });
  });

  it('what cannot be switched off is left alone', async () => {
    const { json } = await ask(wire, 'gemini-2.5-pro-nothinking');
    expect(json['generationConfig'] ?? {}).not.toHaveProperty('thinkingConfig');
  });
});

it('a native caller in snake case gets the effort in its own config', async () => {
  const { json } = await ask('generate', 'gemini-2.5-flash-thinking', {
    generation_config: { max_output_tokens: 1000 },
  });
  expect(json).not.toHaveProperty('generationConfig');
  expect(json['generation_config']).toMatchObject({
    max_output_tokens: 1000,
    thinkingConfig: { thinkingBudget: 600 },
  });
});

it('the effort of a model without suffix is logged as well', async () => {
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'gpt-5' });
  expect((await ask('chat', 'gpt-5', { reasoning_effort: 'low' })).other.reasoning_effort).toBe(
    'low',
  );
});
