// Covers src/core/canonical/models.
/**
 * Request features that are kept, dropped or rejected for each upstream format: every entry of
 * docs/conversions.md.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateReply } from '../../support/gemini-upstream.ts';
import {
  type Answer,
  chatReply,
  messagesReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../support/upstream.ts';
import { fixtureJson } from '../providers/support/decode.ts';
import { createConversionBench } from './bench.ts';
import type { Asked, Caller, Fate } from './limit.ts';
import { limits } from './limits.ts';
import { modelLimits } from './model-limits.ts';
import { scenarios } from './scenarios.ts';
import { upstreamFormats } from './upstream-formats.ts';

const plain = scenarios[0];
if (plain === undefined) throw new Error('no scenario');
const bench = createConversionBench({
  modelOf: ({ model, plainModel = model }) => plainModel,
  ready: async ({ answer }, upstream) => {
    const reply = answer(plain);
    // OpenAI's text completions have an interface of their own beside Responses.
    upstream.answer((response, request) =>
      request.path.endsWith('/v1/completions')
        ? chatReply()(response, request)
        : reply(response, request),
    );
  },
});

/** A greeting in the upstream format of the request. */
const answerByPath: Answer = (response, request) => {
  const { path } = request;
  if (path.endsWith('/v1/messages')) return messagesReply()(response, request);
  if (path.endsWith(':generateContent')) return generateReply()(response, request);
  if (path.endsWith('/v1/responses'))
    return sendJson(response, 200, fixtureJson('openai-responses', 'reply-tools.json'));
  if (path.endsWith('/v2/chat'))
    return sendJson(response, 200, fixtureJson('cohere', 'reply-text.json'));
  if (path.endsWith('/converse'))
    return sendJson(response, 200, fixtureJson('aws', 'reply-converse.json'));
  if (path.includes('/oauth/2.0/token'))
    return sendJson(response, 200, { access_token: 'token', expires_in: 3600 });
  if (path.includes('/wenxinworkshop/'))
    return sendJson(response, 200, fixtureJson('baidu', 'reply-text.json'));
  return chatReply()(response, request);
};

const question = [{ role: 'user', content: 'Hi' }];

/** Path and body of the caller's plain question. */
function ask(
  caller: Caller,
  model: string,
): readonly [path: string, body: Record<string, unknown>] {
  switch (caller) {
    case 'chat':
      return ['/v1/chat/completions', { model, messages: question }];
    case 'completions':
      return ['/v1/completions', { model, prompt: 'Hi' }];
    case 'messages':
      return ['/v1/messages', { model, max_tokens: 4000, messages: question }];
    case 'Gemini':
      return [
        `/v1beta/models/${model}:generateContent`,
        { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
      ];
    case 'Responses':
      return ['/v1/responses', { model, input: 'Hi' }];
  }
}

/** The beginning of features expressed as text in the instructions. */
const inWords =
  /Answer (?:with one JSON object|with JSON that follows this JSON schema|by calling)/;

async function expectFate(
  limit: Asked,
  model: string,
  upstream: TestUpstream,
  mark: string,
  fate: Fate,
): Promise<void> {
  upstream.requests.length = 0;
  const [path, body] = ask(limit.caller, model);
  const reply = await fetch(bench.gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bench.key}`,
      'content-type': 'application/json',
      'accept-language': 'en',
    },
    body: JSON.stringify({ ...body, ...limit.fields }),
  });
  const text = await reply.text();
  if (fate === 'refused') {
    expect([reply.status, upstream.requests.length], text).toEqual([400, 0]);
    expect(reply.headers.get('x-should-retry')).toBe('false');
    return;
  }
  expect(reply.status, text).toBe(200);
  const sent = upstream.requests.at(-1)?.text ?? '';
  expect([sent.includes(mark), inWords.test(sent)], sent).toEqual([
    fate === 'kept',
    fate === 'in words',
  ]);
}

for (const limit of limits) {
  describe(`${limit.caller}: ${limit.feature}`, () => {
    for (const { name, model, plainModel = model } of upstreamFormats) {
      const fate = limit.fate[name];
      const mark = typeof limit.mark === 'string' ? limit.mark : limit.mark[name];
      it(`→ ${name}: ${fate}`, () =>
        expectFate(limit, plainModel, bench.upstream(name), mark, fate));
    }
  });
}

describe('by model', () => {
  let upstream: TestUpstream;
  beforeAll(async () => {
    upstream = await startUpstream();
    const channels = new Map(
      modelLimits.flatMap(({ models, channel }) => models.map((model) => [model, channel])),
    );
    for (const [models, channel] of channels)
      await bench.gateway.addChannel({ ...channel, baseUrl: upstream.url, models });
  });
  afterAll(() => upstream.close());

  for (const limit of modelLimits) {
    it.each(limit.models)(
      `${limit.caller}: ${limit.feature} → ${limit.of}, %s: ${limit.fate}`,
      (model) => {
        upstream.answer(answerByPath);
        return expectFate(limit, model, upstream, limit.mark, limit.fate);
      },
    );
  }
});
