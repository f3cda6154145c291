import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import {
  chatReply,
  messagesReply,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

let bench: CallBench;
let claude: TestUpstream;

beforeAll(async () => {
  bench = await startCallBench('gpt-4o-search-preview');
  claude = await startUpstream();
  await bench.gateway.addChannel({
    type: 14,
    baseUrl: claude.url,
    models: 'claude-3-5-sonnet-20241022',
  });
});
afterAll(async () => {
  await bench.close();
  await claude.close();
});

it.each([false, true])(
  'searches of Claude are charged in addition to tokens, streamed: %s',
  async (stream) => {
    claude.answer(
      messagesReply('Found', {
        input_tokens: 100,
        output_tokens: 50,
        server_tool_use: { web_search_requests: 2 },
      }),
    );
    const customer = await bench.gateway.addCustomer(startQuota);
    const client = new Anthropic({
      apiKey: customer.key,
      baseURL: bench.gateway.url,
      maxRetries: 0,
    });
    const order = {
      model: 'claude-3-5-sonnet-20241022',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Who?' } as const],
    };
    await (stream ? client.messages.stream(order).finalMessage() : client.messages.create(order));
    // (100 + 50 × 5) × 1.5 + 2 × $10 ⁄ 1000
    expect(await bench.spent(customer.userId)).toBe(525 + 10_000);
    expect((await bench.newestLog(customer.username)).other).toMatchObject({
      web_search_call_count: 2,
      web_search_price: 10,
    });
  },
);

it('a model that always searches is charged one search each time', async () => {
  bench.upstream.answer(
    chatReply('Found', { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }),
  );
  const customer = await bench.gateway.addCustomer(startQuota);
  const messages = [{ role: 'user', content: 'Who?' } as const];
  await bench
    .openAi(customer.key)
    .chat.completions.create({ model: 'gpt-4o-search-preview', messages });
  // (100 + 10 × 4) × 1.25 + $25 ⁄ 1000
  expect(await bench.spent(customer.userId)).toBe(175 + 12_500);
});
