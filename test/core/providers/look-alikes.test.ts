// Covers src/core/providers/azure, src/core/providers/imported,
// src/core/providers/openai-compatible, src/core/providers/openrouter,
// src/core/providers/siliconcloud.
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../../src/core/canonical/chat.ts';
import { createFrameReader } from '../../../src/core/canonical/kit/frames.ts';
import { withClientQuery } from '../../../src/core/canonical/kit/request-target.ts';
import type { StreamRewriter, Target } from '../../../src/core/canonical/pass-through.ts';
import type { Call, Provider } from '../../../src/core/canonical/provider.ts';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { azure } from '../../../src/core/providers/azure/index.ts';
import { importedProviders } from '../../../src/core/providers/imported/index.ts';
import { openai } from '../../../src/core/providers/openai/index.ts';
import {
  rewriteReplies,
  wrapErrors,
} from '../../../src/core/providers/openai-compatible/rewrite.ts';
import { nearestRatio } from '../../../src/core/providers/openrouter/images.ts';
import { openrouter } from '../../../src/core/providers/openrouter/index.ts';
import { siliconcloud } from '../../../src/core/providers/siliconcloud/index.ts';
import { anthropicMessages } from '../../../src/core/relay/formats/anthropic-messages/index.ts';
import { geminiGenerate } from '../../../src/core/relay/formats/gemini-generate/index.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import { fixtureBytes } from '../../contract/providers/support/decode.ts';
import { effectsOf } from '../../contract/providers/support/effects.ts';

const base = 'https://upstream.test';

/** Where a caller's own body goes, and with which changes. */
function forward(
  provider: Provider,
  format: string,
  body: JsonObject,
  changes: Partial<Call> = {},
): Target | undefined {
  const { chat, image } = provider.operations;
  const entry = [...(chat?.passThrough ?? []), ...(image?.passThrough ?? [])].find(
    (one) => one.format === format,
  );
  const fields = {
    get: (name: string) => body[name],
    has: (name: string) => name in body,
    contains: (text: string) => JSON.stringify(body).includes(text),
  };
  return entry?.target(fields, testCall({ model: String(body.model), ...changes }) as never);
}

const balanceOf = (
  provider: Provider,
  replies: Record<string, unknown>,
  changes: Partial<Call> = {},
) => provider.account?.readBalance?.(testCall(changes) as never, effectsOf(replies));

describe('addresses of Azure', () => {
  const resource = 'https://mine.cognitiveservices.azure.com';
  const responses = (changes: Partial<Call>) =>
    forward(azure, 'openai-responses', { model: 'gpt-4.1', input: 'a' }, changes)?.url;
  const chats = (changes: Partial<Call>) =>
    forward(azure, 'openai-chat', { model: 'gpt-4.1' }, changes)?.url;

  it('of Responses: undated, except for older resources and where the channel sets a version', () => {
    expect(responses({})).toBe(`${base}/openai/v1/responses?api-version=preview`);
    expect(responses({ baseUrl: resource, other: '2025-03-01-preview' })).toBe(
      `${resource}/openai/responses?api-version=2025-03-01-preview`,
    );
    expect(responses({ settings: { azure_responses_version: 'v1' } })).toBe(
      `${base}/openai/v1/responses?api-version=v1`,
    );
  });

  it('take the process’s version, and a base that already names the surface', () => {
    const { options } = testCall();
    const place = `${base}/openai/deployments/gpt-4.1/chat/completions`;
    expect(chats({ options: { ...options, azureApiVersion: '2024-12-01-preview' } })).toBe(
      `${place}?api-version=2024-12-01-preview`,
    );
    expect(chats({ baseUrl: `${base}/openai` })).toBe(`${place}?api-version=2025-04-01-preview`);
    expect(chats({ baseUrl: `${base}/openai/v1` })).toBe(`${base}/openai/v1/chat/completions`);
  });

  it('have no prefix behind Cloudflare’s AI Gateway', () => {
    const gateway = 'https://gateway.ai.cloudflare.com/v1/account/gateway/azure-openai/mine';
    expect(chats({ baseUrl: gateway, other: '2024-10-21' })).toBe(
      `${gateway}/gpt-4.1/chat/completions?api-version=2024-10-21`,
    );
  });

  it('of a socket name the deployment', () => {
    const target = azure.operations.realtime?.target(
      testCall({ model: 'gpt 4o', other: '2024-10-01-preview' }) as never,
    );
    expect(target).toEqual({
      url: 'wss://upstream.test/openai/realtime?deployment=gpt%204o&api-version=2024-10-01-preview',
      headers: { 'openai-beta': 'realtime=v1', 'api-key': 'the-key' },
    });
  });
});

