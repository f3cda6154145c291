import '../../support/usage-equality.ts';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { amountOf, readPages } from '../../../src/core/canonical/kit/account.ts';
import {
  mergeAnthropicUsage,
  usageFromAnthropic,
} from '../../../src/core/canonical/kit/anthropic-usage.ts';
import {
  errorFromBody,
  failureMessage,
  readFailure,
} from '../../../src/core/canonical/kit/failure.ts';
import { createFrameReader } from '../../../src/core/canonical/kit/frames.ts';
import { usageFromGemini } from '../../../src/core/canonical/kit/gemini-usage.ts';
import { readDataUri } from '../../../src/core/canonical/kit/media.ts';
import { effortFromBudget } from '../../../src/core/canonical/kit/reasoning.ts';
import { argumentsToObject } from '../../../src/core/canonical/kit/tool-calls.ts';
import { mergeUsage, usageFromOpenAi, withTimings } from '../../../src/core/canonical/kit/usage.ts';
import { awsFrame } from '../../support/aws-frames.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('usage', () => {
  it('of llama.cpp reports cached tokens separately', () => {
    const usage = { promptTokens: 9, completionTokens: 4 };
    expect(withTimings(usage, { cache_n: 7, prompt_n: 2 })).toEqual({ ...usage, cachedTokens: 7 });
    expect(withTimings(usage, { cache_n: 70 })).toEqual({ ...usage, cachedTokens: 9 });
    expect(withTimings({ ...usage, cachedTokens: 1 }, { cache_n: 7 })).toEqual({
      ...usage,
      cachedTokens: 1,
    });
    expect(withTimings(usage, undefined)).toEqual(usage);
    expect(withTimings(undefined, { cache_n: 7 })).toBeUndefined();
  });

  it.each([
    [
      'chat',
      {
        prompt_tokens: 9,
        completion_tokens: 4,
        prompt_tokens_details: { cached_tokens: 3 },
        completion_tokens_details: null,
      },
    ],
    [
      'responses',
      { input_tokens: 9, output_tokens: 4, input_tokens_details: { cached_tokens: 3 } },
    ],
    ['DeepSeek', { prompt_tokens: 9, completion_tokens: 4, prompt_cache_hit_tokens: 3 }],
    ['Mistral', { prompt_tokens: 9, total_tokens: 13, num_cached_tokens: 3 }],
    ['figures as text', { prompt_tokens: '9', completion_tokens: '4', cached_tokens: '3' }],
  ])('of %s', (_name, raw) => {
    expect(usageFromOpenAi(raw)).toEqual({ promptTokens: 9, completionTokens: 4, cachedTokens: 3 });
  });

  it('searches of Qwen are calls of a tool', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 4 };
    const counted = usageFromOpenAi({ ...usage, plugins: { search: { count: 2 } } });
    expect(counted?.toolCalls).toEqual({ web_search: 2 });
    for (const plugins of [{ search: { count: 0 } }, { search: 5 }, 'search', null])
      expect(usageFromOpenAi({ ...usage, plugins })?.toolCalls).toBeUndefined();
  });

  it('is undefined where nothing was reported, and keeps zeros', () => {
    expect(usageFromOpenAi(null)).toBeUndefined();
    expect(usageFromOpenAi({ prompt_tokens: null })).toBeUndefined();
    expect(usageFromGemini({ trafficType: 'ON_DEMAND' })).toBeUndefined();
    expect(usageFromOpenAi({ prompt_tokens: 0, completion_tokens: 0 })).toEqual({
      promptTokens: 0,
      completionTokens: 0,
    });
  });

  it('counts thinking as output only where it is reported separately', () => {
    const details = { completion_tokens_details: { reasoning_tokens: 6 } };
    const beside = { prompt_tokens: 20, completion_tokens: 4, total_tokens: 30, ...details };
    expect(usageFromOpenAi(beside)).toEqual({
      promptTokens: 20,
      completionTokens: 10,
      reasoningTokens: 6,
    });
    const within = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30, ...details };
    expect(usageFromOpenAi(within)).toEqual({
      promptTokens: 20,
      completionTokens: 10,
      reasoningTokens: 6,
    });
  });

  it('counts audio that Mistral leaves out of the prompt', () => {
    const spoken = { prompt_audio_seconds: 203, prompt_tokens: 4, completion_tokens: 635 };
    expect(usageFromOpenAi({ ...spoken, total_tokens: 3264 })).toEqual({
      promptTokens: 2629,
      completionTokens: 635,
      promptAudioTokens: 2625,
      audioSeconds: 203,
    });
    const within = { ...spoken, total_tokens: 639 };
    expect(usageFromOpenAi(within)).toMatchObject({ promptTokens: 4, completionTokens: 635 });
    const silent = { prompt_audio_seconds: {}, prompt_tokens: 4, total_tokens: 9 };
    expect(usageFromOpenAi(silent)).toEqual({ promptTokens: 4, completionTokens: 5 });
  });

  it('of Anthropic counts cache reads and writes as prompt', () => {
    const raw = {
      input_tokens: 10,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 50,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
      output_tokens: 7,
    };
    const cache = { cachedTokens: 100, cacheWriteTokens: 50, cacheWrite1hTokens: 30 };
    expect(usageFromAnthropic(raw)).toEqual({ promptTokens: 160, completionTokens: 7, ...cache });
  });

  it('of Anthropic sums iterations', () => {
    const iterations = [
      { input_tokens: 1, output_tokens: 2 },
      { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: 5 },
    ];
    expect(usageFromAnthropic({ input_tokens: 10, output_tokens: 20, iterations })).toEqual({
      promptTokens: 16,
      longestPrompt: 15,
      completionTokens: 22,
      cachedTokens: 5,
    });
    const one = [{ input_tokens: 7, output_tokens: 1 }];
    expect(usageFromAnthropic({ iterations: one })).not.toHaveProperty('longestPrompt');
  });

  it('of a message delta overwrites with what is positive and keeps what is absent or zero', () => {
    const merged = mergeAnthropicUsage(
      { input_tokens: 472, output_tokens: 2 },
      { input_tokens: 0, output_tokens: 15 },
    );
    expect(usageFromAnthropic(merged)).toEqual({ promptTokens: 472, completionTokens: 15 });
    expect(usageFromAnthropic({ output_tokens: 15 })).toEqual({ completionTokens: 15 });
  });

  it.each<[string, object, object, object]>([
    [
      'cache writes of an hour',
      { cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 900 } },
      { cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 } },
      { cacheWrite1hTokens: 900 },
    ],
    [
      'searches',
      { server_tool_use: { web_search_requests: 2 } },
      { server_tool_use: { web_search_requests: 0 } },
      { toolCalls: { web_search: 2 } },
    ],
    [
      'searches beside another tool',
      { server_tool_use: { web_search_requests: 2 } },
      { server_tool_use: { web_fetch_requests: 1 } },
      { toolCalls: { web_search: 2 } },
    ],
    [
      'a later number of searches',
      { server_tool_use: { web_search_requests: 2 } },
      { server_tool_use: { web_search_requests: 3 } },
      { toolCalls: { web_search: 3 } },
    ],
    [
      'thinking',
      { output_tokens_details: { thinking_tokens: 40 } },
      { output_tokens_details: { thinking_tokens: '0' } },
      { reasoningTokens: 40 },
    ],
  ])('of a message delta breaks counts down likewise: %s', (_, earlier, later, read) => {
    const start = { input_tokens: 3, cache_creation_input_tokens: 900, output_tokens: 50 };
    const merged = mergeAnthropicUsage({ ...start, ...earlier }, { output_tokens: 50, ...later });
    expect(usageFromAnthropic(merged)).toMatchObject({ promptTokens: 903, ...read });
  });

  it('of Gemini adds thoughts and tool prompts', () => {
    expect(
      usageFromGemini({
        promptTokenCount: 10,
        toolUsePromptTokenCount: 5,
        candidatesTokenCount: 20,
        thoughtsTokenCount: 7,
      }),
    ).toEqual({
      promptTokens: 15,
      completionTokens: 27,
      reasoningTokens: 7,
    });
    expect(
      usageFromGemini({ promptTokenCount: 10, totalTokenCount: 35, thoughtsTokenCount: 25 })
        ?.completionTokens,
    ).toBe(25);
  });

  it('merges field by field, never adding', () => {
    const earlier = { promptTokens: 5, cachedTokens: 2 };
    expect(mergeUsage(earlier, { promptTokens: 6, completionTokens: 1 })).toEqual({
      promptTokens: 6,
      cachedTokens: 2,
      completionTokens: 1,
    });
    expect(mergeUsage(earlier, undefined)).toBe(earlier);
  });
});

