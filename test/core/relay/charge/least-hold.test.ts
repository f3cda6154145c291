import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';

let bench: CallBench;

beforeAll(async () => {
  bench = await startCallBench('gpt-4o-mini');
  await bench.gateway.set('ModelRatio', { 'gpt-4o-mini': 1 });
  await bench.gateway.set('CompletionRatio', { 'gpt-4o-mini': 1 });
});
afterAll(() => bench.close());

const chat = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 10 };

async function send(quota: number): Promise<{ status: number; held: number | undefined }> {
  const { key, username } = await bench.gateway.addCustomer(quota);
  const { status } = await bench.post('/v1/chat/completions', key, JSON.stringify(chat));
  return {
    status,
    held: status === 200 ? (await bench.newestLog(username)).other.admin_info?.held : undefined,
  };
}

it('a short request holds the tokens of PreConsumedQuota', async () => {
  expect(await send(startQuota)).toEqual({ status: 200, held: 500 });
  await bench.gateway.set('PreConsumedQuota', 20_000);
  expect(await send(startQuota)).toEqual({ status: 200, held: 20_000 });
  // The smaller hold of small wallets covers as many tokens.
  expect((await send(19_999)).status).toBe(403);
  await bench.gateway.set('PreConsumedQuota', 0);
  const { status, held } = await send(19_999);
  expect(status).toBe(200);
  expect(held).toBeLessThan(100);
});
