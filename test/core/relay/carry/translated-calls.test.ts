/** Calls for a provider without pass-through: request and reply are translated. */
import { toFile } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openai } from '../../../../src/core/providers/openai/index.ts';
import { wav } from '../../../support/audio-files.ts';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { bytesOf, readFormOf } from '../../../support/forms.ts';
import { replaceProvider, withoutPassThrough } from '../../../support/providers.ts';
import {
  type Answer,
  errorReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

// OpenAI's adapters without pass-through.
const providers = replaceProvider(withoutPassThrough(openai));

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let bench: CallBench;
let files: TestUpstream;

beforeAll(async () => {
  bench = await startCallBench(
    'dall-e-2,dall-e-3,tts-1,whisper-1,ranker,text-embedding-3-small',
    {
      FETCH_ALLOW_HOSTS: '127.0.0.1',
    },
    providers,
  );
  files = await startUpstream();
  await bench.gateway.set('ModelRatio', {
    ranker: 2,
    'tts-1': 7.5,
    'whisper-1': 3,
    'text-embedding-3-small': 0.01,
  });
});
afterAll(async () => {
  await bench.close();
  await files.close();
});
beforeEach(() => {
  bench.upstream.requests.length = 0;
  files.answer((response) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    response.end(png);
  });
});

describe('images', () => {
  const answer = (...data: object[]) =>
    bench.upstream.answer((response) => sendJson(response, 200, { created: 1, data }));
  const order = { model: 'dall-e-3', prompt: 'a lake' } as const;

  it('are requested with all fields of the caller, unknown ones too', async () => {
    answer({ url: `${files.url}/a.png`, revised_prompt: 'A blue lake' });
    const customer = await bench.gateway.addCustomer(startQuota);
    const body = {
      ...order,
      n: 1,
      size: '1024x1024',
      quality: 'hd',
      style: 'vivid',
      user: 'u',
      watermark: false,
    };
    const reply = await bench.post('/v1/images/generations', customer.key, JSON.stringify(body));
    expect(await reply.json()).toEqual({
      created: expect.any(Number),
      data: [{ url: `${files.url}/a.png`, revised_prompt: 'A blue lake' }],
    });
    expect(bench.upstream.requests[0]?.json).toEqual(body);
    expect(await bench.spent(customer.userId)).toBe(40_000);
  });

  it('are fetched where data was requested and a URL was returned', async () => {
    answer(
      { url: `${files.url}/a.png` },
      { url: `data:image/png;base64,${png.toString('base64')}` },
    );
    const customer = await bench.gateway.addCustomer(startQuota);
    const reply = await bench
      .openAi(customer.key)
      .images.generate({ ...order, n: 2, response_format: 'b64_json' });
    expect(reply.data).toEqual([
      { b64_json: png.toString('base64') },
      { b64_json: png.toString('base64') },
    ]);
    expect(await bench.spent(customer.userId)).toBe(40_000);
  });

  it('that cannot be fetched are returned as URLs and charged', async () => {
    answer({ url: 'http://10.0.0.1/a.png' });
    const { key } = await bench.gateway.addCustomer(startQuota);
    const reply = await bench
      .openAi(key)
      .images.generate({ ...order, response_format: 'b64_json' });
    expect(reply.data).toEqual([{ url: 'http://10.0.0.1/a.png' }]);
  });

  it('stay data where a URL was requested and data was returned', async () => {
    answer({ b64_json: png.toString('base64') });
    const { key } = await bench.gateway.addCustomer(startQuota);
    const reply = await bench.openAi(key).images.generate({ ...order, response_format: 'url' });
    expect(reply.data).toEqual([{ b64_json: png.toString('base64') }]);
  });

  it('are sent as events to a caller who requested a stream', async () => {
    answer({ url: `${files.url}/a.png` });
    const customer = await bench.gateway.addCustomer(startQuota);
    const events: unknown[] = [];
    const stream = await bench
      .openAi(customer.key)
      .images.generate({ ...order, stream: true, partial_images: 2 });
    for await (const event of stream) events.push(event);
    expect(events).toMatchObject([
      { type: 'image_generation.completed', b64_json: png.toString('base64') },
    ]);
    expect(bench.upstream.requests[0]?.json).toEqual(order);
    expect((await bench.newestLog(customer.username)).row).toMatchObject({
      is_stream: true,
      quota: 20_000,
    });
  });

  it('to edit are taken from files, data URIs and addresses', async () => {
    answer({ url: `${files.url}/b.png` });
    const { key } = await bench.gateway.addCustomer(startQuota);
    const image = await toFile(png, 'a.png', { type: 'image/png' });
    await bench
      .openAi(key)
      .images.edit({ model: 'dall-e-2', prompt: 'greener', image, mask: image });
    const uploaded = await readFormOf(bench.upstream.requests[0]);
    expect(await bytesOf(uploaded.get('image'))).toEqual(png);
    expect(await bytesOf(uploaded.get('mask'))).toEqual(png);

    const images = [`data:image/png;base64,${png.toString('base64')}`, `${files.url}/a.png`];
    const body = {
      model: 'dall-e-2',
      prompt: 'greener',
      images: images.map((image_url) => ({ image_url })),
    };
    expect((await bench.post('/v1/images/edits', key, JSON.stringify(body))).status).toBe(200);
    const fetched = await readFormOf(bench.upstream.requests[1]);
    expect(await Promise.all(fetched.getAll('image[]').map(bytesOf))).toEqual([png, png]);
  });

  it('to edit are not fetched from forbidden addresses', async () => {
    const customer = await bench.gateway.addCustomer(startQuota);
    const body = { model: 'dall-e-2', prompt: 'greener', image: 'http://169.254.169.254/latest' };
    const reply = await bench.post('/v1/images/edits', customer.key, JSON.stringify(body));
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { error: { code: 'address_not_allowed' } },
    ]);
    expect(await bench.spent(customer.userId)).toBe(0);
  });
});

