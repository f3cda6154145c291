// Covers src/core/canonical/wires/openai-responses.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../../src/core/canonical/chat.ts';
import type { StreamPart } from '../../../src/core/canonical/chat-reply.ts';
import { ReplyFailure } from '../../../src/core/canonical/kit/failure.ts';
import { foreignSignature } from '../../../src/core/canonical/kit/foreign-signature.ts';
import type { BodyFields } from '../../../src/core/canonical/pass-through.ts';
import type { JsonObject, JsonValue } from '../../../src/core/kernel/json.ts';
import { deepseek } from '../../../src/core/providers/deepseek/index.ts';
import { openai } from '../../../src/core/providers/openai/index.ts';
import { readResponsesReply } from '../../../src/core/providers/openai-responses/decode-reply.ts';
import { ResponsesStreamDecoder } from '../../../src/core/providers/openai-responses/decode-stream.ts';
import { anthropicMessages } from '../../../src/core/relay/formats/anthropic-messages/index.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { openAiResponses } from '../../../src/core/relay/formats/openai-responses/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import {
  collect,
  decodeChunks,
  fixtureBytes,
  fixtureJson,
} from '../../contract/providers/support/decode.ts';

const slug = 'openai-responses';
const decode = (chunks: readonly Uint8Array[]) =>
  decodeChunks(chunks, 'sse', new ResponsesStreamDecoder());
const stream = (name: string) => decode([fixtureBytes(slug, name)]);
const partsOfType = <T extends StreamPart['type']>(parts: readonly StreamPart[], type: T) =>
  parts.filter((part): part is Extract<StreamPart, { type: T }> => part.type === type);

function fieldsOf(body: JsonObject): BodyFields {
  const text = JSON.stringify(body);
  return {
    get: (name) => body[name],
    has: (name) => name in body,
    contains: (part) => text.includes(part),
  };
}

function target(
  format: 'openai-chat' | 'openai-responses',
  body: JsonObject,
  settings = {},
  clientHeaders = {},
) {
  const call = testCall({
    model: String(body.model),
    settings,
    clientHeaders,
    clientPath: '/v1/x?a=1',
  });
  return openai.operations.chat?.passThrough
    ?.find((entry) => entry.format === format)
    ?.target(fieldsOf(body), call as never);
}

function encode(request: ChatRequest, model: string, settings: object = { use_responses: true }) {
  const encoded = openai.operations.chat?.encode(request, testCall({ model, settings }) as never);
  return { url: encoded?.url, body: encoded?.body as Record<string, JsonValue> };
}

describe('which interface a chat goes to', () => {
  const request = openAiChat.readRequest({
    model: 'm',
    messages: [{ role: 'user', content: 'hi' }],
  });

  it.each([
    'gpt-5-codex',
    'codex-mini-latest',
    'o1-pro',
    'o3-pro-2025-06-10',
    'gpt-5-pro',
    'gpt-5.2-pro',
    'o3-deep-research',
  ])('Responses for %s', (model) => {
    expect(encode(request, model, {}).url).toBe('https://upstream.test/v1/responses');
    expect(target('openai-chat', { model })).toBeUndefined();
  });

  it.each(['gpt-4o', 'o3', 'gpt-5', 'o1-preview'])('chat for %s', (model) => {
    expect(encode(request, model, {}).url).toBe('https://upstream.test/v1/chat/completions');
    expect(target('openai-chat', { model })?.url).toBe(
      'https://upstream.test/v1/chat/completions?a=1',
    );
  });

  it('the channel’s setting wins in both directions', () => {
    expect(encode(request, 'gpt-4o').url).toBe('https://upstream.test/v1/responses');
    expect(target('openai-chat', { model: 'gpt-4o' }, { use_responses: true })).toBeUndefined();
    expect(encode(request, 'o3-pro', { use_responses: false }).url).toBe(
      'https://upstream.test/v1/chat/completions',
    );
    expect(
      target('openai-responses', { model: 'gpt-4o' }, { use_responses: false }),
    ).toBeUndefined();
  });

  it('chat, always, at vendors without Responses', () => {
    const encoded = deepseek.operations.chat?.encode(
      request,
      testCall({ model: 'x-codex' }) as never,
    );
    expect(encoded?.url).toMatch(/chat\/completions$/);
  });
});