describe('failures', () => {
  it.each([
    [{ error: { message: 'a' } }, 'a'],
    [{ error: 'b', message: 'x' }, 'b'],
    [{ message: 'c' }, 'c'],
    [{ msg: 'd' }, 'd'],
    [{ err: 'e' }, 'e'],
    [{ error_msg: 'f' }, 'f'],
    [{ header: { message: 'g' } }, 'g'],
    [{ response: { error: { message: 'h' } } }, 'h'],
    [{ detail: 'i' }, 'i'],
    [{ detail: [{ msg: 'j' }, 'k'] }, 'j; k'],
    [{ errors: [{ message: 'l' }] }, 'l'],
    [[{ error: { message: 'm' } }], 'm'],
    ['<html>', '<html>'],
    [{ error: {} }, undefined],
  ])('%j has the message %s', (body, message) => expect(failureMessage(body)).toBe(message));

  it('keeps the provider’s message and retry delay', () => {
    const body = {
      error: { message: 'm', type: 'requests', param: 'p', code: 'rate_limit_exceeded' },
    };
    const failure = { status: 429, headers: { 'retry-after': '7' }, text: '', body };
    expect(readFailure(failure)).toEqual({
      status: 429,
      message: 'm',
      type: 'requests',
      param: 'p',
      code: 'rate_limit_exceeded',
      retryAfter: 7,
    });
    expect(readFailure({ ...failure, headers: { 'retry-after-ms': '1500' } }).retryAfter).toBe(2);
    const dates = {
      'retry-after': 'Fri, 20 Nov 2026 08:00:30 GMT',
      date: 'Fri, 20 Nov 2026 08:00:00 GMT',
    };
    expect(readFailure({ ...failure, headers: dates }).retryAfter).toBe(30);
  });

  it('blames the account where the provider does', () => {
    const blame = (status: number, error: object) =>
      readFailure({ status, headers: {}, text: '', body: { error } }).accountFault;
    expect(blame(401, {})).toBe(true);
    expect(blame(429, { type: 'insufficient_quota' })).toBe(true);
    expect(blame(429, { code: 'rate_limit_exceeded' })).toBeUndefined();
    expect(blame(400, { type: 'invalid_request_error' })).toBeUndefined();
  });

  it('inside a 200 take their status from code or type', () => {
    expect(errorFromBody({ error: { code: 402, message: 'no credit' } }).status).toBe(402);
    expect(errorFromBody({ type: 'error', error: { type: 'overloaded_error' } }).status).toBe(529);
    expect(errorFromBody({ error: 'odd' })).toMatchObject({ status: 502, message: 'odd' });
  });
});

