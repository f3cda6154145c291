/**
 * The four upstream formats: each one's encoding of a scenario's reply, and the request that it
 * must receive.
 */
import { expect } from 'vitest';
import { type Answer, type ReceivedRequest, sendJson } from '../../support/upstream.ts';
import { pieces, pixel, type Scenario, tokens } from './scenarios.ts';

export interface UpstreamFormat {
  readonly name: 'chat' | 'messages' | 'Gemini' | 'Responses';
  readonly channel: { readonly type: number; readonly setting?: string };
  readonly model: string;
  /** A model of the provider that takes what thinking models refuse. */
  readonly plainModel?: string;
  readonly answer: (scenario: Scenario) => Answer;
  /** Checks what arrived for a scenario. */
  readonly asked: (request: ReceivedRequest, scenario: Scenario) => void;
}

type Body = Record<string, unknown>;

function sendEvents(
  response: Parameters<Answer>[0],
  events: readonly Body[],
  { named = false, done = false } = {},
): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    if (named) response.write(`event: ${String(event['type'])}\n`);
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  }
  response.end(done ? 'data: [DONE]\n\n' : '');
}

const json = (value: unknown) => JSON.stringify(value);

const chat: UpstreamFormat = {
  name: 'chat',
  // A server without Responses: its callers are translated too.
  channel: { type: 1, setting: '{"use_responses":false}' },
  model: 'gpt-5',
  plainModel: 'gpt-4o',
  answer: (scenario) => (response, request) => {
    const { error, text, reasoning, calls = [] } = scenario;
    if (error !== undefined)
      return sendJson(response, error.status, {
        error: { message: error.message, type: 'invalid_request_error', code: null },
      });
    const head = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'gpt-5' };
    const finish = calls.length > 0 ? 'tool_calls' : 'stop';
    const usage = {
      prompt_tokens: tokens.input,
      completion_tokens: tokens.output,
      total_tokens: tokens.input + tokens.output,
    };
    const written = calls.map(({ id, name, args }) => ({
      id,
      type: 'function',
      function: { name, arguments: json(args) },
    }));
    if (request.json['stream'] !== true) {
      const message = {
        role: 'assistant',
        content: text ?? null,
        ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
        ...(written.length > 0 ? { tool_calls: written } : {}),
      };
      return sendJson(response, 200, {
        ...head,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: finish }],
        usage,
      });
    }
    const chunk = (delta: Body, finish_reason: string | null = null) => ({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason }],
    });
    sendEvents(
      response,
      [
        chunk({ role: 'assistant', content: '' }),
        ...pieces(reasoning ?? '').map((reasoning_content) => chunk({ reasoning_content })),
        ...pieces(text ?? '').map((content) => chunk({ content })),
        ...written.flatMap(({ function: { name, arguments: args }, ...call }, index) => [
          chunk({ tool_calls: [{ index, ...call, function: { name, arguments: '' } }] }),
          ...pieces(args).map((piece) =>
            chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
          ),
        ]),
        chunk({}, finish),
        { ...head, object: 'chat.completion.chunk', choices: [], usage },
      ],
      { done: true },
    );
  },
  asked: ({ json: body, path }, { name }) => {
    expect(path).toBe('/v1/chat/completions');
    const messages = body['messages'] as Body[];
    expect(messages[0]).toMatchObject({ content: 'Be brief.' });
    expect(['system', 'developer']).toContain(messages[0]?.['role']);
    if (name.includes('tool')) {
      expect(body['tools']).toMatchObject([
        { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } },
      ]);
    }
    if (name === 'tool results') {
      const [, , assistant, first, second] = messages;
      const calls = (assistant as { tool_calls: { id: string; function: { arguments: string } }[] })
        .tool_calls;
      expect(calls.map((call) => JSON.parse(call.function.arguments) as unknown)).toEqual([
        { city: 'Oslo' },
        { city: 'Rome' },
      ]);
      expect([first?.['tool_call_id'], second?.['tool_call_id']]).toEqual(
        calls.map(({ id }) => id),
      );
      expect(json(first?.['content'])).toContain('cold');
    }
    if (name === 'image') expect(json(messages)).toContain(`data:image/png;base64,${pixel}`);
    if (name === 'reasoning') expect(body['reasoning_effort']).toBe('high');
    if (name === 'structured output')
      expect(body['response_format']).toMatchObject({
        type: 'json_schema',
        json_schema: { schema: { required: ['city'] } },
      });
  },
};

