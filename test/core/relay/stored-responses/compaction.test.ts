/**
 * Compaction and counting of conversations by the official SDK, on channels of three vendors
 * (docs/rules/responses.md#compaction).
 */
import OpenAI from 'openai';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { generateReply } from '../../../support/gemini-upstream.ts';
import {
  messageItem,
  responsesReply,
  responsesUsage,
} from '../../../support/responses-upstream.ts';
import {
  chatReply,
  messagesReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

const vendors = {
  Claude: { type: 14, reply: messagesReply },
  Gemini: { type: 24, reply: generateReply },
  DeepSeek: { type: 43, reply: (text: string) => chatReply(text) },
} as const;
const funds = 1_000_000_000;

let gateway: TestGateway;
let upstream: TestUpstream;
let serial = 0;
beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  await gateway.set('SelfUseModeEnabled', true);
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

async function setUp(type: number) {
  serial += 1;
  const model = `gpt-4o-c${serial}`;
  await gateway.addChannel({ type, baseUrl: upstream.url, models: model });
  const { key, userId } = await gateway.addCustomer(funds);
  return { model, userId, sdk: client(key) };
}

const client = (apiKey: string) =>
  new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
const spent = async (userId: number) =>
  funds - (await gateway.client.user.get({ id: userId })).quota;
const sentLast = () => upstream.requests.at(-1)?.text ?? '';

const loop: ResponseInputItem[] = [
  { role: 'user', content: 'Weather in Paris?' },
  { type: 'function_call', call_id: 'c1', name: 'get_weather', arguments: '{"city":"Paris"}' },
  { type: 'function_call_output', call_id: 'c1', output: 'sunny' },
  { role: 'assistant', content: 'It is sunny.' },
];

describe.each(Object.keys(vendors) as (keyof typeof vendors)[])('on a channel of %s', (vendor) => {
  const { type, reply } = vendors[vendor];

  it('a conversation becomes its user messages and a summary, which any model reads', async () => {
    const { model, userId, sdk } = await setUp(type);
    upstream.answer(reply('Paris was sunny'));
    const compacted = await sdk.responses.compact({ model, input: loop });
    expect(sentLast()).toContain('get_weather');
    expect(sentLast()).toContain('sunny');
    expect(compacted).toMatchObject({
      object: 'response.compaction',
      output: [
        { type: 'message', role: 'user', content: 'Weather in Paris?', status: 'completed' },
        { type: 'compaction', id: expect.stringMatching(/^cmp_/) },
      ],
    });
    expect(compacted.usage.total_tokens).toBeGreaterThan(0);
    expect(await spent(userId)).toBeGreaterThan(0);
    upstream.answer(reply('Take no umbrella'));
    const next = await sdk.responses.create({
      model,
      input: [...(compacted.output as ResponseInputItem[]), { role: 'user', content: 'Umbrella?' }],
    });
    expect(next.output_text).toBe('Take no umbrella');
    expect(sentLast()).toContain('Paris was sunny');
    expect(sentLast()).not.toContain('turnpike-summary');
  });

  it('a stored response is compacted by its id', async () => {
    const { model, sdk } = await setUp(type);
    upstream.answer(reply('Hello you'));
    const { id } = await sdk.responses.create({ model, input: 'My name is Ann' });
    await sdk.responses.compact({ model, previous_response_id: id });
    expect(sentLast()).toContain('My name is Ann');
    expect(sentLast()).toContain('Hello you');
  });
});

test('what was compacted here goes on at OpenAI, and its own compactions go through unchanged', async () => {
  const { model, sdk } = await setUp(1);
  const own = { type: 'compaction' as const, id: 'cmp_o', encrypted_content: 'gAAAAA' };
  upstream.answer((response) =>
    sendJson(response, 200, {
      id: 'resp_c',
      object: 'response.compaction',
      output: [own],
      usage: responsesUsage,
    }),
  );
  const compacted = await sdk.responses.compact({ model, input: loop });
  expect(compacted.output).toEqual([own]);
  upstream.answer(responsesReply([messageItem('Yes')]));
  const ours = `turnpike-summary:${Buffer.from('Paris was sunny').toString('base64')}`;
  await sdk.responses.create({
    model,
    input: [own, { type: 'compaction', encrypted_content: ours }, { role: 'user', content: 'So?' }],
  });
  expect(upstream.requests.at(-1)?.json['input']).toEqual([
    own,
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: expect.any(String) }] },
    { role: 'user', content: 'So?' },
  ]);
  expect(sentLast()).toContain('Paris was sunny');
});

test('tokens are counted for nothing, with the response that is continued', async () => {
  const { model, userId, sdk } = await setUp(14);
  const { length } = upstream.requests;
  const short = await sdk.responses.inputTokens.count({ model, input: 'Hi' });
  expect(short).toMatchObject({ object: 'response.input_tokens' });
  const long = await sdk.responses.inputTokens.count({ model, input: 'many words '.repeat(500) });
  expect(long.input_tokens).toBeGreaterThan(short.input_tokens + 900);
  expect(upstream.requests.length).toBe(length);
  expect(await spent(userId)).toBe(0);
  upstream.answer(messagesReply('many words '.repeat(500)));
  const { id } = await sdk.responses.create({ model, input: 'Write' });
  const continued = await sdk.responses.inputTokens.count({
    model,
    input: 'Hi',
    previous_response_id: id,
  });
  expect(continued.input_tokens).toBeGreaterThan(900);
  const foreign = client((await gateway.addCustomer(funds)).key).responses.inputTokens.count({
    model,
    input: 'Hi',
    previous_response_id: id,
  });
  await expect(foreign).rejects.toMatchObject({ code: 'previous_response_not_found' });
});
