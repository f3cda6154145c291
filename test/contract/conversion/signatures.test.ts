/** Gemini's thinking signatures on texts survive the round trip. */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { beforeEach, expect, it } from 'vitest';
import { type Answer, sendJson } from '../../support/upstream.ts';
import { createConversionBench } from './bench.ts';

const bench = createConversionBench();
const model = 'gemini-2.5-flash';
const question = { role: 'user' as const, content: 'Hi' };

/** Gemini's reply: the signature comes with the text or, in a stream, after it. */
const signedAnswer: Answer = (response, request) => {
  const chunk = (parts: object[], finish?: object) => ({
    candidates: [{ index: 0, content: { role: 'model', parts }, ...finish }],
    usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 2, totalTokenCount: 6 },
    responseId: 'r1',
  });
  const finish = { finishReason: 'STOP' };
  if (!request.path.includes('streamGenerateContent')) {
    return sendJson(
      response,
      200,
      chunk([{ text: 'Hello, ' }, { text: 'you.', thoughtSignature: 'c2lnbmVk' }], finish),
    );
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const end = chunk([{ text: '', thoughtSignature: 'c2lnbmVk' }], finish);
  for (const one of [chunk([{ text: 'Hello, ' }]), chunk([{ text: 'you.' }]), end]) {
    response.write(`data: ${JSON.stringify(one)}\n\n`);
  }
  response.end();
};

beforeEach(() => {
  const upstream = bench.upstream('Gemini');
  upstream.requests.length = 0;
  upstream.answer(signedAnswer);
});

/** The model's earlier turn in the second request. */
function earlierTurn() {
  const contents = bench.upstream('Gemini').requests[1]?.json['contents'];
  return (contents as unknown[] | undefined)?.[1];
}

it.each([false, true])('chat: in a separate field of the message, streamed: %s', async (stream) => {
  const openai = new OpenAI({
    apiKey: bench.key,
    baseURL: `${bench.gateway.url}/v1`,
    maxRetries: 0,
  });
  const answer = stream
    ? await openai.chat.completions.stream({ model, messages: [question] }).finalChatCompletion()
    : await openai.chat.completions.create({ model, messages: [question] });
  const said = answer.choices[0]?.message;
  expect(said).toMatchObject({
    content: 'Hello, you.',
    extra_content: { google: { thought_signature: 'c2lnbmVk' } },
  });
  const earlier = said as OpenAI.ChatCompletionAssistantMessageParam;
  await openai.chat.completions.create({ model, messages: [question, earlier, question] });
  expect(earlierTurn()).toEqual({
    role: 'model',
    parts: [{ text: 'Hello, you.', thoughtSignature: 'c2lnbmVk' }],
  });
});

it.each([false, true])(
  'messages and Responses have no place for it: it is remembered, streamed: %s',
  async (stream) => {
    const door = { apiKey: bench.key, maxRetries: 0 };
    const anthropic = new Anthropic({ ...door, baseURL: bench.gateway.url });
    const asked = { model, max_tokens: 100, messages: [question] };
    const message = stream
      ? await anthropic.messages.stream(asked).finalMessage()
      : await anthropic.messages.create(asked);
    expect(message.content).toEqual([{ type: 'text', text: 'Hello, you.' }]);
    const earlier = { role: 'assistant' as const, content: message.content };
    await anthropic.messages.create({ ...asked, messages: [question, earlier, question] });
    expect(earlierTurn()).toEqual({
      role: 'model',
      parts: [{ text: 'Hello, you.', thoughtSignature: 'c2lnbmVk' }],
    });

    const openai = new OpenAI({ ...door, baseURL: `${bench.gateway.url}/v1` });
    const response = stream
      ? await openai.responses.stream({ model, input: 'Hi' }).finalResponse()
      : await openai.responses.create({ model, input: 'Hi' });
    expect(response.output_text).toBe('Hello, you.');
    expect(JSON.stringify(response)).not.toContain('c2lnbmVk');
  },
);