describe('speech', () => {
  it('is returned as bytes, or as events where requested', async () => {
    bench.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'audio/opus' });
      response.end(png);
    });
    const customer = await bench.gateway.addCustomer(startQuota);
    const order = {
      model: 'tts-1',
      input: 'hello',
      voice: 'alloy',
      response_format: 'opus',
    } as const;
    const reply = await bench.openAi(customer.key).audio.speech.create(order);
    expect([reply.headers.get('content-type'), Buffer.from(await reply.arrayBuffer())]).toEqual([
      'audio/opus',
      png,
    ]);
    expect(await bench.spent(customer.userId)).toBe(38);
    const streamed = await bench.post(
      '/v1/audio/speech',
      customer.key,
      JSON.stringify({ ...order, stream_format: 'sse' }),
    );
    expect(streamed.headers.get('content-type')).toBe('text/event-stream');
    const delta = JSON.stringify({ type: 'speech.audio.delta', audio: png.toString('base64') });
    expect(await streamed.text()).toContain(`data: ${delta}\n\n`);
    expect(bench.upstream.requests[1]?.json).toEqual(order);
  });
});

describe('transcription', () => {
  const segments = [
    { id: 0, start: 0, end: 1.5, text: ' Hello' },
    { id: 1, start: 3661.25, end: 3662, text: ' there' },
  ];
  const verbose = {
    task: 'transcribe',
    language: 'english',
    duration: 2.5,
    text: 'Hello there',
    segments,
  };
  const ask = async (fields: Record<string, string>) => {
    bench.upstream.answer((response) => sendJson(response, 200, verbose));
    const { key } = await bench.gateway.addCustomer(startQuota);
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('file', new Blob([new Uint8Array(wav(2))], { type: 'audio/wav' }), 'talk.wav');
    const reply = await bench.post('/v1/audio/transcriptions', key, form);
    const asked = (await readFormOf(bench.upstream.requests.at(-1))).get('response_format');
    return { asked, type: reply.headers.get('content-type'), text: await reply.text() };
  };

  it('is written in each form', async () => {
    expect(await ask({})).toMatchObject({ asked: 'json', text: '{"text":"Hello there"}' });
    expect(await ask({ response_format: 'text' })).toMatchObject({
      asked: 'json',
      text: 'Hello there\n',
    });
    const srt =
      '1\n00:00:00,000 --> 00:00:01,500\nHello\n\n2\n01:01:01,250 --> 01:01:02,000\nthere\n';
    expect(await ask({ response_format: 'srt' })).toMatchObject({
      asked: 'verbose_json',
      text: srt,
    });
    const vtt =
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nHello\n\n01:01:01.250 --> 01:01:02.000\nthere\n';
    expect(await ask({ response_format: 'vtt' })).toMatchObject({
      type: 'text/vtt; charset=utf-8',
      text: vtt,
    });
    expect(JSON.parse((await ask({ response_format: 'verbose_json' })).text)).toEqual(verbose);
    expect((await ask({ stream: 'true' })).text).toContain(
      '"type":"transcript.text.done","text":"Hello there"',
    );
  });

  it('rejects an invalid temperature', async () => {
    const { key } = await bench.gateway.addCustomer(startQuota);
    const form = new FormData();
    form.set('temperature', 'warm');
    form.set('file', new Blob([new Uint8Array(wav(2))]), 'talk.wav');
    const reply = await bench.post('/v1/audio/transcriptions', key, form);
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { error: { code: 'invalid_audio_request' } },
    ]);
  });
});