describe('frames', () => {
  it('survive missing blank lines at the end and comments before', () => {
    const reader = createFrameReader('sse');
    expect(reader.push(bytes(': hello\n\nevent: x\ndata: {"a":1}'))).toEqual([]);
    expect(reader.end()).toEqual([{ event: 'x', data: '{"a":1}' }]);
  });

  it('give a JSON body that came instead of a stream as one event', () => {
    const reader = createFrameReader('sse');
    expect([
      ...reader.push(bytes('\n [{"error":')),
      ...reader.push(bytes('1}]')),
      ...reader.end(),
    ]).toEqual([{ event: '', data: '\n [{"error":1}]' }]);
  });

  it('of NDJSON are its lines', () => {
    const reader = createFrameReader('ndjson');
    const text = bytes('{"a":"é"}\r\n\n{"b":2}\n{"c":3}');
    const events = Array.from(text, (_, at) => reader.push(text.subarray(at, at + 1))).flat();
    expect([...events, ...reader.end()].map(({ data }) => data)).toEqual([
      '{"a":"é"}',
      '{"b":2}',
      '{"c":3}',
    ]);
  });

  it('carry a line of many megabytes', () => {
    const reader = createFrameReader('sse');
    const big = 'x'.repeat(20 * 1024 * 1024);
    const text = bytes(`data: ${big}\n\n`);
    const events: unknown[] = [];
    for (let at = 0; at < text.length; at += 65_536)
      events.push(...reader.push(text.subarray(at, at + 65_536)));
    expect(events).toEqual([{ event: '', data: big }]);
  });
});