describe('Responses bodies that pass through', () => {
  it('go on untouched, with the caller’s betas', () => {
    const headers = { 'openai-beta': 'x=1', 'anthropic-beta': 'no' };
    const passed = target(
      'openai-responses',
      { model: 'gpt-5', input: 'hi', stream: true },
      {},
      headers,
    );
    expect(passed).toMatchObject({
      url: 'https://upstream.test/v1/responses?a=1',
      edits: {},
      model: undefined,
    });
    expect(passed?.headers).toMatchObject({
      authorization: 'Bearer the-key',
      accept: 'text/event-stream',
      'openai-beta': 'x=1',
    });
    expect(passed?.headers).not.toHaveProperty('anthropic-beta');
  });

  it('lose the thinking of other providers, and no other', () => {
    const foreign = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [],
      encrypted_content: foreignSignature,
    };
    const own = { ...foreign, encrypted_content: 'gAAA' };
    const passed = target('openai-responses', {
      model: 'gpt-5',
      input: [foreign, own, { role: 'user', content: 'hi' }],
    });
    expect(passed?.edits).toEqual({ input: [own, { role: 'user', content: 'hi' }] });
  });

  it('get the effort that the model’s name ends with', () => {
    const passed = target('openai-responses', {
      model: 'o3-mini-high',
      input: 'hi',
      reasoning: { summary: 'auto' },
    });
    expect(passed).toMatchObject({
      model: 'o3-mini',
      edits: { reasoning: { summary: 'auto', effort: 'high' } },
    });
  });
});

