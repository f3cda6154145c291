/**
 * Chats that report usage before the answer ends: it is no end
 * (docs/rules/streams.md#forward-at-once).
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readValues } from '../../../../src/core/relay/formats/shared/events.ts';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';

let bench: CallBench;
beforeAll(async () => {
  bench = await startCallBench('gpt-4o');
});
afterAll(() => bench.close());

const usage = (completion: number) => ({
  prompt_tokens: 1000,
  completion_tokens: completion,
  total_tokens: 1000 + completion,
});

it.each([
  [1, false],
  [1, true],
  [2, false],
])('the answer goes on as it comes: n %s, usage requested %s', async (n, includeUsage) => {
  const gate = Promise.withResolvers<void>();
  bench.upstream.answer(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (fields: object) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', ...fields })}\n\n`,
      );
    const each = (choice: object) =>
      send({ choices: Array.from({ length: n }, (_, index) => ({ index, ...choice })) });
    each({ delta: { role: 'assistant', content: '' } });
    send({ choices: [], usage: usage(0) });
    each({ delta: { content: 'Hello ' } });
    send({ choices: [], usage: usage(1) });
    each({ delta: { content: 'there ' } });
    await gate.promise;
    each({ delta: { content: 'again' } });
    each({ delta: {}, finish_reason: 'stop' });
    send({ choices: [], usage: usage(500) });
    response.end('data: [DONE]\n\n');
  });
  const { key, username } = await bench.gateway.addCustomer(startQuota);
  const reply = await bench.post(
    '/v1/chat/completions',
    key,
    JSON.stringify({
      model: 'gpt-4o',
      n,
      stream: true,
      messages: [{ role: 'user', content: 'hi' }],
      ...(includeUsage && { stream_options: { include_usage: true } }),
    }),
  );
  const reader = reply.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  const readOn = async () => {
    const read = await reader?.read();
    text += decoder.decode(read?.value, { stream: true });
    return read?.done !== false;
  };
  while (!text.includes('there ')) expect(await readOn()).toBe(false);
  gate.resolve();
  while (!(await readOn()));
  const chunks = readValues(Buffer.from(text)) as { choices: unknown[]; usage?: object }[];
  const said = chunks.filter(({ choices }) => choices.length === 0);
  expect(said.map((chunk) => chunk.usage)).toEqual(includeUsage ? [usage(500)] : []);
  expect(text).toContain('again');
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  expect((await bench.newestLog(username)).row).toMatchObject({
    prompt_tokens: 1000,
    completion_tokens: 500,
  });
});
