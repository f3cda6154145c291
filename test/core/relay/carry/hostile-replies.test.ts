/** Invalid upstream replies: each one is an ordinary failed attempt. */
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import {
  type Answer,
  chatReply,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

let bench: CallBench;
let spare: TestUpstream;
const models = 'gpt-4o-mini,tts-1,dall-e-2';
const unheard: unknown[] = [];
const hear = (reason: unknown) => unheard.push(reason);

beforeAll(async () => {
  bench = await startCallBench(models);
  spare = await startUpstream();
  await bench.gateway.addChannel({ type: 1, baseUrl: spare.url, models, priority: -1 });
  await bench.gateway.set('RetryTimes', 1);
  await bench.gateway.set('AutomaticDisableChannelEnabled', false);
  process.on('unhandledRejection', hear).on('uncaughtException', hear);
});
afterAll(async () => {
  process.off('unhandledRejection', hear).off('uncaughtException', hear);
  await bench.close();
  await spare.close();
});
beforeEach(async () => {
  bench.upstream.requests.length = 0;
  spare.requests.length = 0;
  unheard.length = 0;
  spare.answer(chatReply('from the spare'));
});
afterEach(() => expect(unheard).toEqual([]));

const ask = (key: string, fields: object = {}) =>
  bench.post(
    '/v1/chat/completions',
    key,
    JSON.stringify({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'hi' }],
      ...fields,
    }),
  );

const answer = (text: string | Buffer, headers: Record<string, string> = {}): Answer => {
  return (response) =>
    void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(text);
};

// First: the others open the channel's circuit.
describe('impossible token counts', () => {
  const counts: readonly (readonly [string, number | string])[] = [
    ['3 billion', 3e9],
    ['the last safe integer', 2 ** 53 - 1],
    ['the largest number', 1.7e308],
    ['digits', '99999999999999'],
  ];

  it.each(counts)('%s: the reply is counted by the gateway and charged', async (_, tokens) => {
    const usage = { prompt_tokens: tokens, completion_tokens: tokens, total_tokens: tokens };
    const whole = {
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'four words of answer' },
          finish_reason: 'stop',
        },
      ],
    };
    bench.upstream.answer(answer(JSON.stringify({ ...whole, usage })));
    const { key, userId } = await bench.gateway.addCustomer(startQuota);
    const reply = await ask(key);
    expect([reply.status, await reply.text()]).toEqual([
      200,
      expect.stringContaining('four words'),
    ]);
    const paid = await bench.spent(userId);
    expect(paid).toBeGreaterThan(0);
    expect(paid).toBeLessThan(100);
    expect(spare.requests).toHaveLength(0);
  });
});

describe('a reply that is malformed inside', () => {
  const filler = `"choices":[{"message":{"role":"assistant","content":"${'word '.repeat(2000)}"},"finish_reason":"stop"}]`;
  const malformed = {
    'in its usage': `{${filler},"usage":{prompt: 1}}`,
    'in its error': `{${filler},"error":{nothing}}`,
    'where it told no usage': `{"choices":[{"message":{nothing: "${'word '.repeat(2000)}"}}]}`,
  };

  it.each(Object.entries(malformed))('%s fails over to another channel', async (_, text) => {
    for (const packed of [false, true]) {
      bench.upstream.answer(
        packed ? answer(gzipSync(text), { 'content-encoding': 'gzip' }) : answer(text),
      );
      const { key, userId } = await bench.gateway.addCustomer(startQuota);
      const reply = await ask(key);
      expect([reply.status, await reply.text()]).toEqual([
        200,
        expect.stringContaining('from the spare'),
      ]);
      expect(await bench.spent(userId)).toBeGreaterThan(0);
    }
  });
});