describe('queries of callers', () => {
  it('never set what the address sets itself', () => {
    const call = testCall({ clientPath: '/v1/chat/completions?api-version=1&b=2' });
    expect(withClientQuery('https://a.test/x', call)).toBe('https://a.test/x?api-version=1&b=2');
    expect(withClientQuery('https://a.test/x?api-version=9', call)).toBe(
      'https://a.test/x?api-version=9&b=2',
    );
    expect(withClientQuery('https://a.test/x?api-version=9', testCall())).toBe(
      'https://a.test/x?api-version=9',
    );
  });

  it('never say what of a reply is left out: Google has chat completions, too', () => {
    const call = testCall({
      clientPath: '/v1/chat/completions?fields=choices&%24fields=choices&alt=media&b=2&FIELDS=x',
    });
    expect(withClientQuery('https://a.test/x', call)).toBe('https://a.test/x?b=2');
  });
});

describe('OpenRouter', () => {
  const headersFor = (siteAddress: string, siteName: string) =>
    forward(
      openrouter,
      'openai-chat',
      { model: 'm' },
      { options: { ...testCall().options, siteAddress, siteName } },
    )?.headers;

  it('receives headers that identify the site', () => {
    expect(headersFor('https://ai.example.org', 'My Site')).toMatchObject({
      'http-referer': 'https://ai.example.org',
      'x-title': 'My Site',
    });
    const unnamed = headersFor('', '我的站');
    expect(unnamed).not.toHaveProperty('http-referer');
    expect(unnamed).not.toHaveProperty('x-title');
  });

  it('gets a messages body only where it can be forwarded unchanged', () => {
    const native = (model: string) =>
      forward(openrouter, 'anthropic-messages', { model, messages: [] })?.url;
    expect(native('anthropic/claude-sonnet-4')).toBe(`${base}/v1/messages`);
    expect(native('anthropic/claude-sonnet-4-thinking')).toBeUndefined();
    expect(native('meta/llama-4')).toBeUndefined();
  });

  it('samples as callers of other wires wish', () => {
    const encode = (request: ChatRequest) =>
      openrouter.operations.chat?.encode(request, testCall({ model: 'meta/llama-4' }) as never);
    const asked = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };
    expect(encode(anthropicMessages.readRequest({ ...asked, top_k: 47 }))?.body).toMatchObject({
      top_k: 47,
    });
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
    const native = { contents, generationConfig: { topK: 47 } };
    expect(
      encode(geminiGenerate.readRequest(native, { model: 'm', stream: false }))?.body,
    ).toMatchObject({ top_k: 47 });
    expect(encode(openAiChat.readRequest({ ...asked, top_k: 47 }))?.body).toMatchObject({
      top_k: 47,
    });
    expect(encode(anthropicMessages.readRequest(asked))?.body).not.toHaveProperty('top_k');
  });

  it('uses the nearest supported aspect ratio', () => {
    expect(
      ['1024x1024', '1536x1024', '1024x1792', '100x1', 'auto', undefined].map(nearestRatio),
    ).toEqual(['1:1', '3:2', '9:16', '21:9', undefined, undefined]);
  });

  it('reports credits minus the used amount', async () => {
    const credits = { data: { total_credits: 20.5, total_usage: 0.75 } };
    expect(await balanceOf(openrouter, { [`${base}/v1/credits`]: credits })).toEqual({
      amount: '19.75',
      currency: 'USD',
    });
    await expect(
      balanceOf(openrouter, { [`${base}/v1/credits`]: { data: {} } }),
    ).rejects.toMatchObject({
      code: 'bad_response_body',
    });
  });
});