describe('chats written for Responses', () => {
  const chat = openAiChat.readRequest({
    model: 'gpt-5',
    max_completion_tokens: 3,
    stop: ['x'],
    seed: 1,
    temperature: 1,
    reasoning_effort: 'high',
    verbosity: 'low',
    prompt_cache_key: 'k',
    stream_options: { include_usage: true },
    tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
    tool_choice: { type: 'function', function: { name: 'look' } },
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'r', schema: { type: 'object' }, strict: true },
    },
    web_search_options: {
      search_context_size: 'low',
      user_location: { type: 'approximate', approximate: { country: 'NO' } },
    },
    messages: [
      { role: 'system', content: 'A' },
      { role: 'developer', content: 'B' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          {
            type: 'image_url',
            image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' },
          },
          {
            type: 'file',
            file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
          },
          { type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } },
        ],
      },
      {
        role: 'assistant',
        content: 'Looking.',
        reasoning_content: 'hm',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
          { id: 'c2', type: 'function', function: { name: 'look', arguments: '' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'seen' },
      { role: 'system', content: 'Late.' },
      { role: 'tool', tool_call_id: 'nobody', content: 'stray' },
    ],
  });
  const { body } = encode(chat, 'gpt-5');

  it('system texts in front are instructions, later ones stay in place', () => {
    expect(body.instructions).toBe('A\n\nB');
    expect(body.input).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'See' },
          { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' },
          {
            type: 'input_file',
            filename: 'a.pdf',
            file_data: 'data:application/pdf;base64,JVBERi0=',
          },
          { type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } },
        ],
      },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Looking.' }] },
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"a":1}' },
      { type: 'function_call', call_id: 'c2', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c2', output: '' },
      { type: 'function_call_output', call_id: 'c1', output: 'seen' },
      { role: 'developer', content: 'Late.' },
      { role: 'user', content: 'stray' },
    ]);
  });

  it('fields under their Responses names, others left out', () => {
    const { instructions: _, input: __, ...fields } = body;
    expect(fields).toEqual({
      include: ['reasoning.encrypted_content'],
      model: 'gpt-5',
      store: false,
      prompt_cache_key: 'k',
      max_output_tokens: 16,
      tools: [
        { type: 'function', name: 'look', parameters: { type: 'object' }, strict: false },
        {
          type: 'web_search',
          search_context_size: 'low',
          user_location: { type: 'approximate', country: 'NO' },
        },
      ],
      tool_choice: { type: 'function', name: 'look' },
      text: {
        format: { type: 'json_schema', name: 'r', schema: { type: 'object' }, strict: true },
        verbosity: 'low',
      },
      reasoning: { effort: 'high', summary: 'auto' },
    });
  });

  it('the effort of the model’s name, and sampling where the model takes it', () => {
    const request = openAiChat.readRequest({
      model: 'x',
      temperature: 0,
      messages: [{ role: 'user', content: 'hi' }],
    });
    const { body: pro } = encode(request, 'o3-pro-low');
    expect(pro).toMatchObject({ model: 'o3-pro', reasoning: { effort: 'low' } });
    expect(pro).not.toHaveProperty('temperature');
    expect(encode(request, 'gpt-4.1').body).toMatchObject({ model: 'gpt-4.1', temperature: 0 });
  });

  it('one choice only', () => {
    const request = openAiChat.readRequest({
      model: 'x',
      n: 2,
      messages: [{ role: 'user', content: 'hi' }],
    });
    expect(() => encode(request, 'o3-pro')).toThrow('unsupported_feature');
  });

  it('thinking of other providers stays out', () => {
    const claude = anthropicMessages.readRequest({
      model: 'x',
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 't', signature: 's' },
            { type: 'redacted_thinking', data: 'd' },
            { type: 'text', text: 'Hello' },
          ],
        },
        { role: 'user', content: 'more' },
      ],
    });
    expect(JSON.stringify(encode(claude, 'o3-pro').body.input)).not.toMatch(/reasoning|thinking/);
  });

  it('what a Responses caller wrote comes back as it wrote it', () => {
    const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: "x"' };
    const tools: JsonObject[] = [
      { type: 'custom', name: 'patch', format: grammar },
      {
        type: 'namespace',
        name: 'ns',
        description: 'n',
        tools: [{ type: 'function', name: 'f', parameters: {} }],
      },
      { type: 'tool_search', execution: 'client' },
      { type: 'shell', environment: { type: 'local' } },
      { type: 'web_search', external_web_access: false },
    ];
    const found = [{ type: 'function', name: 'found', parameters: {}, defer_loading: true }];
    const input: JsonObject[] = [
      { role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      {
        type: 'reasoning',
        id: 'rs_7',
        summary: [{ type: 'summary_text', text: 's' }],
        encrypted_content: 'gAAA',
        content: null,
      },
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c1', name: 'patch', input: 'a "b"' },
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'c2',
        name: 'f',
        namespace: 'ns',
        arguments: '{}',
      },
      {
        type: 'custom_tool_call_output',
        call_id: 'c1',
        output: [{ type: 'input_text', text: 'ok' }],
      },
      { type: 'function_call_output', call_id: 'c2', output: 'ok' },
      { type: 'shell_call', call_id: 'c3', action: { commands: ['ls'], x: 1 } },
      { type: 'shell_call_output', call_id: 'c3', output: [{ stdout: 'a', stderr: 'b' }] },
      { type: 'tool_search_call', call_id: 'c4', execution: 'client', arguments: {} },
      { type: 'tool_search_output', call_id: 'c4', execution: 'client', tools: found },
    ];
    const given = {
      text: { verbosity: 'low' },
      reasoning: { effort: 'xhigh', context: 'all' },
      include: ['x'],
      store: true,
    };
    const request = openAiResponses.readRequest({
      model: 'x',
      instructions: 'Be brief.',
      tools,
      tool_choice: { type: 'custom', name: 'patch' },
      input,
      ...given,
    });
    const { body: own } = encode(request, 'gpt-5.3-codex', {});
    expect(own).toEqual({
      model: 'gpt-5.3-codex',
      instructions: 'Be brief.',
      tools,
      tool_choice: { type: 'custom', name: 'patch' },
      ...given,
      input: [
        input[0],
        {
          type: 'reasoning',
          id: 'rs_7',
          summary: [{ type: 'summary_text', text: 's' }],
          encrypted_content: 'gAAA',
        },
        { type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: 'a "b"' },
        { type: 'function_call', call_id: 'c2', name: 'f', namespace: 'ns', arguments: '{}' },
        { type: 'custom_tool_call_output', call_id: 'c1', output: 'ok' },
        { type: 'function_call_output', call_id: 'c2', output: 'ok' },
        ...input.slice(6),
      ],
    });
  });
});