const messages: UpstreamFormat = {
  name: 'messages',
  channel: { type: 14 },
  model: 'claude-opus-4-5',
  answer: (scenario) => (response, request) => {
    const { error, text, reasoning, calls = [] } = scenario;
    if (error !== undefined) {
      const body = {
        type: 'error',
        error: { type: 'invalid_request_error', message: error.message },
      };
      return sendJson(response, error.status, body);
    }
    const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-opus-4-5' };
    const usage = { input_tokens: tokens.input, output_tokens: tokens.output };
    const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
    const content: Body[] = [
      ...(reasoning === undefined
        ? []
        : [{ type: 'thinking', thinking: reasoning, signature: 'c2lnbmF0dXJl' }]),
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id, name, args }) => ({
        type: 'tool_use',
        id: id.replace('call', 'toolu'),
        name,
        input: args,
      })),
    ];
    if (request.json['stream'] !== true)
      return sendJson(response, 200, { ...head, content, stop_reason, stop_sequence: null, usage });
    const blocks = content.flatMap((block, index): Body[] => {
      const delta = (fields: Body) => ({ type: 'content_block_delta', index, delta: fields });
      const open = (fields: Body) => ({
        type: 'content_block_start',
        index,
        content_block: fields,
      });
      const close = { type: 'content_block_stop', index };
      if (block['type'] === 'text') {
        const words = pieces(String(block['text'])).map((piece) =>
          delta({ type: 'text_delta', text: piece }),
        );
        return [open({ type: 'text', text: '' }), ...words, close];
      }
      if (block['type'] === 'thinking') {
        const words = pieces(String(block['thinking'])).map((thinking) =>
          delta({ type: 'thinking_delta', thinking }),
        );
        const signature = delta({ type: 'signature_delta', signature: block['signature'] });
        return [
          open({ type: 'thinking', thinking: '', signature: '' }),
          ...words,
          signature,
          close,
        ];
      }
      const input = pieces(json(block['input'])).map((partial_json) =>
        delta({ type: 'input_json_delta', partial_json }),
      );
      return [open({ ...block, input: {} }), ...input, close];
    });
    sendEvents(
      response,
      [
        {
          type: 'message_start',
          message: {
            ...head,
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { ...usage, output_tokens: 1 },
          },
        },
        { type: 'ping' },
        ...blocks,
        {
          type: 'message_delta',
          delta: { stop_reason, stop_sequence: null },
          usage: { output_tokens: tokens.output },
        },
        { type: 'message_stop' },
      ],
      { named: true },
    );
  },
  asked: ({ json: body, path }, { name }) => {
    expect(path).toBe('/v1/messages');
    expect(json(body['system'])).toContain('Be brief.');
    expect(body['max_tokens']).toBeGreaterThan(0);
    const turns = body['messages'] as { role: string; content: Body[] }[];
    if (name.includes('tool'))
      expect(body['tools']).toMatchObject([{ name: 'weather', input_schema: { type: 'object' } }]);
    if (name === 'tool results') {
      const calls = turns[1]?.content.filter((block) => block['type'] === 'tool_use') ?? [];
      expect(calls.map((call) => call['input'])).toEqual([{ city: 'Oslo' }, { city: 'Rome' }]);
      const results = turns[2]?.content.filter((block) => block['type'] === 'tool_result') ?? [];
      expect(results.map((result) => result['tool_use_id'])).toEqual(
        calls.map((call) => call['id']),
      );
      expect(json(results[0])).toContain('cold');
    }
    if (name === 'image')
      expect(json(turns)).toContain(
        json({ type: 'base64', media_type: 'image/png', data: pixel }).slice(1, -1),
      );
    if (name === 'reasoning') {
      expect(body['thinking']).toMatchObject({ type: 'enabled' });
      expect((body['thinking'] as { budget_tokens: number }).budget_tokens).toBeLessThan(
        Number(body['max_tokens']),
      );
    }
    if (name === 'structured output') {
      expect(body['output_config']).toMatchObject({
        format: { type: 'json_schema', schema: { required: ['city'] } },
      });
    }
  },
};

