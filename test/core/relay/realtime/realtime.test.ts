// Covers src/core/relay/formats/openai-realtime.
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { describe, expect, it } from 'vitest';
import {
  bearer,
  cost,
  created,
  createRealtimeBench,
  done,
  greet,
  model,
} from '../../../support/realtime-bench.ts';
import { openSocket } from '../../../support/socket-client.ts';
import { startTlsFront } from '../../../support/tls-front.ts';

const bench = createRealtimeBench();

describe('a realtime session', () => {
  it('works with the OpenAI SDK, and each response is charged by its own usage', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const front = await startTlsFront(bench.gateway.url);
    const client = new OpenAI({ apiKey: customer.key, baseURL: `${front.url}/v1` });
    const realtime = new OpenAIRealtimeWS({ model, options: { ca: front.ca } }, client);
    const events: string[] = [];
    realtime.on('error', (error) => events.push(String(error)));
    realtime.on('event', (event) => events.push(event.type));
    const doneTwice = new Promise<void>((resolve) => {
      let count = 0;
      realtime.on('response.done', () => {
        count += 1;
        if (count === 2) resolve();
        else realtime.send({ type: 'response.create' });
      });
    });
    bench.upstream.script({
      connect: async (connection) => {
        greet(connection);
        for (const id of ['resp_1', 'resp_2']) {
          expect(JSON.parse(String(await connection.next()))).toMatchObject({
            type: 'response.create',
          });
          connection.send(created(id));
          connection.send({ type: 'response.output_text.delta', response_id: id, delta: 'Hi' });
          connection.send(done(id));
        }
      },
    });
    realtime.socket.once('open', () => realtime.send({ type: 'response.create' }));
    await doneTwice;
    const answer = ['response.created', 'response.output_text.delta', 'response.done'];
    expect(events).toEqual(['session.created', ...answer, ...answer]);
    expect(await bench.quotaOf(customer.userId)).toBe(1_000_000 - 2 * cost);
    realtime.close();
    await bench.upstream.connections[0]?.closed;
    front.close();

    const { url, headers } = bench.upstream.connections[0]?.request ?? {};
    expect(url).toBe(`/v1/realtime?model=${model}`);
    expect(headers?.authorization).toBe('Bearer upstream-key');
    const logs = await bench.logsOf(customer.username);
    expect(logs).toHaveLength(2);
    expect(new Set(logs.map((log) => log.request_id)).size).toBe(2);
    for (const log of logs) {
      expect(log).toMatchObject({
        quota: cost,
        prompt_tokens: 100,
        completion_tokens: 100,
        model_name: model,
        is_stream: true,
      });
      expect(log.parsed).toMatchObject({
        ws: true,
        audio_input: 50,
        audio_output: 60,
        text_input: 50,
        text_output: 40,
        audio_ratio: 8,
        audio_completion_ratio: 2,
        cache_tokens: 40,
        usage_source: 'upstream',
        request_path: '/v1/realtime',
      });
    }
    await bench.expectSettled(customer);
  });

  it('forwards frames unchanged in both directions, text and binary', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    const odd = '{ "type" : "x.unknown", "n": 1.50,\n"text": "\\u4f60\ud83d\ude00" }';
    client.send(odd);
    expect(await server.next()).toBe(odd);
    client.socket.send(Buffer.from([0, 1, 255]));
    expect(await server.next()).toEqual(Buffer.from([0, 1, 255]));
    server.send(odd);
    expect(await client.nextRaw()).toBe(odd);
    server.socket.send(Buffer.from([9, 8]));
    expect(await client.nextRaw()).toEqual(Buffer.from([9, 8]));
    server.send('no JSON at all');
    expect(await client.nextRaw()).toBe('no JSON at all');
    client.socket.close();
    await server.closed;
    await bench.expectSettled(customer);
    expect(await bench.quotaOf(customer.userId)).toBe(1_000_000);
  });

  it('reads the key from the subprotocols, selects `realtime`, and accepts any origin', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const protocols = [
      'realtime',
      `openai-insecure-api-key.${customer.key}`,
      'openai-beta.realtime-v1',
    ];
    const client = await openSocket(
      bench.address(),
      { origin: 'https://elsewhere.example' },
      protocols,
    );
    expect(client.socket.protocol).toBe('realtime');
    expect(await client.next()).toMatchObject({ type: 'session.created' });
    const { headers } = bench.upstream.connections[0]?.request ?? {};
    expect(headers?.['openai-beta']).toBe('realtime=v1');
    expect(headers?.['sec-websocket-protocol']).toBeUndefined();
    expect(JSON.stringify(headers)).not.toContain(customer.key);
    client.socket.close();
    await client.closed;
  });

  it('requests the mapped model and charges by the requested one', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const alias = 'gpt-4o-realtime-preview-2024-10-01';
    const id = await bench.gateway.addChannel({
      type: 1,
      baseUrl: bench.upstream.url,
      models: alias,
      model_mapping: JSON.stringify({ [alias]: 'voice-2' }),
    });
    const client = await openSocket(bench.address(alias), bearer(customer.key));
    await client.next();
    expect(bench.upstream.connections[0]?.request.url).toBe('/v1/realtime?model=voice-2');
    bench.upstream.connections[0]?.send(created('r'));
    bench.upstream.connections[0]?.send(done('r', { input_tokens: 100, output_tokens: 100 }));
    await client.next();
    await client.next();
    // Text only: (100 + 100 × 4) × 2.5
    const [log] = await bench.logsOf(customer.username);
    expect(log).toMatchObject({ quota: 1250, model_name: alias });
    expect(log?.parsed).toMatchObject({
      ws: true,
      is_model_mapped: true,
      upstream_model_name: 'voice-2',
      audio_input: 0,
    });
    client.socket.close();
    await client.closed;
    await bench.gateway.client.channel.remove({ id });
  });
});

