/**
 * What an upstream reports with the failure of a stream is what was used: it is charged, forwarded
 * as translated (docs/rules/metering.md#upstream-figures).
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import {
  messageItem,
  responseObject,
  responsesReply,
} from '../../../support/responses-upstream.ts';
import type { Answer } from '../../../support/upstream.ts';

const [byChat, byResponses] = ['by-chat', 'by-responses'];
let bench: CallBench;
beforeAll(async () => {
  bench = await startCallBench(byChat);
  await bench.gateway.addChannel({
    type: 1,
    baseUrl: bench.upstream.url,
    models: byResponses,
    setting: '{"use_responses":true}',
  });
  await bench.gateway.set('ModelRatio', { [byChat]: 1, [byResponses]: 1 });
  await bench.gateway.set('CompletionRatio', { [byChat]: 1, [byResponses]: 1 });
});
afterAll(() => bench.close());

const messages = [{ role: 'user', content: 'hi' }];
const callers = {
  chat: ['/v1/chat/completions', { messages }],
  messages: ['/v1/messages', { messages, max_tokens: 100 }],
  responses: ['/v1/responses', { input: 'hi', store: false }],
} as const;
type Caller = keyof typeof callers;

/** A chunk with an error and the usage until then. */
const failingChat: Answer = (response) => {
  const choice = { index: 0, delta: { role: 'assistant', content: 'Half ' }, finish_reason: null };
  const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };
  const error = { message: 'fell over', code: 502 };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`data: ${JSON.stringify({ id: 'c', choices: [choice] })}\n\n`);
  response.end(`data: ${JSON.stringify({ id: 'c', choices: [], error, usage })}\n\n`);
};
const failingResponse = responsesReply([messageItem('Half ')], {
  last: {
    type: 'response.failed',
    response: responseObject('m', [], {
      status: 'failed',
      error: { code: 'server_error', message: 'fell over' },
    }),
  },
});

it.each<[Caller, string, Answer]>([
  ['chat', byChat, failingChat],
  ['messages', byChat, failingChat],
  ['chat', byResponses, failingResponse],
  ['messages', byResponses, failingResponse],
  ['responses', byResponses, failingResponse],
])('to a caller of %s, %s', async (caller, model, answer) => {
  const { key, username } = await bench.gateway.addCustomer(startQuota);
  bench.upstream.answer(answer);
  const [path, fields] = callers[caller];
  const reply = await bench.post(path, key, JSON.stringify({ model, stream: true, ...fields }));
  expect(await reply.text()).toContain('Half');
  const { row, other } = await bench.newestLog(username);
  expect(row).toMatchObject({ prompt_tokens: expect.any(Number), completion_tokens: 500 });
  expect(other).toMatchObject({ ended: 'upstream_cut', usage_source: 'upstream' });
});
