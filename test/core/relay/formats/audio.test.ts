// Covers src/core/relay/formats/openai-speech, src/core/relay/formats/openai-transcriptions.
import { toFile } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mp3, wav } from '../../../support/audio-files.ts';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { bytesOf, readFormOf } from '../../../support/forms.ts';
import {
  type Answer,
  errorReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

let bench: CallBench;
let spare: TestUpstream;
const models = 'tts-1,gpt-4o-mini-tts,my-voice,whisper-1,gpt-4o-transcribe';

beforeAll(async () => {
  bench = await startCallBench(models, { STREAMING_TIMEOUT: '2' });
  spare = await startUpstream();
  await bench.gateway.addChannel({ type: 1, baseUrl: spare.url, models, priority: -1 });
});
afterAll(async () => {
  await bench.close();
  await spare.close();
});
beforeEach(async () => {
  bench.upstream.requests.length = 0;
  spare.requests.length = 0;
});

const event = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const events = (...all: string[]): Answer => {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(all.join(''));
  };
};

describe('speech', () => {
  const sound = Buffer.from(Array.from({ length: 50_000 }, (_, position) => position % 251));
  const spoken: Answer = async (response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' });
    for (let at = 0; at < sound.length; at += 10_000) {
      response.write(sound.subarray(at, at + 10_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };

  it('arrives byte for byte, and tts models are charged by characters', async () => {
    bench.upstream.answer(spoken);
    const customer = await bench.gateway.addCustomer(startQuota);
    const order = {
      model: 'tts-1',
      input: 'Grüß Gott 👋',
      voice: 'alloy',
      speed: 1.5,
      response_format: 'mp3',
    } as const;
    const reply = await bench.openAi(customer.key).audio.speech.create(order);
    expect(reply.headers.get('content-type')).toBe('audio/mpeg');
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(sound);
    expect(bench.upstream.requests[0]).toMatchObject({ path: '/v1/audio/speech', json: order });
    // 11 characters × 7.5
    expect(await bench.spent(customer.userId)).toBe(83);
    const { row, other } = await bench.newestLog(customer.username);
    expect(row).toMatchObject({ prompt_tokens: 11, completion_tokens: 0, model_name: 'tts-1' });
    // At least 500 tokens are held.
    expect(other.admin_info).toMatchObject({ held: 3750 });
  });

  it('requests tts-1 where no model is named', async () => {
    bench.upstream.answer(spoken);
    const { key } = await bench.gateway.addCustomer(startQuota);
    await (
      await bench.post('/v1/audio/speech', key, '{"input":"hi","voice":"alloy"}')
    ).arrayBuffer();
    expect(bench.upstream.requests[0]?.json).toMatchObject({ model: 'tts-1' });
  });

  it('with a price per call costs that', async () => {
    await bench.gateway.set('ModelPrice', { 'gpt-4o-mini-tts': 0.3 });
    bench.upstream.answer(spoken);
    const customer = await bench.gateway.addCustomer(startQuota);
    const reply = await bench
      .openAi(customer.key)
      .audio.speech.create({ model: 'gpt-4o-mini-tts', input: 'hello', voice: 'alloy' });
    await reply.arrayBuffer();
    expect(await bench.spent(customer.userId)).toBe(150_000);
  });

  it('of a model with a ratio is charged by the text and by how long it is', async () => {
    await bench.gateway.set('ModelRatio', {
      'my-voice': 2,
      'tts-1': 7.5,
      'whisper-1': 3,
      'gpt-4o-transcribe': 1.25,
    });
    await bench.gateway.set('CompletionRatio', { 'my-voice': 10 });
    bench.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'audio/wav' });
      response.end(wav(30));
    });
    const customer = await bench.gateway.addCustomer(startQuota);
    const reply = await bench
      .openAi(customer.key)
      .audio.speech.create({ model: 'my-voice', input: 'hello', voice: 'alloy' });
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(wav(30));
    const { row, other } = await bench.newestLog(customer.username);
    expect(row['completion_tokens']).toBe(500);
    expect(await bench.spent(customer.userId)).toBe(
      ((row['prompt_tokens'] as number) + 500 * 10) * 2,
    );
    expect(other.usage_source).toBe('counted');
  });

  it('as events brings its usage', async () => {
    const usage = { input_tokens: 20, output_tokens: 100, total_tokens: 120 };
    bench.upstream.answer(
      events(event('speech.audio.delta', { audio: 'QUJD' }), event('speech.audio.done', { usage })),
    );
    const customer = await bench.gateway.addCustomer(startQuota);
    const order = { model: 'my-voice', input: 'hello', voice: 'alloy', stream_format: 'sse' };
    const reply = await bench.post('/v1/audio/speech', customer.key, JSON.stringify(order));
    expect(reply.headers.get('content-type')).toBe('text/event-stream');
    expect(await reply.text()).toBe(
      event('speech.audio.delta', { audio: 'QUJD' }) + event('speech.audio.done', { usage }),
    );
    expect(await bench.spent(customer.userId)).toBe((20 + 100 * 10) * 2);
    expect((await bench.newestLog(customer.username)).row).toMatchObject({ is_stream: true });
  });

  it('is not begun before it is clear that it is no error', async () => {
    await bench.gateway.set('RetryTimes', 1);
    bench.upstream.answer((response) =>
      sendJson(response, 200, { error: { message: 'no voice today', type: 'server_error' } }),
    );
    spare.answer(spoken);
    const customer = await bench.gateway.addCustomer(startQuota);
    const reply = await bench
      .openAi(customer.key)
      .audio.speech.create({ model: 'tts-1', input: 'hello', voice: 'alloy' });
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(sound);
    expect((await bench.newestLog(customer.username)).other.admin_info?.route).toHaveLength(2);
    await bench.gateway.set('RetryTimes', 0);
  });

  it('is no page that a proxy put in its place', async () => {
    bench.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html>Sign in</html>');
    });
    const customer = await bench.gateway.addCustomer(startQuota);
    const order = bench
      .openAi(customer.key)
      .audio.speech.create({ model: 'tts-1', input: 'hello', voice: 'alloy' });
    await expect(order).rejects.toMatchObject({ status: 502, code: 'bad_response_body' });
    expect(await bench.spent(customer.userId)).toBe(0);
  });

  it('that breaks off breaks off for the caller too, and is paid', async () => {
    bench.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.write(sound.subarray(0, 20_000));
      setImmediate(() =>
        response.write(sound.subarray(20_000, 40_000), () =>
          setImmediate(() => response.destroy()),
        ),
      );
    });
    const customer = await bench.gateway.addCustomer(startQuota);
    const read = async () => {
      const reply = await bench
        .openAi(customer.key)
        .audio.speech.create({ model: 'tts-1', input: 'hello', voice: 'alloy' });
      await reply.arrayBuffer();
    };
    await expect(read()).rejects.toThrow();
    expect((await bench.newestLog(customer.username)).other.ended).toBe('upstream_cut');
    expect(await bench.spent(customer.userId)).toBe(38);
  });

  it('forwards the upstream’s error, in JSON', async () => {
    bench.upstream.answer(
      errorReply(400, {
        message: 'no such voice',
        type: 'invalid_request_error',
        param: 'voice',
        code: null,
      }),
    );
    const customer = await bench.gateway.addCustomer(startQuota);
    const order = bench
      .openAi(customer.key)
      .audio.speech.create({ model: 'tts-1', input: 'hello', voice: 'nobody' });
    await expect(order).rejects.toMatchObject({
      status: 400,
      param: 'voice',
      message: expect.stringContaining('no such voice'),
    });
    expect(await bench.spent(customer.userId)).toBe(0);
  });

  it.each([
    ['{"model":"tts-1"}', 'invalid_audio_request'],
    ['{"model":"tts-1","input":""}', 'invalid_audio_request'],
    ['{"model":"tts-1","input":["a"]}', 'invalid_audio_request'],
    ['{"model":"tts-1","input":"a test_sensitive text"}', 'sensitive_words_detected'],
  ])('refuses %s', async (body, code) => {
    const { key } = await bench.gateway.addCustomer(startQuota);
    const reply = await bench.post('/v1/audio/speech', key, body);
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: { code } }]);
    expect(bench.upstream.requests).toHaveLength(0);
  });
});