describe('reranking', () => {
  const results = [{ index: 1, relevance_score: 0.9 }];
  const body = { model: 'ranker', query: 'fruit', documents: ['car', { text: 'pear' }] };
  const ask = async (fields: object) => {
    bench.upstream.answer((response) =>
      sendJson(response, 200, { results, usage: { total_tokens: 7 } }),
    );
    const customer = await bench.gateway.addCustomer(startQuota);
    const reply = await bench.post(
      '/v1/rerank',
      customer.key,
      JSON.stringify({ ...body, ...fields }),
    );
    expect(await bench.spent(customer.userId)).toBe(14);
    return reply.json();
  };

  it('returns indexes and scores, and the documents where requested', async () => {
    expect(await ask({ top_n: 1 })).toEqual({
      model: 'ranker',
      results,
      usage: { prompt_tokens: 7, total_tokens: 7 },
    });
    expect(bench.upstream.requests[0]?.json).toEqual({ ...body, top_n: 1 });
    expect(await ask({ return_documents: true })).toMatchObject({
      results: [{ index: 1, document: { text: 'pear' } }],
    });
  });
});

describe('embeddings', () => {
  it('come in the order of their index', async () => {
    const data = [
      { index: 1, embedding: [2] },
      { index: 0, embedding: Buffer.from(new Float32Array([1]).buffer).toString('base64') },
    ];
    bench.upstream.answer((response) =>
      sendJson(response, 200, { data, usage: { prompt_tokens: 500, total_tokens: 500 } }),
    );
    const customer = await bench.gateway.addCustomer(startQuota);
    const input = ['a', 'b'];
    const reply = await bench.post(
      '/v1/embeddings',
      customer.key,
      JSON.stringify({ model: 'text-embedding-3-small', input }),
    );
    expect(await reply.json()).toMatchObject({
      data: [
        { index: 0, embedding: [1] },
        { index: 1, embedding: [2] },
      ],
    });
    expect(await bench.spent(customer.userId)).toBe(5);
  });
});

it.each<[string, Answer, number, string]>([
  [
    'an error behind 200',
    (response) =>
      sendJson(response, 200, {
        error: { message: 'no', code: 'refused', type: 'invalid_request_error' },
      }),
    400,
    'refused',
  ],
  ['no JSON', (response) => void response.end('not JSON'), 502, 'bad_response_body'],
  [
    'a reply without images',
    (response) => sendJson(response, 200, { data: [] }),
    502,
    'bad_response_body',
  ],
  ['a broken connection', (response) => void response.destroy(), 502, 'upstream_cut'],
  ['an error', errorReply(400, { message: 'no', code: 'bad_size' }), 400, 'bad_size'],
])('%s costs nothing and returns an error', async (_, answer, status, code) => {
  const { key, userId } = await bench.gateway.addCustomer(startQuota);
  bench.upstream.answer(answer);
  const reply = await bench.post(
    '/v1/images/generations',
    key,
    '{"model":"dall-e-3","prompt":"a lake"}',
  );
  expect([reply.status, await reply.json()]).toMatchObject([status, { error: { code } }]);
  expect(await bench.spent(userId)).toBe(0);
});
