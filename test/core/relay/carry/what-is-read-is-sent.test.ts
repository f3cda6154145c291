/**
 * A request is priced by the fields its upstream reads, and delivered output is counted in any
 * shape.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { sendJson } from '../../../support/upstream.ts';

let bench: CallBench;

beforeAll(async () => {
  bench = await startCallBench('gpt-4o-mini,gpt-4,gpt-image-1,dall-e-2,painter');
  await bench.gateway.set('ModelPrice', { 'dall-e-2': 0.02, painter: 0.1 });
});
afterAll(() => bench.close());

const messages = '"messages":[{"role":"user","content":"hi"}]';
const filler = `"user":"${'long enough not to be parsed whole '.repeat(200)}"`;

describe('a field under another spelling', () => {
  it.each([
    ['/v1/chat/completions', `{"model":"gpt-4o-mini",${messages},"Model":"gpt-4"}`],
    ['/v1/chat/completions', `{"model":"gpt-4o-mini",${messages},"MODEL":"gpt-4",${filler}}`],
    ['/v1/chat/completions', `{"model":"gpt-4o-mini",${messages},"mod\\u0045l":"gpt-4"}`],
    ['/v1/chat/completions', `{"model":"gpt-4o-mini",${messages},"Service_tier":"priority"}`],
    ['/v1/chat/completions', `{"model":"gpt-4o-mini",${messages},"max_to\u212aens":99999}`],
    ['/v1/chat/completions', `{"model":"gpt-4o-mini",${messages},"Background":true}`],
    ['/v1/chat/completions', `{"model":"gpt-4o-mini",${messages},"Models":["gpt-4"]}`],
    ['/v1/images/generations', '{"model":"painter","prompt":"a lake","n":1,"N":10}'],
    ['/v1/audio/speech', '{"model":"tts-1","voice":"alloy","input":"a","Input":"a whole book"}'],
    [
      '/v1/images/generations',
      '{"model":"painter","prompt":"a lake","size":"256x256","ſize":"1792x1024"}',
    ],
  ])('is rejected before an upstream can read it as the same (%s %s)', async (path, body) => {
    const { key, userId } = await bench.gateway.addCustomer(startQuota);
    const asked = bench.upstream.requests.length;
    const reply = await bench.post(path, key, body);
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain('is written');
    expect(bench.upstream.requests).toHaveLength(asked);
    expect(await bench.spent(userId)).toBe(0);
  });

  it('so are two audio files, of which one would be measured and another one transcribed', async () => {
    const { key } = await bench.gateway.addCustomer(startQuota);
    for (const second of ['file', 'File']) {
      const form = new FormData();
      form.append('model', 'whisper-1');
      form.append('file', new Blob([new Uint8Array(10)]), 'short.wav');
      form.append(second, new Blob([new Uint8Array(100_000)]), 'long.wav');
      const reply = await bench.post('/v1/audio/transcriptions', key, form);
      expect([reply.status, await reply.text()]).toEqual([
        400,
        expect.stringContaining('is given twice'),
      ]);
    }
  });

  it.each(['url', 'URL', 'file_url', 'file_id'])(
    'so is audio that %s names beside the file that is measured',
    async (name) => {
      const { key } = await bench.gateway.addCustomer(startQuota);
      const form = new FormData();
      form.append('model', 'whisper-1');
      form.append('file', new Blob([new Uint8Array(10)]), 'short.wav');
      form.append(name, 'https://files.example/long.wav');
      const before = bench.upstream.requests.length;
      const reply = await bench.post('/v1/audio/transcriptions', key, form);
      expect([reply.status, await reply.text()]).toEqual([
        400,
        expect.stringContaining(`${name} is not supported`),
      ]);
      expect(bench.upstream.requests).toHaveLength(before);
    },
  );

  it.each(['n', 'size', 'quality', 'model'])(
    'so is a form that gives %s twice, or as a file',
    async (name) => {
      const { key } = await bench.gateway.addCustomer(startQuota);
      const twice = new FormData();
      const asFile = new FormData();
      for (const form of [twice, asFile]) {
        form.append('prompt', 'a lake');
        form.append('image', new Blob([new Uint8Array([1, 2, 3])]), 'lake.png');
        if (name !== 'model') form.append('model', 'dall-e-2');
      }
      twice.append(name, name === 'n' ? '10' : 'dall-e-2');
      twice.append(name, name === 'n' ? '1' : 'dall-e-2');
      asFile.append(name, new Blob(['10']), 'ten');
      for (const form of [twice, asFile])
        expect((await bench.post('/v1/images/edits', key, form)).status).toBe(400);
    },
  );
});

describe('sizes and qualities', () => {
  it.each(['constructor', 'toString', '__proto__'])('may be any string: %s', async (word) => {
    bench.upstream.answer((response) =>
      sendJson(response, 200, { created: 1, data: [{ b64_json: 'AA==' }] }),
    );
    const { key, userId } = await bench.gateway.addCustomer(startQuota);
    const order = (fields: object) =>
      bench.post('/v1/images/generations', key, JSON.stringify({ prompt: 'a lake', ...fields }));
    expect((await order({ model: 'painter', size: word })).status).toBe(200);
    expect(await bench.spent(userId)).toBe(50_000);
    expect((await order({ model: 'gpt-image-1', quality: word })).status).toBe(200);
  });
});

describe('a stream whose client disconnects before usage is sent', () => {
  const words = 'some words '.repeat(100);
  it.each([
    ['older function calls', { function_call: { name: 'write', arguments: words } }],
    [
      'thinking in several parts',
      { content: [{ type: 'thinking', thinking: [{ type: 'text', text: words }] }] },
    ],
    ['an audio transcript', { audio: { id: 'a', transcript: words } }],
  ])('is charged for %s', async (_, delta) => {
    const chunk = { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta }] };
    const left = bench.upstream.aborted;
    bench.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    });
    const { key, username } = await bench.gateway.addCustomer(startQuota);
    const gone = new AbortController();
    const reply = await fetch(`${bench.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: `{"model":"gpt-4o-mini",${messages},"stream":true}`,
      signal: gone.signal,
    });
    await reply.body?.getReader().read();
    gone.abort();
    await expect.poll(() => bench.upstream.aborted, { timeout: 30_000 }).toBe(left + 1);
    await expect
      .poll(async () => (await bench.gateway.client.log.list({ username, type: 2 })).items.length)
      .toBe(1);
    expect(Number((await bench.newestLog(username)).row['completion_tokens'])).toBeGreaterThan(150);
  });
});

it('a stream of Gemini whose client disconnects is charged by the last usage it received, not by the first', async () => {
  const event = (candidates: number) => ({
    candidates: [{ content: { role: 'model', parts: [{ text: 'words ' }] }, index: 0 }],
    usageMetadata: {
      promptTokenCount: 10,
      candidatesTokenCount: candidates,
      thoughtsTokenCount: 500,
    },
  });
  await bench.gateway.addChannel({
    type: 24,
    baseUrl: bench.upstream.url,
    models: 'gemini-2.0-flash',
  });
  const left = bench.upstream.aborted;
  bench.upstream.answer(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const count of [1, 200, 400]) {
      response.write(`data: ${JSON.stringify(event(count))}\r\n\r\n`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  const { key, username } = await bench.gateway.addCustomer(startQuota);
  const gone = new AbortController();
  const reply = await fetch(
    `${bench.gateway.url}/v1beta/models/gemini-2.0-flash:streamGenerateContent?alt=sse`,
    {
      method: 'POST',
      headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
      signal: gone.signal,
    },
  );
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; !text.includes('400'); ) text += (await reader?.read())?.value ?? '';
  gone.abort();
  await expect.poll(() => bench.upstream.aborted, { timeout: 30_000 }).toBe(left + 1);
  await expect
    .poll(async () => (await bench.gateway.client.log.list({ username, type: 2 })).items.length)
    .toBe(1);
  expect((await bench.newestLog(username)).row).toMatchObject({
    prompt_tokens: 10,
    completion_tokens: 900,
  });
});

it('a stream whose lines end with CR alone is delivered as it is charged', async () => {
  const lines = [
    {
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { content: 'Hello' } }],
    },
    {
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    },
    {
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: 9 },
    },
  ];
  bench.upstream.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const line of lines) response.write(`data: ${JSON.stringify(line)}\r\r`);
    response.end('data: [DONE]\r\r');
  });
  const { key, username } = await bench.gateway.addCustomer(startQuota);
  const reply = await bench.post(
    '/v1/chat/completions',
    key,
    `{"model":"gpt-4o-mini",${messages},"stream":true}`,
  );
  expect(await reply.text()).toContain('"content":"Hello"');
  expect((await bench.newestLog(username)).row).toMatchObject({
    prompt_tokens: 7,
    completion_tokens: 9,
  });
});

const chunkOf = (fields: object) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', ...fields })}\n\n`;
const figures = chunkOf({ choices: [], usage: { prompt_tokens: 700, completion_tokens: 300 } });
const finish = chunkOf({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });

it.each([
  ['and never how it ended', `${figures}data: [DONE]\n\n`],
  ['before how it ended', `${figures}${finish}data: [DONE]\n\n`],
])(
  'usage in the same chunk as the end is charged, and shown only to callers who requested it: %s',
  async (_, end) => {
    bench.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chunkOf({ choices: [{ index: 0, delta: { content: 'Hello' } }] }));
      setTimeout(() => response.end(end), 20);
    });
    const { key, username } = await bench.gateway.addCustomer(startQuota);
    const reply = await bench.post(
      '/v1/chat/completions',
      key,
      `{"model":"gpt-4o-mini",${messages},"stream":true}`,
    );
    expect(await reply.text()).not.toContain('"usage"');
    expect((await bench.newestLog(username)).row).toMatchObject({
      prompt_tokens: 700,
      completion_tokens: 300,
    });
  },
);