describe('transcription', () => {
  const audio = wav(90.2);
  const file = () => toFile(audio, 'talk.wav', { type: 'audio/wav' });

  it('arrives whole, and is charged by the length of the audio', async () => {
    bench.upstream.answer((response) => sendJson(response, 200, { text: 'Hello there' }));
    const customer = await bench.gateway.addCustomer(startQuota);
    const order = {
      model: 'whisper-1',
      file: await file(),
      language: 'de',
      prompt: 'Gespräch',
      temperature: 0.2,
    };
    const reply = await bench.openAi(customer.key).audio.transcriptions.create(order);
    expect(reply.text).toBe('Hello there');
    const [request] = bench.upstream.requests;
    expect(request?.path).toBe('/v1/audio/transcriptions');
    const form = await readFormOf(request);
    expect(await bytesOf(form.get('file'))).toEqual(audio);
    expect((form.get('file') as File).name).toBe('talk.wav');
    expect([
      form.get('model'),
      form.get('language'),
      form.get('prompt'),
      form.get('temperature'),
    ]).toEqual(['whisper-1', 'de', 'Gespräch', '0.2']);
    // 91 ⁄ 60 × 1000 = 1517 × 3
    expect(await bench.spent(customer.userId)).toBe(1517 * 3);
    const { row, other } = await bench.newestLog(customer.username);
    expect(row).toMatchObject({ prompt_tokens: 1517, completion_tokens: 0 });
    // Besides the recording: nine bytes of the prompt, and six tokens of transcript a second.
    expect(other.admin_info).toMatchObject({ held: (1517 + 9 + 542) * 3 });
  });

  it('is charged by the reported tokens or the reported seconds', async () => {
    const tokens = { type: 'tokens', input_tokens: 900, output_tokens: 50, total_tokens: 950 };
    bench.upstream.answer(
      (response) => sendJson(response, 200, { text: 'Hello', usage: tokens }),
      (response) =>
        sendJson(response, 200, { text: 'Hello', usage: { type: 'duration', seconds: 120 } }),
    );
    const first = await bench.gateway.addCustomer(startQuota);
    await bench
      .openAi(first.key)
      .audio.transcriptions.create({ model: 'gpt-4o-transcribe', file: await file() });
    expect(await bench.spent(first.userId)).toBe(Math.round((900 + 50 * 4) * 1.25));
    const second = await bench.gateway.addCustomer(startQuota);
    await bench
      .openAi(second.key)
      .audio.transcriptions.create({ model: 'whisper-1', file: await file() });
    expect(await bench.spent(second.userId)).toBe(2000 * 3);
  });

  it('is held for at the price of audio, which the reply may report', async () => {
    const usage = {
      type: 'tokens',
      input_tokens: 1517,
      input_token_details: { text_tokens: 0, audio_tokens: 1517 },
      output_tokens: 542,
      total_tokens: 2059,
    };
    bench.upstream.answer((response) => sendJson(response, 200, { text: 'Hello', usage }));
    const customer = await bench.gateway.addCustomer(startQuota);
    await bench
      .openAi(customer.key)
      .audio.transcriptions.create({ model: 'gpt-4o-transcribe', file: await file() });
    const charged = Math.round((1517 * 2.4 + 542 * 4) * 1.25);
    expect(await bench.spent(customer.userId)).toBe(charged);
    const { other } = await bench.newestLog(customer.username);
    expect(other.admin_info).toMatchObject({ held: charged });
  });

  it('is charged by its measured length where the upstream reports none', async () => {
    const usage = { type: 'duration', seconds: 0 };
    bench.upstream.answer((response) => sendJson(response, 200, { text: 'Hello', usage }));
    const customer = await bench.gateway.addCustomer(startQuota);
    await bench
      .openAi(customer.key)
      .audio.transcriptions.create({ model: 'whisper-1', file: await file() });
    expect(await bench.spent(customer.userId)).toBeGreaterThan(0);
  });

  it.each([
    ['text', 'text/plain; charset=utf-8', 'Hello there\n'],
    ['srt', 'application/x-subrip', '1\n00:00:00,000 --> 00:00:02,000\nHello there\n'],
    ['vtt', 'text/vtt', 'WEBVTT\n\n00:00.000 --> 00:02.000\nHello there\n'],
  ] as const)('as %s comes as it was written', async (response_format, contentType, text) => {
    bench.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': contentType });
      response.end(text);
    });
    const customer = await bench.gateway.addCustomer(startQuota);
    const form = new FormData();
    form.set('response_format', response_format);
    form.set('file', new Blob([new Uint8Array(audio)], { type: 'audio/wav' }), 'talk.wav');
    const reply = await bench.post('/v1/audio/transcriptions', customer.key, form);
    expect([reply.headers.get('content-type'), await reply.text()]).toEqual([contentType, text]);
    expect((await readFormOf(bench.upstream.requests[0])).get('model')).toBe('whisper-1');
    expect(await bench.spent(customer.userId)).toBe(1517 * 3);
  });

  it('streams, and the last event brings the usage', async () => {
    const usage = { type: 'tokens', input_tokens: 900, output_tokens: 50, total_tokens: 950 };
    bench.upstream.answer(
      events(
        event('transcript.text.delta', { delta: 'Hello' }),
        event('transcript.text.done', { text: 'Hello', usage }),
      ),
    );
    const customer = await bench.gateway.addCustomer(startQuota);
    const order = { model: 'gpt-4o-transcribe', file: await file(), stream: true } as const;
    const types: string[] = [];
    for await (const part of await bench.openAi(customer.key).audio.transcriptions.create(order))
      types.push(part.type);
    expect(types).toEqual(['transcript.text.delta', 'transcript.text.done']);
    expect(await bench.spent(customer.userId)).toBe(Math.round((900 + 50 * 4) * 1.25));
    expect((await bench.newestLog(customer.username)).row).toMatchObject({ is_stream: true });
  });

  it('is sent completely again after a failure', async () => {
    await bench.gateway.set('RetryTimes', 1);
    bench.upstream.answer(errorReply(500, { message: 'deaf' }));
    spare.answer((response) => sendJson(response, 200, { text: 'Hello' }));
    const customer = await bench.gateway.addCustomer(startQuota);
    const order = {
      model: 'whisper-1',
      file: await toFile(mp3(500), 'talk.mp3', { type: 'audio/mpeg' }),
    };
    await bench.openAi(customer.key).audio.transcriptions.create(order);
    expect(await bytesOf((await readFormOf(spare.requests[0])).get('file'))).toEqual(mp3(500));
    // 500 frames are 13.06 seconds
    expect(await bench.spent(customer.userId)).toBe(Math.round((14 / 60) * 1000) * 3);
    await bench.gateway.set('RetryTimes', 0);
  });

  it('forwards the upstream’s error', async () => {
    const message = 'Invalid file format.';
    bench.upstream.answer(
      errorReply(400, { message, type: 'invalid_request_error', param: null, code: null }),
    );
    const customer = await bench.gateway.addCustomer(startQuota);
    const order = bench
      .openAi(customer.key)
      .audio.transcriptions.create({ model: 'whisper-1', file: await file() });
    await expect(order).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
    expect(await bench.spent(customer.userId)).toBe(0);
  });

  it('translates', async () => {
    bench.upstream.answer((response) => sendJson(response, 200, { text: 'Hello' }));
    const customer = await bench.gateway.addCustomer(startQuota);
    const reply = await bench
      .openAi(customer.key)
      .audio.translations.create({ model: 'whisper-1', file: await file() });
    expect(reply.text).toBe('Hello');
    expect(bench.upstream.requests[0]?.path).toBe('/v1/audio/translations');
    expect(await bench.spent(customer.userId)).toBe(1517 * 3);
  });

  it('refuses a wallet that cannot pay for so long an audio, before it is sent', async () => {
    const customer = await bench.gateway.addCustomer(1517 * 3 - 1);
    const order = bench
      .openAi(customer.key)
      .audio.transcriptions.create({ model: 'whisper-1', file: await file() });
    await expect(order).rejects.toMatchObject({ status: 403, code: 'insufficient_user_quota' });
    expect(bench.upstream.requests).toHaveLength(0);
  });

  it('rejects a form without audio, and forbidden words in its fields', async () => {
    const { key } = await bench.gateway.addCustomer(startQuota);
    const empty = new FormData();
    empty.set('model', 'whisper-1');
    const reply = await bench.post('/v1/audio/transcriptions', key, empty);
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      {
        error: {
          code: 'invalid_audio_request',
          message: expect.stringContaining('file is required'),
        },
      },
    ]);
    const words = new FormData();
    words.set('prompt', 'a test_sensitive text');
    words.set('file', new Blob([new Uint8Array(audio)]), 'talk.wav');
    const refused = await bench.post('/v1/audio/transcriptions', key, words);
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { code: 'sensitive_words_detected' } },
    ]);
    expect(bench.upstream.requests).toHaveLength(0);
  });
});