const gemini: UpstreamFormat = {
  name: 'Gemini',
  channel: { type: 24 },
  model: 'gemini-2.5-flash',
  answer: (scenario) => (response, request) => {
    const { error, text, reasoning, calls = [] } = scenario;
    if (error !== undefined) {
      const body = {
        error: { code: error.status, message: error.message, status: 'INVALID_ARGUMENT' },
      };
      return sendJson(response, error.status, body);
    }
    const thoughts = reasoning === undefined ? 0 : 5;
    const usageMetadata = {
      promptTokenCount: tokens.input,
      candidatesTokenCount: tokens.output - thoughts,
      ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
      totalTokenCount: tokens.input + tokens.output,
    };
    const functionCalls = calls.map(({ name, args }) => ({ functionCall: { name, args } }));
    const reply = (parts: Body[], finishReason?: string) => ({
      candidates: [
        {
          index: 0,
          content: { role: 'model', parts },
          ...(finishReason === undefined ? {} : { finishReason }),
        },
      ],
      usageMetadata,
      modelVersion: 'gemini-2.5-flash',
      responseId: 'r1',
    });
    if (!request.path.includes('streamGenerateContent')) {
      const parts = [
        ...(reasoning === undefined ? [] : [{ text: reasoning, thought: true }]),
        ...(text === undefined ? [] : [{ text }]),
        ...functionCalls,
      ];
      return sendJson(response, 200, reply(parts, 'STOP'));
    }
    sendEvents(response, [
      ...pieces(reasoning ?? '').map((piece) => reply([{ text: piece, thought: true }])),
      ...pieces(text ?? '').map((piece) => reply([{ text: piece }])),
      ...functionCalls.map((part) => reply([part])),
      reply([{ text: '' }], 'STOP'),
    ]);
  },
  asked: ({ json: body, path }, { name }) => {
    expect(path).toMatch(/^\/v1beta\/models\/gemini-2\.5-flash:(g|streamG)enerateContent/);
    expect(json(body['systemInstruction'])).toContain('Be brief.');
    const contents = body['contents'] as { role: string; parts: Body[] }[];
    const config = (body['generationConfig'] ?? {}) as Body;
    if (name.includes('tool'))
      expect(body['tools']).toMatchObject([{ functionDeclarations: [{ name: 'weather' }] }]);
    if (name === 'tool results') {
      const calls = contents[1]?.parts.flatMap((part) =>
        part['functionCall'] === undefined ? [] : [part['functionCall']],
      );
      expect(calls).toMatchObject([{ args: { city: 'Oslo' } }, { args: { city: 'Rome' } }]);
      const results = contents[2]?.parts.map(
        (part) => part['functionResponse'] as { name: string; response: Body },
      );
      expect(results?.map((result) => result.name)).toEqual(['weather', 'weather']);
      expect(json(results?.[0]?.response)).toContain('cold');
    }
    if (name === 'image')
      expect(contents[0]?.parts.find((part) => 'inlineData' in part)).toMatchObject({
        inlineData: { mimeType: 'image/png', data: pixel },
      });
    if (name === 'reasoning')
      expect(config['thinkingConfig']).toMatchObject({ includeThoughts: true });
    if (name === 'structured output') {
      expect(config['responseMimeType']).toBe('application/json');
      expect(json(config['responseSchema'] ?? config['responseJsonSchema'])).toContain('city');
    }
  },
};