describe('responses without usage', () => {
  it('are counted: audio by its length and format, texts, and tools from the second response on', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    const seconds = (count: number, rate: number) => Buffer.alloc(count * rate).toString('base64');
    client.send({
      type: 'session.update',
      session: {
        input_audio_format: 'g711_ulaw',
        output_audio_format: 'pcm16',
        tools: [{ type: 'function', name: 'look' }],
      },
    });
    client.send({ type: 'input_audio_buffer.append', audio: seconds(6, 8000) });
    for (let count = 0; count < 2; count++) await server.next();
    server.send(created('r1'));
    server.send({ type: 'response.audio.delta', response_id: 'r1', delta: seconds(3, 48_000) });
    server.send(done('r1', null));
    for (let count = 0; count < 3; count++) await client.next();
    const [first] = await bench.logsOf(customer.username);
    // 6 s ⁄ 60 × 100 ⁄ 0.06 = 166.7 and 3 s ⁄ 60 × 200 ⁄ 0.24 = 41.7 tokens
    expect(first).toMatchObject({
      prompt_tokens: 167,
      completion_tokens: 42,
      quota: (167 * 8 + 42 * 16) * 2.5,
    });
    expect(first?.parsed).toMatchObject({
      audio_input: 167,
      audio_output: 42,
      text_input: 0,
      text_output: 0,
      usage_source: 'counted',
    });

    client.send({
      type: 'conversation.item.create',
      item: { type: 'message', content: [{ type: 'input_text', text: 'How are you' }] },
    });
    await server.next();
    server.send(created('r2'));
    server.send({ type: 'response.audio_transcript.delta', response_id: 'r2', delta: 'Well' });
    server.send(done('r2', null));
    for (let count = 0; count < 3; count++) await client.next();
    const [second] = await bench.logsOf(customer.username);
    expect(second?.parsed).toMatchObject({ audio_input: 0, audio_output: 0 });
    const tool = countTokens('{"type":"function","name":"look"}');
    expect(second).toMatchObject({
      prompt_tokens: countTokens('How are you') + 8 + tool,
      completion_tokens: 1,
    });
    client.socket.close();
    await client.closed;
    await bench.expectSettled(customer);
  });

  it.each([
    ['failed', null],
    ['cancelled', { input_tokens: 0, output_tokens: 0 }],
  ])('that were %s before any output cost nothing', async (status, told) => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    client.send({ type: 'response.create', response: { instructions: 'Say something' } });
    await server.next();
    server.send(created('r1'));
    server.send(done('r1', told, status));
    await client.next();
    expect(await client.next()).toMatchObject({ type: 'response.done', response: { status } });
    await bench.expectSettled(customer);
    expect(await bench.quotaOf(customer.userId)).toBe(1_000_000);
    client.socket.close();
    await client.closed;
  });

  it('of the output alone are counted at the price of what was heard', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    server.send(created('r1'));
    const delta = Buffer.alloc(3 * 48_000).toString('base64');
    server.send({ type: 'response.audio.delta', response_id: 'r1', delta });
    server.send(done('r1', { input_tokens: 10, output_tokens: 0 }));
    for (let count = 0; count < 3; count++) await client.next();
    const [log] = await bench.logsOf(customer.username);
    // 3 s ⁄ 60 × 200 ⁄ 0.24 = 41.7 tokens
    expect(log).toMatchObject({
      prompt_tokens: 10,
      completion_tokens: 42,
      quota: (10 + 42 * 16) * 2.5,
    });
    expect(log?.parsed).toMatchObject({ audio_output: 42, usage_source: 'counted' });
    client.socket.close();
    await client.closed;
    await bench.expectSettled(customer);
  });

  it('or with figures beyond reason are counted', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    client.send({ type: 'session.update', session: { max_response_output_tokens: 1e15 } });
    await server.next();
    server.send(created('r1'));
    server.send({ type: 'response.text.delta', response_id: 'r1', delta: 'Well' });
    server.send(done('r1', { input_tokens: 1e12, output_tokens: 1e12 }));
    for (let count = 0; count < 3; count++) await client.next();
    const [log] = await bench.logsOf(customer.username);
    expect(log?.parsed.usage_source).toBe('counted');
    expect(log).toMatchObject({ prompt_tokens: 0, completion_tokens: 1, quota: 4 * 2.5 });
    // The next response can be held.
    client.send({ type: 'response.create' });
    await server.next();
    client.socket.close();
    await client.closed;
  });
});
