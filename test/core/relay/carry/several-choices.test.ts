/**
 * Streams with several answers: complete when each of them has finished, and sent on as they come.
 */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLogOther } from '../../../../src/core/contract/log-other.ts';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';

let bench: CallBench;
beforeAll(async () => {
  bench = await startCallBench('gpt-4o-mini,gpt-3.5-turbo-instruct');
});
afterAll(() => bench.close());

const chunk = (index: number, text: string, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index, delta: { content: text }, finish_reason: finish }] })}\n\n`;
const usage = `data: ${JSON.stringify({ id: 'c', choices: [], usage: { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 } })}\n\n`;
const done = 'data: [DONE]\n\n';

const stream = (pieces: readonly string[]) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [position, piece] of pieces.entries())
    setTimeout(() => response.write(piece), position * 10);
  setTimeout(() => response.end(), pieces.length * 10);
};

async function ask(pieces: readonly string[], n: number) {
  bench.upstream.answer(stream(pieces));
  const { key, username } = await bench.gateway.addCustomer(startQuota);
  const body = {
    model: 'gpt-4o-mini',
    n,
    stream: true,
    messages: [{ role: 'user', content: 'hi' }],
  };
  const text = await (await bench.post('/v1/chat/completions', key, JSON.stringify(body))).text();
  const { items } = await bench.gateway.client.log.list({ username, type: 2 });
  return { text, ended: items.map(({ other }) => readLogOther(other).ended) };
}
const finishes = (text: string) => text.match(/"finish_reason":"/g)?.length ?? 0;

it.each([
  [
    'one after the other',
    [chunk(0, 'a'), chunk(0, '', 'stop'), chunk(1, 'b'), chunk(1, '', 'stop'), usage, done],
  ],
  [
    'mixed',
    [
      chunk(0, 'a') + chunk(1, 'b'),
      chunk(0, '', 'stop') + chunk(1, 'c'),
      chunk(1, '', 'length'),
      usage,
      done,
    ],
  ],
  [
    'in one piece',
    [chunk(0, 'a') + chunk(0, '', 'stop') + chunk(1, 'b') + chunk(1, '', 'stop') + usage + done],
  ],
])('several answers, %s, are complete', async (_name, pieces) => {
  const { text, ended } = await ask(pieces, 2);
  expect(text).toContain('"content":"b"');
  expect(text).toContain(done);
  expect(finishes(text)).toBe(2);
  expect(ended).toEqual([undefined]);
});

it.each([
  ['before the second answer', [chunk(0, 'a'), chunk(0, '', 'stop')]],
  ['within the second answer', [chunk(0, 'a'), chunk(1, 'b'), chunk(0, '', 'stop'), chunk(1, 'c')]],
])('a stream that ends %s is broken', async (_name, pieces) => {
  const { text, ended } = await ask(pieces, 2);
  expect(text).toContain('"error"');
  expect(text).not.toContain(done);
  expect(ended).toEqual(['upstream_cut']);
});

it('a server that gives fewer answers, and says that this is all, is believed', async () => {
  const { text, ended } = await ask([chunk(0, 'a'), chunk(0, '', 'stop'), done], 2);
  expect(text).toContain(done);
  expect(finishes(text)).toBe(1);
  expect(ended).toEqual([undefined]);
});
