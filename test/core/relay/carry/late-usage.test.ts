/**
 * A client that leaves after the text and before the usage: the upstream is read on for a moment.
 */
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../src/core/kernel/clock.ts';
import { LateReaders } from '../../../../src/core/relay/client/late-readers.ts';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import type { Answer } from '../../../support/upstream.ts';

let bench: CallBench;

beforeAll(async () => {
  bench = await startCallBench('gpt-4o-mini,gpt-5');
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => bench.close());

const chunk = (fields: object) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', ...fields })}\n\n`;
const words = (content: string) => chunk({ choices: [{ index: 0, delta: { content } }] });
const finish = chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
const usage = chunk({ choices: [], usage: { prompt_tokens: 1000, completion_tokens: 50_000 } });
const done = 'data: [DONE]\n\n';

/** Sends the text, and the rest as fast as it is read once the client has left. */
const onceLeft = (text: string, rest: Iterable<string> | AsyncIterable<string>): Answer => {
  const readOn = vi.spyOn(LateReaders.prototype, 'open');
  const before = readOn.mock.calls.length;
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text);
    await expect.poll(() => readOn.mock.calls.length).toBe(before + 1);
    for await (const piece of rest)
      if (!response.write(piece))
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
    response.end();
  };
};

/** The text begins half a second after the request, by the gateway's clock, and does not end. */
const afterThinking = (text: string): Answer => {
  let now = Date.now();
  vi.spyOn(systemClock, 'now').mockImplementation(() => now);
  return (response) => {
    now += 500;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text);
  };
};

/** The log row of a client that leaves once it has read `until`. */
async function leftAfter(until: string, model = 'gpt-4o-mini', path = '/v1/chat/completions') {
  const { key, username } = await bench.gateway.addCustomer(startQuota);
  const gone = new AbortController();
  const reply = await fetch(bench.gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages: [{ role: 'user', content: 'hi' }],
      max_tokens: 60_000,
      stream: true,
    }),
    signal: gone.signal,
  });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; !text.includes(until); ) text += (await reader?.read())?.value ?? '';
  gone.abort();
  const rows = async () =>
    (await bench.gateway.client.log.list({ username, type: 2 })).items.length;
  await expect.poll(rows, { timeout: 30_000, interval: 20 }).toBe(1);
  const { row, other } = await bench.newestLog(username);
  return {
    tokens: [row['prompt_tokens'], row['completion_tokens']],
    other,
  };
}

const told = { tokens: [1000, 50_000], other: { ended: 'client_gone', usage_source: 'upstream' } };

it('pays what the upstream reports after the client has left', async () => {
  bench.upstream.answer(onceLeft(words('Hello'), [finish, usage, done]));
  expect(await leftAfter('Hello')).toMatchObject(told);
});

it('does so where formats differ', async () => {
  bench.upstream.answer(onceLeft(words('Hello'), [finish, usage, done]));
  expect(await leftAfter('Hello', 'gpt-4o-mini', '/v1/messages')).toMatchObject(told);
});

it('pays what it received where no usage comes in time, and the upstream is stopped', async () => {
  const before = bench.upstream.aborted;
  const open = vi.spyOn(LateReaders.prototype, 'open');
  const earlier = open.mock.calls.length;
  async function* withoutEnd() {
    for (let count = 0; count < 3; count += 1) yield words('and more words ');
    // Its time is up.
    open.mock.calls[earlier]?.[0]();
    yield words('and more words ');
    await expect.poll(() => bench.upstream.aborted).toBe(before + 1);
  }
  bench.upstream.answer(onceLeft(words('one two three'), withoutEnd()));
  const { tokens, other } = await leftAfter('three');
  expect(tokens[1]).toBe(3);
  expect(other).toMatchObject({ ended: 'client_gone', usage_source: 'counted' });
  await expect.poll(() => bench.upstream.aborted).toBe(before + 1);
});

it('an upstream that sends very much is stopped before its usage', async () => {
  const before = bench.upstream.aborted;
  // Far more than is read on for, and than connections keep in between.
  const much = Array.from({ length: 64 }, () => words('x'.repeat(1_000_000)));
  bench.upstream.answer(onceLeft(words('one two three'), [...much, finish, usage, done]));
  const { tokens, other } = await leftAfter('three');
  expect(tokens[1]).toBe(3);
  expect(other).toMatchObject({ ended: 'client_gone', usage_source: 'counted' });
  await expect.poll(() => bench.upstream.aborted).toBe(before + 1);
});

it('hidden thinking is estimated by its time, at most by the effort', async () => {
  bench.upstream.answer(afterThinking(words('one two three')));
  const { tokens } = await leftAfter('three', 'gpt-5');
  // 60 in a second
  expect(tokens[1]).toBe(3 + 30);
});

it('thinking that was shown is not estimated', async () => {
  const thought = chunk({ choices: [{ index: 0, delta: { reasoning_content: 'hm' } }] });
  bench.upstream.answer(afterThinking(thought + words('one two three')));
  expect((await leftAfter('three', 'gpt-5')).tokens[1]).toBeLessThan(8);
});