it('a chat with audio input and output is charged by token kind', async () => {
  await bench.gateway.addChannel({ type: 1, baseUrl: spare.url, models: 'gpt-4o-audio-preview' });
  await bench.gateway.set('ModelRatio', { 'gpt-4o-audio-preview': 1.25 });
  spare.answer((response) =>
    sendJson(response, 200, {
      id: 'x',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: null, audio: { id: 'a', data: 'QUJD' } },
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 130,
        completion_tokens: 260,
        total_tokens: 390,
        prompt_tokens_details: { audio_tokens: 30, text_tokens: 100 },
        completion_tokens_details: { audio_tokens: 200, text_tokens: 60 },
      },
    }),
  );
  const customer = await bench.gateway.addCustomer(startQuota);
  const data = wav(1).toString('base64');
  await bench.openAi(customer.key).chat.completions.create({
    model: 'gpt-4o-audio-preview',
    modalities: ['text', 'audio'],
    audio: { voice: 'alloy', format: 'wav' },
    messages: [
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data, format: 'wav' } }] },
    ],
  });
  // (Ti + To × cr + Ai × ar + Ao × ar × acr) × mr = (100 + 60 × 4 + 30 × 16 + 200 × 16 × 2) × 1.25
  expect(await bench.spent(customer.userId)).toBe(9025);
  expect((await bench.newestLog(customer.username)).other).toMatchObject({
    audio: true,
    audio_input: 30,
    audio_output: 200,
    text_input: 100,
    text_output: 60,
    audio_ratio: 16,
    audio_completion_ratio: 2,
  });
});