describe('replies', () => {
  it('are read with their thinking, calls and sources', () => {
    const reply = readResponsesReply(fixtureJson(slug, 'reply-tools.json'));
    expect(reply).toMatchObject({
      id: 'resp_0a1b2c3d4e5f',
      usage: { promptTokens: 120, cachedTokens: 20, completionTokens: 96, reasoningTokens: 64 },
    });
    expect(reply.choices).toMatchObject([
      {
        finish: 'tool-calls',
        rawFinish: 'completed',
        annotations: [{ url: 'https://example.org/news', title: 'News' }],
        content: [
          {
            type: 'reasoning',
            text: '**Looking up**\n\nTwo places.',
            signature: 'gAAAAABo-whole',
            id: 'rs_05d',
            origin: 'openai-responses',
          },
          { type: 'text', text: 'Hello 世界! 👋' },
          {
            type: 'tool-call',
            id: 'call_Paris',
            name: 'get_weather',
            arguments: '{"city":"Paris"}',
          },
          { type: 'tool-call', id: 'call_time', name: 'get_time', arguments: '{}' },
        ],
      },
    ]);
  });

  it('say why they are incomplete', () => {
    const [choice] = readResponsesReply(fixtureJson(slug, 'reply-incomplete.json')).choices;
    expect(choice).toMatchObject({ finish: 'length', rawFinish: 'max_output_tokens' });
    expect(choice?.content).toEqual([
      {
        type: 'reasoning',
        text: '',
        redacted: 'gAAAAABo-hidden',
        origin: 'openai-responses',
        id: 'rs_06e',
      },
    ]);
  });

  it('fail where the response failed or is missing', () => {
    const failed = () => readResponsesReply(fixtureJson(slug, 'reply-failed.json'));
    expect(failed).toThrow(ReplyFailure);
    expect(failed).toThrow('The server had an error.');
    expect(() => readResponsesReply({ choices: [] })).toThrow('bad_response_body');
  });
});