const responses: UpstreamFormat = {
  name: 'Responses',
  channel: { type: 1, setting: '{"use_responses":true}' },
  model: 'o3',
  plainModel: 'gpt-4.1',
  answer: (scenario) => (response, request) => {
    const { error, text, reasoning, calls = [] } = scenario;
    if (error !== undefined)
      return sendJson(response, error.status, {
        error: { message: error.message, type: 'invalid_request_error', code: null },
      });
    const items: Body[] = [
      ...(reasoning === undefined
        ? []
        : [
            {
              id: 'rs_1',
              type: 'reasoning',
              summary: [{ type: 'summary_text', text: reasoning }],
              encrypted_content: 'gAAA',
            },
          ]),
      ...(text === undefined
        ? []
        : [
            {
              id: 'msg_1',
              type: 'message',
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
            },
          ]),
      ...calls.map(({ id, name, args }, index) => ({
        id: `fc_${index}`,
        type: 'function_call',
        status: 'completed',
        call_id: id,
        name,
        arguments: json(args),
      })),
    ];
    const whole = {
      id: 'resp_1',
      object: 'response',
      created_at: 1_700_000_000,
      status: 'completed',
      error: null,
      incomplete_details: null,
      model: 'o3',
      output: items,
      parallel_tool_calls: true,
      tools: [],
      tool_choice: 'auto',
      usage: {
        input_tokens: tokens.input,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: tokens.output,
        output_tokens_details: { reasoning_tokens: reasoning === undefined ? 0 : 5 },
        total_tokens: tokens.input + tokens.output,
      },
    };
    if (request.json['stream'] !== true) return sendJson(response, 200, whole);
    const started = { ...whole, status: 'in_progress', output: [], usage: null };
    const events: Body[] = [
      { type: 'response.created', response: started },
      { type: 'response.in_progress', response: started },
      ...items.flatMap((item, output_index) => itemEvents(item, output_index)),
      { type: 'response.completed', response: whole },
    ];
    sendEvents(
      response,
      events.map((event, sequence_number) => ({ ...event, sequence_number })),
      { named: true },
    );
  },
  asked: ({ json: body, path }, { name }) => {
    expect(path).toBe('/v1/responses');
    const input = body['input'] as Body[];
    expect(json([body['instructions'], input[0]])).toContain('Be brief.');
    if (name.includes('tool'))
      expect(body['tools']).toMatchObject([
        { type: 'function', name: 'weather', parameters: { type: 'object' } },
      ]);
    if (name === 'tool results') {
      const calls = input.filter((item) => item['type'] === 'function_call');
      expect(calls.map((call) => JSON.parse(String(call['arguments'])) as unknown)).toEqual([
        { city: 'Oslo' },
        { city: 'Rome' },
      ]);
      const outputs = input.filter((item) => item['type'] === 'function_call_output');
      expect(outputs.map((output) => output['call_id'])).toEqual(
        calls.map((call) => call['call_id']),
      );
      expect(json(outputs[0]?.['output'])).toContain('cold');
    }
    if (name === 'image')
      expect(json(input)).toContain(`"image_url":"data:image/png;base64,${pixel}"`);
    if (name === 'reasoning') expect(body['reasoning']).toMatchObject({ effort: 'high' });
    if (name === 'structured output')
      expect(body['text']).toMatchObject({
        format: { type: 'json_schema', schema: { required: ['city'] } },
      });
  },
};

/** The events of one output item, as OpenAI orders them. */
function itemEvents(item: Body, output_index: number): Body[] {
  const at = { item_id: item['id'], output_index };
  const added = (fields: Body) => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, ...fields },
  });
  const done = { type: 'response.output_item.done', output_index, item };
  if (item['type'] === 'function_call') {
    const args = String(item['arguments']);
    return [
      added({ arguments: '', status: 'in_progress' }),
      ...pieces(args).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        ...at,
        delta,
      })),
      { type: 'response.function_call_arguments.done', ...at, name: item['name'], arguments: args },
      done,
    ];
  }
  if (item['type'] === 'reasoning') {
    const text = (item['summary'] as { text: string }[])[0]?.text ?? '';
    const part = { ...at, summary_index: 0 };
    return [
      added({ summary: [], encrypted_content: '' }),
      {
        type: 'response.reasoning_summary_part.added',
        ...part,
        part: { type: 'summary_text', text: '' },
      },
      ...pieces(text).map((delta) => ({
        type: 'response.reasoning_summary_text.delta',
        ...part,
        delta,
      })),
      { type: 'response.reasoning_summary_text.done', ...part, text },
      {
        type: 'response.reasoning_summary_part.done',
        ...part,
        part: { type: 'summary_text', text },
      },
      done,
    ];
  }
  const content = (item['content'] as { text: string }[])[0];
  const part = { ...at, content_index: 0 };
  return [
    added({ content: [], status: 'in_progress' }),
    { type: 'response.content_part.added', ...part, part: { ...content, text: '' } },
    ...pieces(content?.text ?? '').map((delta) => ({
      type: 'response.output_text.delta',
      ...part,
      delta,
      logprobs: [],
    })),
    { type: 'response.output_text.done', ...part, text: content?.text, logprobs: [] },
    { type: 'response.content_part.done', ...part, part: content },
    done,
  ];
}

export const upstreamFormats: readonly UpstreamFormat[] = [chat, messages, gemini, responses];
