/**
 * For any upstream reply and any caller request: every request ends, every hold is released, no
 * charge is negative.
 */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { fc, runs, times } from '../../../support/property.ts';
import { chatReply } from '../../../support/upstream.ts';

let bench: CallBench;
const unheard: unknown[] = [];
const hear = (reason: unknown) => unheard.push(reason);

beforeAll(async () => {
  bench = await startCallBench('gpt-4o-mini,dall-e-2,tts-1,text-embedding-3-small');
  await bench.gateway.set('AutomaticDisableChannelEnabled', false);
  await bench.gateway.addChannel({
    type: 14,
    baseUrl: bench.upstream.url,
    models: 'claude-3-5-haiku-20241022',
  });
  await bench.gateway.addChannel({
    type: 24,
    baseUrl: bench.upstream.url,
    models: 'gemini-2.0-flash',
  });
  process.on('unhandledRejection', hear).on('uncaughtException', hear);
});
afterAll(async () => {
  process.off('unhandledRejection', hear).off('uncaughtException', hear);
  await bench.close();
});

// Small where they are believed: the wallet must last.
const count = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.double({ min: -1000, max: 1000 }),
  fc.constantFrom('12', '-3', '', 'many', null, true, 1e300, -1, 0, 2 ** 53),
  fc.array(fc.integer(), { maxLength: 2 }),
);
const usage = fc.oneof(
  fc.record(
    {
      prompt_tokens: count,
      completion_tokens: count,
      total_tokens: count,
      input_tokens: count,
      output_tokens: count,
      prompt_tokens_details: fc.oneof(
        count,
        fc.record({ cached_tokens: count, audio_tokens: count }),
      ),
      completion_tokens_details: fc.oneof(count, fc.record({ reasoning_tokens: count })),
      iterations: fc.oneof(count, fc.array(fc.record({ input_tokens: count }), { maxLength: 2 })),
    },
    { requiredKeys: [] },
  ),
  count,
);
const anything = fc.oneof(fc.jsonValue(), fc.string(), count);
const body = fc.record(
  {
    id: anything,
    type: fc.constantFrom(
      'message',
      'message_start',
      'message_delta',
      'content_block_delta',
      'error',
      'response.completed',
      1,
    ),
    choices: fc.oneof(
      anything,
      fc.array(
        fc.record(
          {
            index: anything,
            delta: fc.oneof(anything, fc.record({ content: anything, tool_calls: anything })),
            message: fc.oneof(
              anything,
              fc.record({ content: anything, tool_calls: fc.array(anything, { maxLength: 2 }) }),
            ),
            finish_reason: fc.constantFrom('stop', '', null, 3),
          },
          { requiredKeys: [] },
        ),
        { maxLength: 2 },
      ),
    ),
    content: anything,
    candidates: fc.oneof(
      anything,
      fc.array(fc.record({ content: anything, finishReason: anything }), { maxLength: 2 }),
    ),
    data: fc.oneof(anything, fc.array(anything, { maxLength: 3 })),
    output: anything,
    response: fc.oneof(anything, fc.record({ usage, output: anything })),
    usage,
    usageMetadata: usage,
    error: fc.oneof(anything, fc.record({ message: anything, type: anything, code: anything })),
  },
  { requiredKeys: [] },
);
const event = fc.oneof(
  body.map((value) => `data: ${JSON.stringify(value)}\n\n`),
  fc.constantFrom(
    'data: [DONE]\n\n',
    ': ping\n\n',
    'event: error\n',
    'data: {"half":\n\n',
    'data:\n\n',
    '\r\n\r\n',
    'data: 1\n\n',
  ),
);
const reply = fc.record({
  status: fc.constantFrom(200, 200, 200, 200, 204, 400, 401, 429, 500, 301),
  type: fc.constantFrom('application/json', 'text/event-stream', 'text/html', 'audio/mpeg', ''),
  text: fc.oneof(
    body.map((value) => JSON.stringify(value)),
    body.map((value) =>
      JSON.stringify({ filler: 'x'.repeat(5000), ...value }).replace('null', 'nu]l'),
    ),
    fc.array(event, { maxLength: 6 }).map((events) => events.join('')),
    fc.string(),
  ),
  cut: fc.boolean(),
});
const messages = [{ role: 'user', content: 'hi' }];
const request = fc.constantFrom(
  ...[false, true].flatMap((stream) => [
    [
      '/v1/chat/completions',
      { model: 'gpt-4o-mini', messages, stream, max_tokens: 100_000 },
    ] as const,
    [
      '/v1/chat/completions',
      { model: 'claude-3-5-haiku-20241022', messages, stream, max_tokens: 100_000 },
    ] as const,
    ['/v1/messages', { model: 'gpt-4o-mini', messages, stream, max_tokens: 100_000 }] as const,
    [
      '/v1/messages',
      { model: 'claude-3-5-haiku-20241022', messages, stream, max_tokens: 100_000 },
    ] as const,
    [
      '/v1/responses',
      { model: 'gpt-4o-mini', input: 'hi', stream, max_output_tokens: 100_000 },
    ] as const,
    [
      '/v1/responses',
      { model: 'gemini-2.0-flash', input: 'hi', stream, max_output_tokens: 100_000 },
    ] as const,
    ['/v1/images/generations', { model: 'dall-e-2', prompt: 'a lake', n: 2, stream }] as const,
  ]),
  ['/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi' }] as const,
  ['/v1/audio/speech', { model: 'tts-1', input: 'hi', voice: 'alloy' }] as const,
);

it('every request ends and releases its hold', async () => {
  const { key, userId, username } = await bench.gateway.addCustomer(startQuota);
  let before = await bench.spent(userId);
  const property = fc.asyncProperty(
    request,
    reply,
    async ([path, asked], { status, type, text, cut }) => {
      bench.upstream.answer((response) => {
        response.writeHead(status, type === '' ? {} : { 'content-type': type });
        if (cut && status !== 204) response.write(text, () => response.destroy());
        else response.end(text);
      });
      const answered = await bench.post(path, key, JSON.stringify(asked));
      await answered.text().catch(() => undefined);
      const after = await bench.spent(userId);
      expect(after).toBeGreaterThanOrEqual(before);
      before = after;
      expect(unheard).toEqual([]);
    },
  );
  await fc.assert(property, {
    ...runs(300),
    interruptAfterTimeLimit: 12_000 * times,
    markInterruptAsFailure: false,
  });
  // The whole remaining balance can be held at once, so no other hold is open.
  bench.upstream.answer(chatReply());
  const most = Math.floor(((startQuota - before) * 0.999) / 0.3);
  const last = async () => {
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages, max_tokens: most });
    return (await bench.post('/v1/chat/completions', key, body)).status;
  };
  // A 429 among the last replies keeps requests away from the channel for a while.
  await expect.poll(last, { interval: 500 }).toBe(200);
  expect((await bench.newestLog(username)).other.admin_info).not.toHaveProperty('small_hold');
});
