import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readLogOther } from '../../../../src/core/contract/log-other.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import {
  chatReply,
  chatStream,
  errorReply,
  messagesReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

let gateway: TestGateway;
let upstream: TestUpstream;

beforeAll(async () => {
  gateway = await startTestGateway({ STREAMING_TIMEOUT: '2' });
  upstream = await startUpstream();
  await gateway.addChannel({
    type: 1,
    baseUrl: upstream.url,
    models: 'gpt-4o,gpt-4o-mini,text-embedding-3-small,gpt-3.5-turbo-instruct',
  });
  await gateway.addChannel({
    type: 14,
    baseUrl: upstream.url,
    models: 'claude-3-5-sonnet-20241022',
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
  upstream.answer(chatReply());
});

const newOpenAi = (apiKey: string, maxRetries = 0) =>
  new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries });
const newAnthropic = (apiKey: string) =>
  new Anthropic({ apiKey, baseURL: gateway.url, maxRetries: 0 });
const hello = { role: 'user', content: 'Hello' } as const;

async function newestLog(username: string) {
  const { items } = await gateway.client.log.list({ username, type: 2 });
  return items[0];
}
async function quotaOf(userId: number) {
  return (await gateway.client.user.get({ id: userId })).quota;
}

describe('chat with the OpenAI SDK', () => {
  it('passes a plain request through, prices it by the formula and logs it', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const reply = await newOpenAi(customer.key).chat.completions.create({
      model: 'gpt-4o',
      messages: [hello],
    });
    expect(reply.choices[0]?.message.content).toBe('Hello from upstream');
    expect(upstream.requests[0]?.headers['authorization']).toBe('Bearer upstream-key');
    // ((1000 − 400) + 400 × 0.5 + 500 × 4) × 1.25
    expect(await quotaOf(customer.userId)).toBe(1_000_000 - 3500);
    const log = await newestLog(customer.username);
    expect(log).toMatchObject({
      quota: 3500,
      prompt_tokens: 1000,
      completion_tokens: 500,
      model_name: 'gpt-4o',
      is_stream: false,
      group: 'default',
    });
    const other = readLogOther(log?.other ?? '');
    expect(other).toMatchObject({
      model_ratio: 1.25,
      completion_ratio: 4,
      cache_ratio: 0.5,
      cache_tokens: 400,
      group_ratio: 1,
    });
    expect(other.admin_info?.route).toMatchObject([{ status: 200 }]);
  });

  it.each([false, true])('prices cached tokens of llama.cpp, streamed: %s', async (stream) => {
    const customer = await gateway.addCustomer(1_000_000);
    const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };
    const timings = { cache_n: 400, prompt_n: 600, predicted_n: 500 };
    const chunk = {
      id: 'chatcmpl-l',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'gpt-4o',
    };
    const chunks = [
      {
        ...chunk,
        choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }],
      },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { ...chunk, choices: [], usage, timings },
    ];
    const whole = {
      id: 'chatcmpl-l',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    };
    upstream.answer((response) => {
      if (!stream) return sendJson(response, 200, { ...whole, usage, timings });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`,
      );
    });
    const headers = { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ model: 'gpt-4o', messages: [hello], stream });
    await (
      await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })
    ).text();
    expect(await quotaOf(customer.userId)).toBe(1_000_000 - 3500);
  });

  it('streams, requests usage from the upstream and hides the usage chunk from callers who did not request it', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const stream = await newOpenAi(customer.key).chat.completions.create({
      model: 'gpt-4o',
      messages: [hello],
      stream: true,
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(
      'Hello from upstream',
    );
    expect(chunks.filter((chunk) => chunk.choices.length === 0)).toHaveLength(0);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
    expect(upstream.requests[0]?.json['stream_options']).toEqual({ include_usage: true });
    expect(await quotaOf(customer.userId)).toBe(1_000_000 - 3500);
    expect((await newestLog(customer.username))?.is_stream).toBe(true);
  });

  it('delivers the usage chunk to callers who requested it', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const stream = await newOpenAi(customer.key).chat.completions.create({
      model: 'gpt-4o',
      messages: [hello],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.filter((chunk) => chunk.usage?.total_tokens === 1500)).toHaveLength(1);
  });

  it('leaves unknown fields as they are and replaces only the mapped model', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const id = await gateway.addChannel({
      type: 1,
      baseUrl: upstream.url,
      models: 'alias',
      model_mapping: '{"alias":"middle","middle":"real"}',
    });
    await gateway.set('ModelRatio', {
      ...JSON.parse(
        (await gateway.client.option.list()).find(({ key }) => key === 'ModelRatio')?.value ?? '{}',
      ),
      alias: 1,
    });
    const body =
      '{ "model" : "alias", "x_unknown": 1.50, "messages": [{"role":"user","content":"\\u4f60好"}] }';
    const headers = { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' };
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body,
    });
    expect(reply.status).toBe(200);
    expect(upstream.requests[0]?.text).toBe(
      '{"model":"real","x_unknown": 1.50,"messages": [{"role":"user","content":"\\u4f60好"}]}',
    );
    expect(readLogOther((await newestLog(customer.username))?.other ?? '')).toMatchObject({
      is_model_mapped: true,
      upstream_model_name: 'real',
    });
    await gateway.client.channel.remove({ id });
  });

  it('serves completions and embeddings', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const client = newOpenAi(customer.key);
    upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          id: 'cmpl-1',
          object: 'text_completion',
          created: 1,
          model: 'm',
          choices: [{ index: 0, text: 'done', finish_reason: 'stop' }],
          usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 },
        }),
      );
    });
    expect(
      (await client.completions.create({ model: 'gpt-3.5-turbo-instruct', prompt: 'x' })).choices[0]
        ?.text,
    ).toBe('done');
    upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          object: 'list',
          data: [{ object: 'embedding', index: 0, embedding: [0.5, -1] }],
          model: 'm',
          usage: { prompt_tokens: 1000, total_tokens: 1000 },
        }),
      );
    });
    const embedded = await client.embeddings.create({
      model: 'text-embedding-3-small',
      input: 'x',
      encoding_format: 'float',
    });
    expect(embedded.data[0]?.embedding).toEqual([0.5, -1]);
    expect((await newestLog(customer.username))?.quota).toBe(10);
  });
});

describe('messages with the Anthropic SDK', () => {
  it('passes through to Claude, with cache reads and writes priced', async () => {
    upstream.answer(messagesReply());
    const customer = await gateway.addCustomer(1_000_000);
    const reply = await newAnthropic(customer.key).messages.create({
      model: 'claude-3-5-sonnet-20241022',
      max_tokens: 100,
      messages: [hello],
    });
    expect(reply.content).toEqual([{ type: 'text', text: 'Hello from Claude' }]);
    expect(upstream.requests[0]?.headers['x-api-key']).toBe('upstream-key');
    expect(upstream.requests[0]?.headers['authorization']).toBeUndefined();
    // (100 + 400 × 0.1 + 200 × 1.25 + 50 × 5) × 1.5
    expect(await quotaOf(customer.userId)).toBe(1_000_000 - 960);
    expect(await newestLog(customer.username)).toMatchObject({
      prompt_tokens: 100,
      completion_tokens: 50,
      quota: 960,
    });
  });

  it('streams through, and costs the same in a chat converted to the same channel', async () => {
    upstream.answer(messagesReply());
    const customer = await gateway.addCustomer(1_000_000);
    const message = await newAnthropic(customer.key)
      .messages.stream({ model: 'claude-3-5-sonnet-20241022', max_tokens: 100, messages: [hello] })
      .finalMessage();
    expect(message.content).toEqual([{ type: 'text', text: 'Hello from Claude' }]);
    expect(message.usage.output_tokens).toBe(50);
    expect(await quotaOf(customer.userId)).toBe(1_000_000 - 960);

    const stream = await newOpenAi(customer.key).chat.completions.create({
      model: 'claude-3-5-sonnet-20241022',
      messages: [hello],
      stream: true,
    });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe('Hello from Claude');
    expect(await quotaOf(customer.userId)).toBe(1_000_000 - 2 * 960);
    const plain = await newOpenAi(customer.key).chat.completions.create({
      model: 'claude-3-5-sonnet-20241022',
      messages: [hello],
    });
    expect(plain.choices[0]?.message.content).toBe('Hello from Claude');
    expect(await quotaOf(customer.userId)).toBe(1_000_000 - 3 * 960);
  });

  it('is converted for an OpenAI channel, streamed and not', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    const message = await newAnthropic(customer.key).messages.create({
      model: 'gpt-4o',
      max_tokens: 100,
      messages: [hello],
    });
    expect(message.content).toEqual([{ type: 'text', text: 'Hello from upstream' }]);
    expect(message.usage).toMatchObject({
      input_tokens: 600,
      cache_read_input_tokens: 400,
      output_tokens: 500,
    });
    const streamed = await newAnthropic(customer.key)
      .messages.stream({ model: 'gpt-4o', max_tokens: 100, messages: [hello] })
      .finalMessage();
    expect(streamed.content).toEqual([{ type: 'text', text: 'Hello from upstream' }]);
    expect(await quotaOf(customer.userId)).toBe(1_000_000 - 2 * 3500);
  });

  it('counts tokens without charging', async () => {
    const customer = await gateway.addCustomer(1_000_000);
    upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"input_tokens":77}');
    });
    expect(
      (
        await newAnthropic(customer.key).messages.countTokens({
          model: 'claude-3-5-sonnet-20241022',
          messages: [hello],
        })
      ).input_tokens,
    ).toBe(77);
    expect(
      (
        await newAnthropic(customer.key).messages.countTokens({
          model: 'gpt-4o',
          messages: [hello],
        })
      ).input_tokens,
    ).toBeGreaterThan(0);
    expect(await quotaOf(customer.userId)).toBe(1_000_000);
  });
});

describe('an upstream with invalid usage', () => {
  it.each([1e15, Number.MAX_SAFE_INTEGER, -5])(
    'about %d tokens is not believed; what was delivered is counted',
    async (tokens) => {
      upstream.answer(
        chatReply('Hello there', {
          prompt_tokens: tokens,
          completion_tokens: tokens,
          total_tokens: tokens,
        }),
      );
      const customer = await gateway.addCustomer(100_000);
      await newOpenAi(customer.key).chat.completions.create({ model: 'gpt-4o', messages: [hello] });
      const log = await newestLog(customer.username);
      expect(readLogOther(log?.other ?? '').usage_source).toBe('counted');
      expect(await quotaOf(customer.userId)).toBe(100_000 - (log?.quota ?? 0));
      expect(log?.quota).toBeLessThan(1000);
    },
  );
});

describe('idle streams', () => {
  it('are kept open by comments after they have started', async () => {
    await gateway.set('general_setting.ping_interval_seconds', 1);
    await gateway.set('general_setting.ping_interval_enabled', true);
    upstream.answer(chatStream(['one ', 'two '], undefined, { gap: 1500 }));
    const customer = await gateway.addCustomer(1_000_000);
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [hello], stream: true }),
    });
    const text = await reply.text();
    await gateway.set('general_setting.ping_interval_enabled', false);
    expect(text).toMatch(/^data: /);
    expect(text).toContain('\n\n: PING\n\n');
    expect(text.trim()).toMatch(/data: \[DONE\]$/);
  });
});

describe('failures of upstreams', () => {
  it('fails over to another channel, never back to a failed one, and charges once', async () => {
    await gateway.set('RetryTimes', 3);
    const broken = await startUpstream();
    broken.answer(
      errorReply(500, {
        message: 'boom at https://secret.example/x with sk-abcdefghijklmnop',
        type: 'server_error',
      }),
    );
    const a = await gateway.addChannel({
      type: 1,
      baseUrl: broken.url,
      models: 'gpt-4o-mini',
      priority: 10,
    });
    const b = await gateway.addChannel({
      type: 1,
      baseUrl: broken.url,
      models: 'gpt-4o-mini',
      priority: 10,
    });
    const customer = await gateway.addCustomer(1_000_000);
    const reply = await newOpenAi(customer.key).chat.completions.create({
      model: 'gpt-4o-mini',
      messages: [hello],
    });
    expect(reply.choices[0]?.message.content).toBe('Hello from upstream');
    expect(broken.requests).toHaveLength(2);
    const { items } = await gateway.client.log.list({ username: customer.username, type: 2 });
    expect(items).toHaveLength(1);
    const { admin_info } = readLogOther(items[0]?.other ?? '');
    expect(admin_info?.use_channel).toHaveLength(3);
    expect(admin_info?.route?.slice(0, 2)).toMatchObject([{ status: 500 }, { status: 500 }]);
    expect(JSON.stringify(admin_info)).not.toMatch(/secret\.example|sk-abc/);
    await gateway.client.channel.removeMany({ ids: [a, b] });
    await gateway.set('RetryTimes', 0);
    await broken.close();
  });

  it.each([
    [
      'an error body',
      errorReply(400, {
        message: 'bad thing',
        type: 'invalid_request_error',
        code: 'bad',
        param: 'x',
      }),
      400,
      'bad',
    ],
    ['an error in a 200', chatErrorIn200(), 429, 'rate_limit_exceeded'],
    [
      'no JSON',
      (response: import('node:http').ServerResponse) => void response.writeHead(200).end('<html>'),
      502,
      'bad_response_body',
    ],
    [
      'nothing',
      (response: import('node:http').ServerResponse) => void response.writeHead(200).end(),
      502,
      'empty_response',
    ],
    [
      'a reset',
      (response: import('node:http').ServerResponse) => void response.destroy(),
      502,
      'upstream_cut',
    ],
  ] as const)(
    'answers %s with the right error, costs nothing',
    async (_name, answer, status, code) => {
      upstream.answer(answer);
      const customer = await gateway.addCustomer(1_000_000);
      const error = await newOpenAi(customer.key)
        .chat.completions.create({ model: 'gpt-4o', messages: [hello] })
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(OpenAI.APIError);
      expect(error).toMatchObject({ status, code });
      expect((error as Error).message).toMatch(/\(request id: \w+\)$/);
      expect(await quotaOf(customer.userId)).toBe(1_000_000);
      // The hold was released: the whole balance can be held again.
      upstream.answer(chatReply());
      await newOpenAi(customer.key).chat.completions.create({ model: 'gpt-4o', messages: [hello] });
    },
  );

  it('ends a stream that its upstream cut, charges what was delivered', async () => {
    const words = 'one two three four five six seven eight nine ten '.split(/(?<= )/);
    for (const end of ['cut', 'eof', 'hang'] as const) {
      upstream.answer(chatStream(words, null, { end }));
      const customer = await gateway.addCustomer(1_000_000);
      let text = '';
      let failed = false;
      try {
        const stream = await newOpenAi(customer.key).chat.completions.create({
          model: 'gpt-4o',
          messages: [hello],
          stream: true,
        });
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
      } catch {
        failed = true;
      }
      expect(text.trim().split(' ')).toHaveLength(10);
      expect(failed).toBe(true);
      const log = await newestLog(customer.username);
      expect(log?.completion_tokens).toBeGreaterThan(5);
      expect(log?.quota).toBeGreaterThan(0);
      expect(readLogOther(log?.other ?? '')).toMatchObject({
        ended: end === 'hang' ? 'idle_timeout' : 'upstream_cut',
        usage_source: 'counted',
      });
      expect(await quotaOf(customer.userId)).toBe(1_000_000 - (log?.quota ?? 0));
    }
  });

  it('stops the upstream when the client leaves and charges what it received', async () => {
    upstream.answer(
      chatStream(
        Array.from({ length: 400 }, (_, index) => `word${index} `),
        null,
        { gap: 10 },
      ),
    );
    const customer = await gateway.addCustomer(1_000_000);
    const before = upstream.aborted;
    const stream = await newOpenAi(customer.key).chat.completions.create({
      model: 'gpt-4o',
      messages: [hello],
      stream: true,
    });
    let count = 0;
    for await (const chunk of stream) {
      if (chunk.choices.length > 0 && ++count > 20) break;
    }
    await expect
      .poll(async () => (await newestLog(customer.username))?.quota ?? 0, { timeout: 30_000 })
      .toBeGreaterThan(0);
    expect(upstream.aborted).toBe(before + 1);
    const log = await newestLog(customer.username);
    expect(readLogOther(log?.other ?? '').ended).toBe('client_gone');
    expect(log?.completion_tokens).toBeLessThan(300);
  });
});

function chatErrorIn200() {
  return (response: import('node:http').ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      '{"error":{"message":"slow down","type":"rate_limit_error","code":"rate_limit_exceeded"}}',
    );
  };
}
