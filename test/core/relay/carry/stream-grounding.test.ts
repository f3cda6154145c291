// Covers src/core/relay/formats/gemini-generate/forward.ts.
/**
 * Gemini says in any event of a stream what it searched for: each search is charged for, wherever
 * it stands, forwarded as translated (docs/rules/pricing.md#tool-prices).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';

const model = 'gemini-grounded';
let bench: CallBench;
beforeAll(async () => {
  bench = await startCallBench('none');
  await bench.gateway.addChannel({ type: 24, baseUrl: bench.upstream.url, models: model });
  await bench.gateway.set('ModelRatio', { [model]: 1 });
  await bench.gateway.set('CompletionRatio', { [model]: 1 });
  await bench.gateway.set('ModelPriceDetails', {
    [model]: { tools: { search_query: 0.01, maps_request: 0.02 } },
  });
});
afterAll(() => bench.close());

const queries = (...webSearchQueries: string[]) => ({ webSearchQueries });
const sources = { groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }] };
const maps = { groundingChunks: [{ maps: { uri: 'https://maps.example', title: 'M' } }] };

const words = (text: string) => text.split('word ').length - 1;

/** A stream of a word for each of these, the last one with its finish; `cut`: without. */
async function quotaOf(caller: 'gemini' | 'chat', grounding: readonly object[], cut = false) {
  const { key, username } = await bench.gateway.addCustomer(startQuota);
  let text = '';
  const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 };
  bench.upstream.answer(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [index, groundingMetadata] of grounding.entries()) {
      const content = { role: 'model', parts: [{ text: 'word ' }] };
      const isLast = index === grounding.length - 1 && !cut;
      const candidate = { content, index: 0, ...(isLast && { finishReason: 'STOP' }) };
      const found = Object.keys(groundingMetadata).length > 0 ? { groundingMetadata } : {};
      const event = { candidates: [{ ...candidate, ...found }], usageMetadata };
      response.write(`data: ${JSON.stringify(event)}\r\n\r\n`);
      // Each is read by itself: the next one is sent when this one has arrived.
      if (index < grounding.length - 1) await expect.poll(() => words(text)).toBe(index + 1);
    }
    if (cut) response.destroy();
    else response.end();
  });
  const reply =
    caller === 'gemini'
      ? bench.post(
          `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
          key,
          JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
        )
      : bench.post(
          '/v1/chat/completions',
          key,
          JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'hi' }] }),
        );
  const decoder = new TextDecoder();
  try {
    for await (const bytes of (await reply).body ?? []) text += decoder.decode(bytes);
  } catch (error) {
    if (!cut) throw error;
  }
  return Number((await bench.newestLog(username)).row['quota']) - 120;
}

const search = 5000;
describe.each(['gemini', 'chat'] as const)('to a caller of %s', (caller) => {
  it.each<[string, readonly object[], number]>([
    ['with the finish', [{}, {}, {}, queries('a', 'b')], 2 * search],
    ['with the first word', [queries('a'), {}, {}, {}], search],
    ['in between', [{}, queries('a', 'b'), {}, {}, {}], 2 * search],
    ['before what they found', [{}, queries('a'), {}, sources, {}], search],
    [
      'in several events, the last of which counts',
      [{}, queries('a'), queries('a', 'b'), {}],
      2 * search,
    ],
    ['beside a map in another event', [{}, queries('a'), maps, {}, {}], search + 10_000],
    ['nowhere', [{}, sources, {}], 0],
  ])('%s', async (_, grounding, quota) => {
    expect(await quotaOf(caller, grounding)).toBe(quota);
  });

  it('in a stream that is cut', async () => {
    expect(await quotaOf(caller, [{}, queries('a'), {}, {}], true)).toBe(search);
  });
});
