/** What of a request is kept, dropped or refused on the way to each upstream wire: docs/conversions.md, entry by entry. */
import { describe, expect, it } from 'vitest';
import { createConversionBench } from './bench.ts';
import { type Limit, limits } from './limits.ts';
import { scenarios } from './scenarios.ts';
import { upstreamFormats } from './upstream-formats.ts';

const plain = scenarios[0];
if (plain === undefined) throw new Error('no scenario');
const bench = createConversionBench({
  modelOf: ({ model, plainModel = model }) => plainModel,
  ready: async ({ answer }, upstream) => upstream.answer(answer(plain)),
});

const question = [{ role: 'user', content: 'Hi' }];

/** Path and body of the caller's plain question. */
function ask({ caller }: Limit, model: string): readonly [path: string, body: Record<string, unknown>] {
  switch (caller) {
    case 'chat':
      return ['/v1/chat/completions', { model, messages: question }];
    case 'completions':
      return ['/v1/completions', { model, prompt: 'Hi' }];
    case 'messages':
      return ['/v1/messages', { model, max_tokens: 4000, messages: question }];
    case 'Gemini':
      return [`/v1beta/models/${model}:generateContent`, { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }];
    case 'Responses':
      return ['/v1/responses', { model, input: 'Hi' }];
  }
}

for (const limit of limits) {
  describe(`${limit.caller}: ${limit.feature}`, () => {
    for (const { name, model, plainModel = model } of upstreamFormats) {
      const fate = limit.fate[name];
      it(`→ ${name}: ${fate}`, async () => {
        const upstream = bench.upstream(name);
        upstream.requests.length = 0;
        const [path, body] = ask(limit, plainModel);
        const reply = await fetch(bench.gateway.url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${bench.key}`, 'content-type': 'application/json', 'accept-language': 'en' },
          body: JSON.stringify({ ...body, ...limit.fields }),
        });
        const text = await reply.text();
        if (fate === 'refused') {
          expect([reply.status, upstream.requests.length], text).toEqual([400, 0]);
          expect(reply.headers.get('x-should-retry')).toBe('false');
          return;
        }
        expect(reply.status, text).toBe(200);
        const mark = typeof limit.mark === 'string' ? limit.mark : limit.mark[name];
        expect(upstream.requests[0]?.text.includes(mark), upstream.requests[0]?.text).toBe(fate === 'kept');
      });
    }
  });
}
