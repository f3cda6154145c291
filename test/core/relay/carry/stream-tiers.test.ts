// Covers src/core/canonical/kit/stream-tier.ts.
/**
 * The tier that a stream names before its usage: it is charged for, whichever event names it, by
 * every caller's format and also where the stream is cut.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StreamTier } from '../../../../src/core/canonical/kit/stream-tier.ts';
import { mergeUsage } from '../../../../src/core/canonical/kit/usage.ts';
import type { Usage } from '../../../../src/core/canonical/usage.ts';
import { ResponsesStreamDecoder } from '../../../../src/core/providers/openai-responses/decode-stream.ts';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import type { Answer } from '../../../support/upstream.ts';

const model = 'gpt-5.5';
let bench: CallBench;
beforeAll(async () => {
  bench = await startCallBench(model);
  await bench.gateway.set('ModelRatio', { [model]: 1 });
  await bench.gateway.set('CompletionRatio', { [model]: 1 });
  await bench.gateway.set('ModelPriceDetails', {
    [model]: { steps: [], factors: { priority: 2, flex: 0.5 } },
  });
});
afterAll(() => bench.close());

const messages = [{ role: 'user', content: 'hi' }];
const callers = {
  chat: ['/v1/chat/completions', { messages, stream_options: { include_usage: true } }],
  messages: ['/v1/messages', { messages, max_tokens: 100 }],
  responses: ['/v1/responses', { input: 'hi', store: false }],
  gemini: [
    `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  ],
} as const;

type Named = readonly (string | null | undefined)[];

const chunkOf = (tier: Named[number], fields: object) =>
  `data: ${JSON.stringify({
    id: 'c',
    object: 'chat.completion.chunk',
    ...(tier !== undefined && { service_tier: tier }),
    ...fields,
  })}\n\n`;

/** A chat whose words and usage name these tiers; `cut`: before its usage. */
const chat =
  ([words, usage]: Named, cut: boolean): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const choice = { index: 0, delta: { role: 'assistant', content: 'ok' }, finish_reason: null };
    const said = chunkOf(words, { choices: [choice] });
    if (cut) return void response.write(said, () => response.destroy());
    response.write(said);
    response.write(
      chunkOf(undefined, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    );
    const counts = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
    response.write(chunkOf(usage, { choices: [], usage: counts }));
    response.end('data: [DONE]\n\n');
  };

/** The same of Responses. */
const responses =
  ([created, completed]: Named, cut: boolean): Answer =>
  (answer) => {
    const event = (type: string, fields: object) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
    const response = {
      id: 'resp_up',
      object: 'response',
      status: 'in_progress',
      output: [],
      model,
    };
    const named = (tier: Named[number]) => (tier === undefined ? {} : { service_tier: tier });
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    const begun = { ...response, ...named(created) };
    const said =
      event('response.created', { response: begun }) +
      event('response.output_text.delta', {
        item_id: 'm',
        output_index: 0,
        content_index: 0,
        delta: 'ok',
      });
    if (cut) return void answer.write(said, () => answer.destroy());
    const usage = { input_tokens: 100, output_tokens: 20, total_tokens: 120 };
    const whole = { ...response, status: 'completed', ...named(completed), usage };
    answer.end(said + event('response.completed', { response: whole }));
  };

async function chargeOf(caller: keyof typeof callers, answer: Answer) {
  const { key, username } = await bench.gateway.addCustomer(startQuota);
  bench.upstream.answer(answer);
  const [path, fields] = callers[caller];
  const reply = await bench.post(path, key, JSON.stringify({ model, stream: true, ...fields }));
  await reply.text();
  const { row, other } = await bench.newestLog(username);
  const tokens = Number(row['prompt_tokens']) + Number(row['completion_tokens']);
  return { factor: Number(row['quota']) / tokens, tiers: other.tiers };
}

/** Callers of Responses are forwarded, as those of chat are; the others are translated. */
const upstreamOf = (caller: keyof typeof callers) => (caller === 'responses' ? responses : chat);

describe.each(Object.keys(callers) as (keyof typeof callers)[])('%s', (caller) => {
  it.each<[string, Named, boolean, number]>([
    ['the usage alone', [undefined, 'priority'], false, 2],
    ['the beginning alone', ['priority', undefined], false, 2],
    ['the beginning, and nothing at the end', ['priority', null], false, 2],
    ['both', ['flex', 'flex'], false, 0.5],
    ['another one at the end', ['priority', 'flex'], false, 0.5],
    ['the usual one at the end', ['priority', 'default'], false, 1],
    ['none', [undefined, undefined], false, 1],
    ['the beginning of a stream that is cut', ['priority', undefined], true, 2],
  ])('%s', async (_, named, cut, factor) => {
    const charged = await chargeOf(caller, upstreamOf(caller)(named, cut));
    expect(charged.factor).toBeCloseTo(factor, 1);
  });
});

it('an answer that is translated from Responses has the tier that it began or ended with', () => {
  const tiersIn = (created: string, completed?: string) => {
    const decoder = new ResponsesStreamDecoder();
    const read = (type: string, service_tier: string, more: object = {}) =>
      decoder.push({
        event: type,
        data: JSON.stringify({ type, response: { id: 'r', service_tier, output: [], ...more } }),
      });
    const begun = read('response.created', created);
    const usage = { input_tokens: 1, output_tokens: 1 };
    const ended = completed === undefined ? [] : read('response.completed', completed, { usage });
    return [...begun, ...ended]
      .flatMap((part) => (part.type === 'usage' ? [part.usage] : []))
      .reduce(mergeUsage, undefined as Usage | undefined)?.tiers;
  };
  expect(tiersIn('flex')).toEqual(['flex']);
  expect(tiersIn('priority', 'flex')).toEqual(['flex']);
  expect(tiersIn('priority', 'default')).toEqual([]);
  expect(tiersIn('auto', 'priority')).toEqual(['priority']);
  expect(tiersIn('auto', 'default')).toBeUndefined();
});

it('a stream names its tier anew only where another one is charged', () => {
  const tier = new StreamTier();
  expect(tier.read(undefined)).toBeUndefined();
  expect(tier.read('auto')).toBeUndefined();
  expect(tier.read('priority')).toEqual({ tiers: ['priority'] });
  expect(tier.read('priority')).toBeUndefined();
  expect(tier.read(null)).toBeUndefined();
  expect(tier.read('default')).toEqual({ tiers: [] });
});