describe('balances', () => {
  it('of SiliconFlow are in yuan and given as strings', async () => {
    const url = `${base}/v1/user/info`;
    const info = { code: 20000, message: 'OK', data: { totalBalance: '88.00' } };
    expect(await balanceOf(siliconcloud, { [url]: info })).toEqual({
      amount: '88.00',
      currency: 'CNY',
    });
    await expect(
      balanceOf(siliconcloud, { [url]: { code: 30001, data: null } }),
    ).rejects.toMatchObject({
      code: 'bad_response_body',
    });
  });

  it('of imported resellers come from their account endpoints', async () => {
    const read = (type: number, replies: Record<string, unknown>, baseUrl = base) => {
      const provider = importedProviders.find(({ channelTypes }) => channelTypes[0] === type);
      return provider === undefined ? undefined : balanceOf(provider, replies, { baseUrl });
    };
    const grants = `${base}/dashboard/billing/credit_grants`;
    expect(await read(12, { [grants]: { total_remaining: 3.5 } })).toEqual({
      amount: '3.5',
      currency: 'USD',
    });
    expect(await read(13, { [grants]: { total_available: '4.25' } }, `${base}/v1`)).toEqual({
      amount: '4.25',
      currency: 'USD',
    });
    const overview = {
      'https://aiproxy.io/api/report/getUserOverview': {
        success: true,
        data: { totalPoints: 1200 },
      },
    };
    expect(await read(10, overview, 'https://api.aiproxy.io')).toEqual({
      amount: '1200',
      currency: 'points',
    });
    const billing = `${base}/v1/dashboard/billing`;
    const dashboard = {
      [`${billing}/subscription`]: { hard_limit_usd: 2, has_payment_method: true },
      [`${billing}/usage?start_date=2026-11-01&end_date=2026-11-20`]: { total_usage: 50 },
    };
    expect(await read(6, dashboard, `${base}/v1`)).toEqual({ amount: '1.5', currency: 'USD' });
    await expect(read(12, { [grants]: { total_remaining: '' } })).rejects.toMatchObject({
      code: 'bad_response_body',
    });
  });

  it('of imported resellers are asked at the address of their family where a channel has none', () => {
    const addresses = importedProviders.map(({ channelTypes, defaultBaseUrl }) => [
      channelTypes[0],
      defaultBaseUrl,
    ]);
    // relay/channeltype/url.go of One API, constant/channel.go of New API
    expect(addresses).toEqual([
      [6, 'https://api.openaimax.com'],
      [7, 'https://api.ohmygpt.com'],
      [9, 'https://api.caipacity.com'],
      [10, 'https://api.aiproxy.io'],
      [12, 'https://api.api2gpt.com'],
      [13, 'https://api.aigc2d.com'],
    ]);
  });

  it('of AI Proxy are requested with its own header', async () => {
    const seen: unknown[] = [];
    const provider = importedProviders.find(({ slug }) => slug === 'ai-proxy-openai');
    const effects = effectsOf({}, (_url, headers) => seen.push(headers));
    await expect(provider?.account?.readBalance?.(testCall() as never, effects)).rejects.toThrow();
    expect(seen).toEqual([{ accept: 'application/json', 'api-key': 'the-key' }]);
  });
});

describe('images of OpenAI', () => {
  it('of gpt-image models are requested without a response format', () => {
    const edits = (model: string) =>
      forward(openai, 'openai-images', { model, prompt: 'a', response_format: 'b64_json' })?.edits;
    expect(Object.keys(edits('gpt-image-1') ?? {})).toEqual(['response_format']);
    expect(edits('dall-e-3')).toEqual({});
  });
});

/** The data of each event after a rewriter. */
function collectData(bytes: Buffer, rewriter: StreamRewriter): string[] {
  const frames = createFrameReader('sse');
  return [...frames.push(bytes), ...frames.end()].map((event) =>
    rewriter.push(event).slice('data: '.length).trimEnd(),
  );
}

describe('replies that are put right', () => {
  const { create, reply } = rewriteReplies(['"old"'], (body) => ({ ...body, changed: true }));
  const push = (data: string) => create().push({ event: '', data });

  it('are changed where they contain vendor fields, otherwise forwarded unchanged', () => {
    expect(push('{"old":1}')).toBe('data: {"old":1,"changed":true}\n\n');
    expect(push('{ "new": 1 }')).toBe('data: { "new": 1 }\n\n');
    expect(push('[DONE]')).toBe('data: [DONE]\n\n');
    expect(reply?.({ a: 1 })).toEqual({ a: 1, changed: true });
  });

  it('lose what cannot be read and keep what is no object', () => {
    expect(push('{"old":')).toBe('');
    expect(push('["old"]')).toBe('data: ["old"]\n\n');
    expect(push('{"old":1}\n{"old":2}')).toBe(
      'data: {"old":1,"changed":true}\n\ndata: {"old":2,"changed":true}\n\n',
    );
    expect(push('{"new":\n1}')).toBe('data: {"new":\ndata: 1}\n\n');
  });

  it('convert errors of any shape to the caller’s shape', () => {
    const { create: open, reply: whole } = wrapErrors;
    const errors = (slug: string) =>
      collectData(fixtureBytes(slug, 'stream-error.sse'), open()).filter((data) =>
        data.includes('"error"'),
      );
    expect(errors('siliconcloud').map((data) => JSON.parse(data))).toEqual([
      {
        error: {
          message: 'Model service overloaded. Please try again later.',
          type: 'upstream_error',
          param: null,
          code: 50505,
        },
      },
    ]);
    expect(errors('xai').map((data) => JSON.parse(data))).toMatchObject([
      {
        error: {
          message: 'The model is at capacity.',
          code: 'The service is currently unavailable',
        },
      },
    ]);
    expect(whole?.({ error: { code: 1, message: 'as it should be' } })).toEqual({
      error: { code: 1, message: 'as it should be' },
    });
    expect(whole?.({ choices: [], message: 'an answer' })).toEqual({
      choices: [],
      message: 'an answer',
    });
  });
});
