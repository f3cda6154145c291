/**
 * Sources of an answer whose thinking is part of its text
 * (docs/rules/channel-rules.md#thinking-to-content).
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readValues } from '../../../../src/core/relay/formats/shared/events.ts';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { sendJson } from '../../../support/upstream.ts';

let bench: CallBench;
beforeAll(async () => {
  bench = await startCallBench('none');
  await bench.gateway.addChannel({
    type: 20,
    baseUrl: bench.upstream.url,
    models: 'deepseek-r1',
    setting: '{"thinking_to_content":true}',
  });
  await bench.gateway.set('ModelPrice', { 'deepseek-r1': 0.01 });
});
afterAll(() => bench.close());

interface Said {
  content?: string | null;
  annotations?: { url_citation: { start_index: number; end_index: number } }[];
}

const answer = 'Rain 🌧 fell [1].';
const cited = 'fell';
const start = [...answer].join('').indexOf(cited) - 1;
const annotations = [
  {
    type: 'url_citation',
    url_citation: { url: 'https://a.test/', start_index: start, end_index: start + cited.length },
  },
];

it.each([false, true])('stand where the text has moved, streamed: %s', async (stream) => {
  bench.upstream.answer((response) => {
    const head = { id: 'c', created: 1, model: 'deepseek-r1' };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const reasoning = 'Is it 🌞?';
    if (!stream) {
      const message = { role: 'assistant', content: answer, reasoning, annotations };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      return sendJson(response, 200, { ...head, object: 'chat.completion', choices, usage });
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const delta of [{ reasoning }, { content: answer }, { content: '', annotations }]) {
      const choices = [{ index: 0, delta }];
      const chunk = { ...head, object: 'chat.completion.chunk', choices };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    }
    const choices = [{ index: 0, delta: {}, finish_reason: 'stop' }];
    const last = { ...head, object: 'chat.completion.chunk', choices, usage };
    response.end(`data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
  });
  const { key } = await bench.gateway.addCustomer(startQuota);
  const reply = await bench.post(
    '/v1/chat/completions',
    key,
    JSON.stringify({ model: 'deepseek-r1', messages: [{ role: 'user', content: 'hi' }], stream }),
  );
  const text = await reply.text();
  const values = stream ? readValues(Buffer.from(text)) : [JSON.parse(text)];
  const said = (values as { choices?: { message?: Said; delta?: Said }[] }[]).flatMap(
    ({ choices: [choice] = [] }) => choice?.message ?? choice?.delta ?? [],
  );
  const whole = said.map(({ content }) => content ?? '').join('');
  const [source] = said.flatMap((one) => one.annotations ?? []);
  expect(whole).toContain('</think>');
  const { start_index: from, end_index: to } = source?.url_citation ?? {};
  expect([...whole].slice(from, to).join('')).toBe(cited);
});