describe('streams', () => {
  const recorded = readdirSync(join(import.meta.dirname, '../../fixtures', slug)).filter((name) =>
    name.startsWith('stream-'),
  );

  it.each(recorded)('%s reads the same however it is cut', (name) => {
    const bytes = fixtureBytes(slug, name);
    const whole = decode([bytes]);
    for (let at = 1; at < bytes.length; at++) {
      expect(decode([bytes.subarray(0, at), bytes.subarray(at)]), `cut at ${at}`).toEqual(whole);
    }
    expect(decode(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).toEqual(whole);
  });

  it.each(recorded.filter((name) => name !== 'stream-unterminated.sse'))('%s ends once', (name) => {
    const parts = stream(name);
    expect(parts.filter(({ type }) => type === 'finish' || type === 'error')).toHaveLength(1);
    expect(['finish', 'error']).toContain(parts.at(-1)?.type);
  });

  it('return text, sources and usage', () => {
    const parts = stream('stream-text.sse');
    expect(collect(parts)).toMatchObject({
      id: 'resp_0a1b2c3d4e5f',
      text: 'Hello 世界! 👋',
      usage: { promptTokens: 75, cachedTokens: 32, completionTokens: 14 },
      finishes: ['stop'],
    });
    expect(partsOfType(parts, 'annotation').map(({ annotation }) => annotation.url)).toEqual([
      'https://example.org/news',
    ]);
  });

  it('return thinking by paragraph, its signature under its id, and parallel calls', () => {
    const parts = stream('stream-tools.sse');
    const { reasoning, calls, finishes } = collect(parts);
    expect(reasoning).toBe('**Looking up**\n\nTwo places.');
    expect(calls).toEqual([
      { id: 'call_Paris', name: 'get_weather', arguments: '{"city":"Paris"}' },
      { id: 'call_time', name: 'get_time', arguments: '{}' },
    ]);
    expect(finishes).toEqual(['tool-calls']);
    expect(partsOfType(parts, 'reasoning-delta')[0]?.id).toBe('rs_05d');
    expect(partsOfType(parts, 'reasoning-signature')).toEqual([
      {
        type: 'reasoning-signature',
        signature: 'gAAAAABo-whole',
        origin: 'openai-responses',
        id: 'rs_05d',
      },
    ]);
  });

  it('return encrypted thinking as such', () => {
    expect(partsOfType(stream('stream-hidden-reasoning.sse'), 'reasoning-redacted')).toEqual([
      {
        type: 'reasoning-redacted',
        data: 'gAAAAABo-hidden',
        origin: 'openai-responses',
        id: 'rs_06e',
      },
    ]);
  });

  it('are read although ids change, places are missing and arguments come late', () => {
    expect(collect(stream('stream-loose.sse'))).toMatchObject({
      text: 'I check.',
      calls: [
        { id: 'call_1', name: 'look', arguments: '{"a":1}' },
        { id: 'call_2', name: 'wait', arguments: '{"b":2}' },
      ],
      usage: { promptTokens: 9, completionTokens: 4 },
      finishes: ['tool-calls'],
    });
  });

  it.each(['stream-only-end.sse', 'stream-whole.sse'])(
    '%s: the last event alone is enough',
    (name) => {
      expect(collect(stream(name))).toMatchObject({
        text: 'Hello 世界! 👋',
        reasoning: '**Looking up**\n\nTwo places.',
        finishes: ['tool-calls'],
      });
    },
  );

  it('return free text as the only argument of a call', () => {
    const [call] = collect(stream('stream-custom.sse')).calls;
    expect(call).toMatchObject({ id: 'call_patch', name: 'files__apply_patch' });
    expect(JSON.parse(call?.arguments ?? '')).toEqual({
      input: '*** Begin Patch\n+"é\\n"\n*** End Patch',
    });
  });

  it('return refusals, images and the reason for an incomplete response', () => {
    const refusal = partsOfType(stream('stream-refusal.sse'), 'refusal-delta');
    expect(refusal.map(({ text }) => text).join('')).toBe('I cannot.');
    expect(partsOfType(stream('stream-image.sse'), 'image')).toEqual([
      { type: 'image', mediaType: 'image/webp', data: 'UklGRg==' },
    ]);
    expect(collect(stream('stream-incomplete.sse')).finishes).toEqual(['length']);
    expect(collect(stream('stream-filtered.sse')).finishes).toEqual(['content-filter']);
  });

  it('return failures with the status that decides about a retry', () => {
    expect(collect(stream('stream-failed-first.sse')).errors).toMatchObject([
      { status: 429, code: 'rate_limit_exceeded' },
    ]);
    expect(collect(stream('stream-error-first.sse')).errors).toMatchObject([
      { status: 400, code: 'context_length_exceeded' },
    ]);
    expect(collect(stream('stream-error.sse'))).toMatchObject({
      text: 'Once',
      errors: [{ status: 500, message: 'The server had an error.' }],
    });
  });

  it('that end without their last event are not finished', () => {
    expect(collect(stream('stream-unterminated.sse'))).toMatchObject({
      text: 'Once upon',
      finishes: [],
    });
    expect(collect(stream('stream-silent.sse')).errors).toMatchObject([
      { status: 502, code: 'empty_response' },
    ]);
  });
});