describe('AWS event streams', () => {
  const stream = Buffer.concat([
    awsFrame({ ':message-type': 'event', ':event-type': 'chunk' }, '{"bytes":"e30="}'),
    awsFrame(
      { ':message-type': 'exception', ':exception-type': 'throttlingException' },
      '{"message":"slow"}',
    ),
    awsFrame({ ':message-type': 'error', ':error-code': 'Internal', ':error-message': 'oops' }, ''),
  ]);

  it('read the same cut anywhere', () => {
    const expected = [
      { event: 'chunk', data: '{"bytes":"e30="}' },
      { event: 'throttlingException', data: '{"message":"slow"}' },
      { event: 'Internal', data: '{"error":{"code":"Internal","message":"oops"}}' },
    ];
    for (let at = 0; at <= stream.length; at++) {
      const reader = createFrameReader('aws-event-stream');
      expect([
        ...reader.push(stream.subarray(0, at)),
        ...reader.push(stream.subarray(at)),
        ...reader.end(),
      ]).toEqual(expected);
    }
  });

  it('refuse damage and a cut end', () => {
    const damaged = Buffer.from(stream);
    damaged[40] = (damaged[40] ?? 0) ^ 1;
    expect(() => createFrameReader('aws-event-stream').push(damaged)).toThrow('damaged');
    const reader = createFrameReader('aws-event-stream');
    reader.push(stream.subarray(0, 20));
    expect(() => reader.end()).toThrow('within a frame');
  });
});

it.each([
  ['name', 12, 200],
  ['value', 16, 200],
])(
  'AWS frames whose header %s is longer than the frame are malformed even with valid checksums',
  (_, at, length) => {
    const frame = awsFrame({ a: 'b' }, '');
    frame.writeUInt8(length, at);
    frame.writeUInt32BE(crc32(frame.subarray(0, frame.length - 4)), frame.length - 4);
    expect(() => createFrameReader('aws-event-stream').push(frame)).toThrow('malformed');
  },
);

describe('small readers', () => {
  it('data URIs', () => {
    expect(readDataUri('data:image/jpg;base64,QUJD')).toEqual({
      mediaType: 'image/jpeg',
      data: 'QUJD',
    });
    expect(readDataUri('data:text/plain,hi')).toBeUndefined();
    expect(readDataUri('https://x.test/a.png')).toBeUndefined();
  });

  it('arguments as object', () => {
    expect(argumentsToObject('{"a":1}')).toEqual({ a: 1 });
    expect(argumentsToObject('{"a":')).toEqual({});
    expect(argumentsToObject('')).toEqual({});
    expect(argumentsToObject('[1]')).toEqual({ value: [1] });
  });

  it('budgets as effort', () => {
    expect([0, 1024, 1280, 8192, 31_999, -1].map(effortFromBudget)).toEqual([
      'none',
      'minimal',
      'low',
      'medium',
      'high',
      'medium',
    ]);
  });
});

describe('lists and amounts of accounts', () => {
  it('amounts are numbers, or digits as they were sent', () => {
    expect([amountOf(1.5), amountOf('88.00'), amountOf(1e-7), amountOf(0)]).toEqual([
      '1.5',
      '88.00',
      '0.0000001',
      '0',
    ]);
    for (const value of [undefined, null, '', 'x', '0x10', Number.POSITIVE_INFINITY, {}])
      expect(() => amountOf(value)).toThrow(expect.objectContaining({ code: 'bad_response_body' }));
  });

  it('lists are read page by page, but not for ever', async () => {
    const asked: (string | undefined)[] = [];
    const names = await readPages(async (next) => {
      asked.push(next);
      return { entries: [`n${asked.length}`], next: 'more' };
    });
    expect([names.length, asked[0], asked[1]]).toEqual([20, undefined, 'more']);
    expect(
      await readPages(async (next) => ({
        entries: [next ?? 'first'],
        next: next === undefined ? 'last' : undefined,
      })),
    ).toEqual(['first', 'last']);
  });
});
