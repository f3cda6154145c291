/** Spoken replies keep transcript and id when a chat is translated to a chat (`force_format`). */
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import {
  type Answer,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

let gateway: TestGateway;
let upstream: TestUpstream;
let openai: OpenAI;
const model = 'gpt-audio';

beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  await gateway.set('SelfUseModeEnabled', true);
  await gateway.addChannel({
    type: 1,
    baseUrl: upstream.url,
    models: model,
    setting: '{"force_format":true}',
  });
  const { key } = await gateway.addCustomer(1_000_000_000);
  openai = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
});

const usage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };
const told = { id: 'audio_1', expires_at: 1_700_003_600 };

const spoken: Answer = (response, { json }) => {
  const head = { id: 'chatcmpl-1', created: 1_700_000_000, model };
  if (json['stream'] !== true) {
    const message = {
      role: 'assistant',
      content: null,
      audio: { ...told, data: 'AAAA', transcript: 'Hello, you.' },
    };
    return sendJson(response, 200, {
      ...head,
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage,
    });
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const pieces = [
    { id: told.id, transcript: 'Hello, ' },
    { data: 'AAAA' },
    { transcript: 'you.' },
    { data: 'BBBB' },
    { expires_at: told.expires_at },
  ];
  const choices = [
    ...pieces.map((audio) => ({ delta: { audio } })),
    { delta: {}, finish_reason: 'stop' },
  ];
  for (const choice of choices)
    response.write(`data: ${JSON.stringify({ ...head, choices: [{ index: 0, ...choice }] })}\n\n`);
  response.end(`data: ${JSON.stringify({ ...head, choices: [], usage })}\n\ndata: [DONE]\n\n`);
};

const question = { role: 'user' as const, content: 'Hi' };
const asked = {
  model,
  modalities: ['text' as const, 'audio' as const],
  audio: { voice: 'alloy', format: 'pcm16' as const },
  messages: [question],
};

it('in a plain reply; an earlier reply is referenced by its id', async () => {
  upstream.answer(spoken);
  const answer = await openai.chat.completions.create(asked);
  expect(answer.choices[0]?.message.audio).toMatchObject({
    ...told,
    data: 'AAAA',
    transcript: 'Hello, you.',
  });
  const earlier = {
    role: 'assistant' as const,
    audio: { id: answer.choices[0]?.message.audio?.id ?? '' },
  };
  await openai.chat.completions.create({ ...asked, messages: [question, earlier, question] });
  const { modalities, audio, messages } = upstream.requests[1]?.json ?? {};
  expect({ modalities, audio }).toEqual({ modalities: asked.modalities, audio: asked.audio });
  expect(messages).toEqual([
    question,
    { role: 'assistant', content: null, audio: { id: 'audio_1' } },
    question,
  ]);
});

it('streamed, piece by piece', async () => {
  upstream.answer(spoken);
  const pieces: unknown[] = [];
  for await (const chunk of await openai.chat.completions.create({ ...asked, stream: true })) {
    const { audio } = (chunk.choices[0]?.delta ?? {}) as { audio?: unknown };
    if (audio !== undefined) pieces.push(audio);
  }
  expect(pieces).toEqual([
    { id: 'audio_1', transcript: 'Hello, ' },
    { data: 'AAAA' },
    { transcript: 'you.' },
    { data: 'BBBB' },
    { expires_at: told.expires_at },
  ]);
});
