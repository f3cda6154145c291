import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';

let bench: CallBench;

beforeAll(async () => {
  bench = await startCallBench('gpt-4o-mini,gemini-2.0-flash');
  await bench.gateway.set('ModelRatio', { 'gpt-4o-mini': 1, 'gemini-2.0-flash': 1 });
  await bench.gateway.set('CompletionRatio', { 'gpt-4o-mini': 1, 'gemini-2.0-flash': 1 });
});
afterAll(() => bench.close());

async function held(path: string, body: object): Promise<number> {
  const { key, username } = await bench.gateway.addCustomer(startQuota);
  expect((await bench.post(path, key, JSON.stringify(body))).status).toBe(200);
  return (await bench.newestLog(username)).other.admin_info?.held ?? 0;
}

it('several choices are held for, each with its maximum length', async () => {
  const chat = {
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: 'Hi' }],
    max_tokens: 10_000,
  };
  const one = await held('/v1/chat/completions', chat);
  const difference = (await held('/v1/chat/completions', { ...chat, n: 5 })) - one;
  // The bytes of the field are held for, too.
  expect(difference).toBeGreaterThanOrEqual(40_000);
  expect(difference).toBeLessThan(40_010);

  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
  const generationConfig = { maxOutputTokens: 10_000, candidateCount: 3 };
  const path = '/v1beta/models/gemini-2.0-flash:generateContent';
  expect(await held(path, { contents, generationConfig })).toBeGreaterThan(30_000);
});
