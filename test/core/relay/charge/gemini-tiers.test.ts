// Covers src/core/relay/carry/reply-facts.ts, src/core/relay/shape/strip-fields.ts
/**
 * Tiers of the Gemini API: who may order one, and what one costs that its reply names in a header.
 */
import { GoogleGenAI, ServiceTier } from '@google/genai';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { generateReply } from '../../../support/gemini-upstream.ts';
import { startUpstream, type TestUpstream } from '../../../support/upstream.ts';

const quota = 10_000_000;
const model = 'gemini-3.8-flash';
const allowing = 'gemini-2.5-flash';
let gateway: TestGateway;
let upstream: TestUpstream;

beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  await gateway.addChannel({ type: 24, baseUrl: upstream.url, models: model });
  await gateway.addChannel({
    type: 24,
    baseUrl: upstream.url,
    models: allowing,
    setting: JSON.stringify({ allow_service_tier: true, allow_fallbacks: true }),
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
});

/** A reply that a tier served, which only its head says, or its usage. */
function servedBy(head: string | undefined, inUsage?: string) {
  const reply = generateReply();
  upstream.answer((response, request) => {
    if (head !== undefined) response.setHeader('x-gemini-service-tier', head);
    const { write, end } = response;
    const named = (text: unknown) =>
      String(text).replaceAll(
        '"usageMetadata":{',
        inUsage === undefined
          ? '"usageMetadata":{'
          : `"usageMetadata":{"serviceTier":"${inUsage}",`,
      );
    response.write = (text: unknown) => write.call(response, named(text), 'utf8');
    response.end = (text?: unknown) => end.call(response, named(text ?? ''), 'utf8');
    return reply(response, request);
  });
}

async function costOf(stream: boolean, head?: string, inUsage?: string): Promise<number> {
  servedBy(head, inUsage);
  const { key, userId } = await gateway.addCustomer(quota);
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.url } });
  const request = { model, contents: 'hi' };
  if (stream) for await (const _ of await client.models.generateContentStream(request));
  else await client.models.generateContent(request);
  return quota - (await gateway.client.user.get({ id: userId })).quota;
}

it.each([false, true])(
  'a tier that a header or the usage names is charged (streamed: %s)',
  async (stream) => {
    const usual = await costOf(stream);
    expect(await costOf(stream, 'standard')).toBe(usual);
    expect(await costOf(stream, 'priority')).toBe(Math.round(usual * 1.8));
    expect(await costOf(stream, undefined, 'SERVICE_TIER_PRIORITY')).toBe(Math.round(usual * 1.8));
    // It was ordered, and the usual one served.
    expect(await costOf(stream, 'standard', 'standard')).toBe(usual);
  },
);

async function sentOf(body: object, requested = model): Promise<Record<string, unknown>> {
  servedBy(undefined);
  const { key } = await gateway.addCustomer(quota);
  const reply = await fetch(`${gateway.url}/v1beta/models/${requested}:generateContent`, {
    method: 'POST',
    headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ contents: [{ parts: [{ text: 'hi' }] }], ...body }),
  });
  expect(reply.status).toBe(200);
  const { contents: _, ...others } = upstream.requests.at(-1)?.json ?? {};
  return others;
}

it('only a channel that allows tiers sends one, in either spelling', async () => {
  for (const field of ['serviceTier', 'service_tier']) {
    expect(await sentOf({ [field]: 'priority' })).toEqual({});
    expect(await sentOf({ [field]: 'priority' }, allowing)).toEqual({ [field]: 'priority' });
  }
  servedBy('standard');
  const { key } = await gateway.addCustomer(quota);
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.url } });
  const config = { serviceTier: ServiceTier.PRIORITY };
  await client.models.generateContent({ model, contents: 'hi', config });
  expect(upstream.requests.at(-1)?.text).not.toMatch(/priority/i);
});

it('nor do others send what lets another model reply', async () => {
  const routing = { manualMode: { modelName: 'gemini-3.1-pro-preview' } };
  for (const [config, name] of [
    ['generationConfig', 'routingConfig'],
    ['generation_config', 'routing_config'],
  ] as const) {
    expect(await sentOf({ [config]: { temperature: 1, [name]: routing } })).toEqual({
      [config]: { temperature: 1 },
    });
    expect(await sentOf({ [config]: { [name]: routing } }, allowing)).toEqual({
      [config]: { [name]: routing },
    });
  }
});
