/** Responses as a client format: what is read of a request, and the exact order of events. */
import { describe, expect, it } from 'vitest';
import type { ChatReply, StreamPart } from '../../../../src/core/canonical/chat-reply.ts';
import { foreignSignature } from '../../../../src/core/canonical/kit/foreign-signature.ts';
import type { JsonObject } from '../../../../src/core/kernel/json.ts';
import { openAiResponses } from '../../../../src/core/relay/formats/openai-responses/index.ts';
import type { ReplyContext } from '../../../../src/core/relay/formats/shared/chat-translation.ts';

const read = (body: JsonObject) =>
  openAiResponses.readRequest({ model: 'm', input: 'hi', ...body });
const text = (words: string) => ({ type: 'text', text: words });

describe('requests', () => {
  it('take a plain text, with instructions in front', () => {
    expect(
      read({ instructions: 'Be brief.', max_output_tokens: 0, temperature: 0, stream: true }),
    ).toMatchObject({
      model: 'm',
      stream: true,
      maxOutputTokens: 0,
      temperature: 0,
      origin: 'openai-responses',
      messages: [
        { role: 'system', content: [text('Be brief.')] },
        { role: 'user', content: [text('hi')] },
      ],
    });
  });

  it('take every kind of content', () => {
    const { messages } = read({
      input: [
        { role: 'developer', content: 'Rules.' },
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'See' },
            { type: 'input_image', image_url: 'data:image/jpg;base64,/9j/', detail: 'low' },
            { type: 'input_image', image_url: 'https://x.test/a.png' },
            { type: 'input_image', file_id: 'file-1' },
            { type: 'input_file', filename: 'a.pdf', file_data: 'JVBERi0' },
            { type: 'input_file', file_url: 'https://x.test/a.pdf' },
            { type: 'input_audio', input_audio: { data: 'UklG', format: 'mp3' } },
          ],
        },
      ],
    });
    expect(messages).toEqual([
      { role: 'system', content: [text('Rules.')] },
      {
        role: 'user',
        content: [
          text('See'),
          { type: 'image', data: '/9j/', mediaType: 'image/jpeg', detail: 'low' },
          { type: 'image', url: 'https://x.test/a.png' },
          { type: 'image', fileId: 'file-1' },
          { type: 'file', filename: 'a.pdf', data: 'JVBERi0', mediaType: 'application/pdf' },
          { type: 'file', url: 'https://x.test/a.pdf' },
          { type: 'audio', data: 'UklG', format: 'mp3' },
        ],
      },
    ]);
  });

  it('make one message of what one turn of the model was', () => {
    const { messages } = read({
      input: [
        { role: 'user', content: 'hi' },
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'a' }],
          encrypted_content: 'gAAA',
          content: null,
        },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Looking.', annotations: [] }],
        },
        { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'f', arguments: '{}' },
        { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c2', name: 'patch', input: '"x"' },
        {
          type: 'web_search_call',
          id: 'ws_1',
          status: 'completed',
          action: { type: 'search', query: 'q' },
        },
        { type: 'function_call_output', call_id: 'c1', output: 'one' },
        {
          type: 'custom_tool_call_output',
          call_id: 'c2',
          output: [{ type: 'input_text', text: 'two' }],
        },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'First.' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No more.' }] },
      ],
    });
    expect(messages).toEqual([
      { role: 'user', content: [text('hi')] },
      {
        role: 'assistant',
        content: [
          {
            type: 'reasoning',
            text: 'a',
            signature: 'gAAA',
            origin: 'openai-responses',
            id: 'rs_1',
          },
          text('Looking.'),
          { type: 'tool-call', id: 'c1', name: 'f', arguments: '{}' },
          { type: 'tool-call', id: 'c2', name: 'patch', arguments: '{"input":"\\"x\\""}' },
        ],
      },
      { role: 'tool', callId: 'c1', content: [text('one')] },
      { role: 'tool', callId: 'c2', content: [text('two')] },
      { role: 'assistant', content: [text('First.')] },
      { role: 'assistant', content: [{ type: 'refusal', text: 'No more.' }] },
    ]);
  });

  it('keep text between calls and their results in the same message', () => {
    const { messages } = read({
      input: [
        { type: 'message', role: 'assistant', content: 'A' },
        { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
        { type: 'message', role: 'assistant', content: 'B' },
        { type: 'function_call_output', call_id: 'c1', output: 'one' },
      ],
    });
    expect(messages.map(({ role, content }) => [role, content.length])).toEqual([
      ['assistant', 3],
      ['tool', 1],
    ]);
  });

  it('take the mark off thinking that was another provider’s', () => {
    const { messages } = read({
      input: [
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'a' }],
          encrypted_content: foreignSignature,
        },
      ],
    });
    expect(messages[0]?.content).toEqual([
      { type: 'reasoning', text: 'a', origin: 'openai-responses' },
    ]);
  });

  it('turn tools of this format only into functions, wherever they appear', () => {
    const namespace: JsonObject = {
      type: 'namespace',
      name: 'ns',
      description: 'n',
      tools: [
        { type: 'function', name: 'f', parameters: { type: 'object' } },
        { type: 'function', name: 'later', defer_loading: true },
        {
          type: 'custom',
          name: 'exec',
          description: 'Runs.',
          format: { type: 'grammar', syntax: 'lark', definition: 'start: /.+/' },
        },
      ],
    };
    const { tools, toolChoice } = read({
      tools: [
        { type: 'function', name: 'plain', parameters: { type: 'object' }, strict: true },
        { type: 'tool_search', execution: 'client' },
        { type: 'image_generation' },
        { type: 'web_search', search_context_size: 'low' },
        { type: 'web_search', external_web_access: false },
      ],
      tool_choice: { type: 'custom', name: 'exec', namespace: 'ns' },
      input: [
        { type: 'additional_tools', role: 'developer', tools: [namespace] },
        { role: 'user', content: 'hi' },
      ],
    });
    expect(tools?.map((tool) => (tool.type === 'function' ? tool.name : tool.type))).toEqual([
      'plain',
      'tool_search',
      'foreign',
      'web-search',
      'foreign',
      'ns__f',
      'ns__exec',
    ]);
    expect(tools?.at(-1)).toEqual({
      type: 'function',
      name: 'ns__exec',
      description: 'Runs.\n\nThe input is text of this grammar:\nstart: /.+/',
      parameters: {
        type: 'object',
        properties: { input: { type: 'string' } },
        required: ['input'],
        additionalProperties: false,
      },
      source: {
        origin: 'openai-responses',
        raw: namespace,
        name: 'exec',
        namespace: 'ns',
        freeform: true,
      },
    });
    expect(toolChoice).toEqual({ type: 'tool', name: 'ns__exec' });
  });

  it('map tool choices', () => {
    const choice = (tool_choice: JsonObject | string) => read({ tool_choice }).toolChoice;
    expect(choice('required')).toEqual({ type: 'required' });
    expect(choice({ type: 'function', name: 'f' })).toEqual({ type: 'tool', name: 'f' });
    expect(choice({ type: 'allowed_tools', mode: 'required', tools: [] })).toEqual({
      type: 'required',
    });
    expect(choice({ type: 'file_search' })).toEqual({ type: 'auto' });
  });

  it('map response format, thinking and log probabilities', () => {
    const format = { type: 'json_schema', name: 'r', schema: { type: 'object' }, strict: true };
    const request = read({
      text: { format, verbosity: 'low' },
      reasoning: { effort: 'high', summary: 'auto' },
      include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
      top_logprobs: 2,
      parallel_tool_calls: false,
      client_metadata: { x: 1 },
    });
    expect(request).toMatchObject({
      responseFormat: { type: 'json-schema', name: 'r', schema: { type: 'object' }, strict: true },
      reasoning: { effort: 'high', include: true },
      logprobs: true,
      topLogprobs: 2,
      parallelToolCalls: false,
      extra: { client_metadata: { x: 1 } },
    });
    expect(read({ text: { format: { type: 'json_object' } } }).responseFormat).toEqual({
      type: 'json',
    });
    expect(read({ reasoning: { effort: 'low' } }).reasoning).toEqual({ effort: 'low' });
  });

  it.each([
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ conversation: { id: 'c' } }, 'conversation'],
    [{ background: true }, 'background'],
    [{ input: [{ type: 'item_reference', id: 'x' }] }, 'item_reference'],
    [{ input: [{ type: 'compaction', encrypted_content: 'x' }] }, 'compaction'],
  ] as const)('refuse what needs stored state: %j', (body, name) => {
    expect(() => read(body as JsonObject)).toThrow(
      expect.objectContaining({ code: 'unsupported_feature' }),
    );
    expect(() => read(body as JsonObject)).toThrow(name);
  });

  it.each([
    [{ input: null }, 'field input is required'],
    [{ input: [] }, 'field input is required'],
    [{ input: [7] }, 'input[0] must be an object'],
    [{ input: [{ role: 'king', content: '' }] }, 'input[0].role king is not known'],
    [
      { input: [{ role: 'user', content: [{ type: 'smell' }] }] },
      'input[0].content[0].type smell is not known',
    ],
    [{ input: [{ type: 'function_call', name: 'f' }] }, 'input[0].id is required'],
    [{ temperature: 'hot' }, 'temperature must be a number'],
    [{ max_output_tokens: -1 }, 'max_output_tokens is invalid'],
  ])('say what is wrong with %j', (body, detail) => {
    expect(() => read(body as JsonObject)).toThrow(
      expect.objectContaining({ code: 'invalid_request', params: { detail } }),
    );
  });

  it('leave harmless wishes for state alone', () => {
    expect(
      read({ previous_response_id: null, conversation: null, background: false, store: true })
        .messages,
    ).toHaveLength(1);
  });
});

interface Event extends Record<string, unknown> {
  readonly type: string;
}

function eventsOf(written: string): Event[] {
  const blocks = written.split('\n\n').filter((block) => block !== '');
  return blocks.map((block) => {
    const [name, data] = block.split('\n');
    const event = JSON.parse((data ?? '').slice('data: '.length)) as Event;
    expect(name).toBe(`event: ${event.type}`);
    return event;
  });
}

const context: ReplyContext = { id: 'x', model: 'm', created: 1, estimatedPromptTokens: 7 };
const finish = (reason: 'stop' | 'length' | 'content-filter'): StreamPart => ({
  type: 'finish',
  reason,
  raw: reason,
});
const call = (index: number, fields: object): StreamPart =>
  ({ type: 'tool-call-delta', index, arguments: '', ...fields }) as StreamPart;

function run(parts: readonly StreamPart[], changes: Partial<ReplyContext> = {}) {
  const encoder = openAiResponses.createStreamEncoder({ ...context, ...changes });
  const content = eventsOf(parts.map((part) => encoder.push(part)).join(''));
  const events = [...content, ...eventsOf(encoder.end())];
  expect(events.map((event) => event['sequence_number'])).toEqual(
    events.map((_, position) => position),
  );
  return { events, content, last: events.at(-1)?.['response'] as Record<string, unknown> };
}

const names = (events: readonly Event[]) =>
  events.map(
    ({ type, output_index: at }) =>
      type.replace('response.', '') + (at === undefined ? '' : ` ${String(at)}`),
  );

describe('streams', () => {
  it('open and close thinking, text and calls in turn', () => {
    const { events, last } = run([
      { type: 'start', id: 'up', model: 'other' },
      { type: 'reasoning-delta', text: 'hm' },
      { type: 'text-delta', text: 'a' },
      { type: 'text-delta', text: 'b' },
      call(0, { id: 'c0', name: 'f' }),
      call(0, { arguments: '{}' }),
      finish('stop'),
      {
        type: 'usage',
        usage: { promptTokens: 9, cachedTokens: 4, completionTokens: 5, reasoningTokens: 2 },
      },
    ]);
    expect(names(events)).toEqual([
      'created',
      'in_progress',
      'output_item.added 0',
      'reasoning_summary_part.added 0',
      'reasoning_summary_text.delta 0',
      'reasoning_summary_text.done 0',
      'reasoning_summary_part.done 0',
      'output_item.done 0',
      'output_item.added 1',
      'content_part.added 1',
      'output_text.delta 1',
      'output_text.delta 1',
      'output_text.done 1',
      'content_part.done 1',
      'output_item.done 1',
      'output_item.added 2',
      'function_call_arguments.delta 2',
      'function_call_arguments.done 2',
      'output_item.done 2',
      'completed',
    ]);
    const items = [
      {
        id: 'rs_x_0',
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: foreignSignature,
      },
      {
        id: 'msg_x_1',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'ab', annotations: [], logprobs: [] }],
      },
      {
        id: 'fc_x_2',
        type: 'function_call',
        call_id: 'c0',
        name: 'f',
        status: 'completed',
        arguments: '{}',
      },
    ];
    expect(
      events
        .filter(({ type }) => type === 'response.output_item.done')
        .map((event) => event['item']),
    ).toEqual(items);
    expect(last).toMatchObject({
      id: 'resp_x',
      object: 'response',
      status: 'completed',
      error: null,
      incomplete_details: null,
      created_at: 1,
      model: 'm',
      output: items,
      usage: {
        input_tokens: 9,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 2 },
        total_tokens: 14,
      },
    });
    const started = events[0]?.['response'];
    expect(started).toMatchObject({ id: 'resp_x', status: 'in_progress', output: [], usage: null });
    expect(events[3]).toMatchObject({
      item_id: 'rs_x_0',
      summary_index: 0,
      part: { type: 'summary_text', text: '' },
    });
    expect(events[10]).toMatchObject({
      item_id: 'msg_x_1',
      content_index: 0,
      delta: 'a',
      logprobs: [],
    });
  });

  it('hold parallel calls back until the open one is whole', () => {
    const { content, events } = run([
      call(0, { id: 'a', name: 'f' }),
      call(1, { id: 'b', name: 'g', arguments: '{"x"' }),
      call(0, { arguments: '{"y":1}' }),
      call(1, { arguments: ':2}' }),
      finish('stop'),
    ]);
    expect(names(content).slice(2)).toEqual([
      'output_item.added 0',
      'function_call_arguments.delta 0',
      'function_call_arguments.done 0',
      'output_item.done 0',
      'output_item.added 1',
      'function_call_arguments.delta 1',
      'function_call_arguments.delta 1',
    ]);
    expect(names(events.slice(content.length))).toEqual([
      'function_call_arguments.done 1',
      'output_item.done 1',
      'completed',
    ]);
    expect(events.at(-2)?.['item']).toMatchObject({ call_id: 'b', arguments: '{"x":2}' });
  });

  it('name tools as the request did', () => {
    const request = read({
      tools: [
        { type: 'custom', name: 'patch' },
        { type: 'namespace', name: 'ns', tools: [{ type: 'function', name: 'f' }] },
      ],
    });
    const { events, last } = run(
      [
        call(0, { id: 'a', name: 'patch', arguments: '{"input":"*** ' }),
        call(0, { arguments: 'Begin\\n"}' }),
        call(1, { id: 'b', name: 'ns__f', arguments: '{}' }),
        finish('stop'),
      ],
      { request },
    );
    expect(names(events).slice(2, 6)).toEqual([
      'output_item.added 0',
      'custom_tool_call_input.delta 0',
      'custom_tool_call_input.done 0',
      'output_item.done 0',
    ]);
    expect(events[3]).toMatchObject({ item_id: 'ctc_x_0', delta: '*** Begin\n' });
    expect(last['output']).toEqual([
      {
        id: 'ctc_x_0',
        type: 'custom_tool_call',
        call_id: 'a',
        name: 'patch',
        status: 'completed',
        input: '*** Begin\n',
      },
      {
        id: 'fc_x_1',
        type: 'function_call',
        call_id: 'b',
        name: 'f',
        namespace: 'ns',
        status: 'completed',
        arguments: '{}',
      },
    ]);
    expect(last['tools']).toMatchObject([{ type: 'custom' }, { type: 'namespace' }]);
  });

  it('show calls of tools that OpenAI defines when they are whole, as their clients read them', () => {
    const request = read({
      tools: [{ type: 'shell' }, { type: 'apply_patch' }, { type: 'local_shell' }],
    });
    const { events, last } = run(
      [
        call(0, { id: 'a', name: 'shell', arguments: '{"commands":["l' }),
        call(0, { arguments: 's"],"timeout_ms":9}' }),
        call(1, {
          id: 'b',
          name: 'apply_patch',
          arguments: '{"type":"create_file","path":"p","diff":"+x"}',
        }),
        call(2, { id: 'c', name: 'local_shell', arguments: '{"command":["ls"]}' }),
        finish('stop'),
      ],
      { request },
    );
    expect(names(events).slice(2)).toEqual([
      'output_item.added 0',
      'shell_call_command.added 0',
      'shell_call_command.delta 0',
      'shell_call_command.done 0',
      'output_item.done 0',
      'output_item.added 1',
      'apply_patch_call_operation_diff.delta 1',
      'apply_patch_call_operation_diff.done 1',
      'output_item.done 1',
      'output_item.added 2',
      'output_item.done 2',
      'completed',
    ]);
    expect(events[2]?.['item']).toMatchObject({ action: { commands: [] }, status: 'in_progress' });
    expect(events[7]?.['item']).toMatchObject({
      operation: { type: 'create_file', path: 'p', diff: '' },
    });
    expect(last['output']).toEqual([
      {
        id: 'sh_x_0',
        type: 'shell_call',
        call_id: 'a',
        status: 'completed',
        action: { commands: ['ls'], timeout_ms: 9, max_output_length: null },
        environment: { type: 'local' },
      },
      {
        id: 'apc_x_1',
        type: 'apply_patch_call',
        call_id: 'b',
        status: 'completed',
        operation: { type: 'create_file', path: 'p', diff: '+x' },
      },
      {
        id: 'lsh_x_2',
        type: 'local_shell_call',
        call_id: 'c',
        status: 'completed',
        action: { type: 'exec', command: ['ls'], env: {} },
      },
    ]);
  });

  it.each([
    ['shell', '{"command":"ls"}', { action: { commands: ['ls'] } }],
    ['shell', '{"commands":["l', { action: { commands: [] }, status: 'incomplete' }],
    ['apply_patch', '{"type":"delete_file","path":"p"}', { operation: { path: 'p' } }],
    ['apply_patch', '{"operation":{"path":"p"}}', { operation: { path: 'p', diff: '' } }],
    ['apply_patch', '{"type', { operation: { path: '' }, status: 'in_progress' }],
    ['local_shell', '{"command":"ls -l"}', { action: { command: ['bash', '-lc', 'ls -l'] } }],
  ])('read a %s called with %s', (type, given, item) => {
    const reason = 'status' in item ? 'length' : 'stop';
    const { last } = run([call(0, { id: 'a', name: type, arguments: given }), finish(reason)], {
      request: read({ tools: [{ type }] }),
    });
    expect(last['output']).toMatchObject([item]);
  });

  it('accept free text that is not wrapped in JSON', () => {
    const request = read({ tools: [{ type: 'custom', name: 'patch' }] });
    const { last } = run(
      [call(0, { id: 'a', name: 'patch', arguments: 'plain' }), finish('stop')],
      { request },
    );
    expect(last['output']).toMatchObject([{ input: 'plain' }]);
  });

  it('keep encrypted reasoning of their own format, under its id', () => {
    const origin = 'openai-responses';
    const { last } = run([
      { type: 'reasoning-delta', text: 'a', id: 'rs_up' },
      { type: 'reasoning-signature', signature: 'gAAA', origin, id: 'rs_up' },
      { type: 'reasoning-delta', text: 'b' },
      { type: 'reasoning-redacted', data: 'gBBB', origin, id: 'rs_up2' },
      { type: 'reasoning-delta', text: 'c' },
      { type: 'reasoning-signature', signature: 'claude', origin: 'anthropic-messages' },
      finish('stop'),
    ]);
    expect(last['output']).toMatchObject([
      { id: 'rs_up', summary: [{ text: 'a' }], encrypted_content: 'gAAA' },
      { summary: [{ text: 'b' }], encrypted_content: foreignSignature },
      { id: 'rs_up2', summary: [], encrypted_content: 'gBBB' },
      {
        summary: [{ text: 'c' }],
        encrypted_content: `${foreignSignature}:anthropic-messages:signature::claude`,
      },
    ]);
  });

  it('write refusals, sources and images', () => {
    const { events, last } = run([
      { type: 'text-delta', text: 'See' },
      {
        type: 'annotation',
        annotation: { url: 'https://x.test', title: 'X', startIndex: 0, endIndex: 3 },
      },
      { type: 'refusal-delta', text: 'No.' },
      { type: 'image', mediaType: 'image/webp', data: 'UklG' },
      finish('stop'),
    ]);
    const types = names(events);
    expect(types).toContain('output_text.annotation.added 0');
    expect(
      types.slice(types.indexOf('output_item.added 1'), types.indexOf('output_item.added 2')),
    ).toEqual([
      'output_item.added 1',
      'content_part.added 1',
      'refusal.delta 1',
      'refusal.done 1',
      'content_part.done 1',
      'output_item.done 1',
    ]);
    const source = {
      type: 'url_citation',
      url: 'https://x.test',
      title: 'X',
      start_index: 0,
      end_index: 3,
    };
    expect(last['output']).toMatchObject([
      { content: [{ type: 'output_text', annotations: [source] }] },
      { content: [{ type: 'refusal', refusal: 'No.' }] },
      { type: 'image_generation_call', status: 'completed', output_format: 'webp', result: 'UklG' },
    ]);
  });

  it.each([
    ['length', 'max_output_tokens'],
    ['content-filter', 'content_filter'],
  ] as const)('end incomplete: %s', (reason, told) => {
    const { events, last } = run([{ type: 'text-delta', text: 'Once' }, finish(reason)]);
    expect(events.at(-1)?.type).toBe('response.incomplete');
    expect(last).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: told },
      output: [{ status: 'incomplete' }],
    });
  });

  it('always include usage, estimated where none was reported', () => {
    expect(run([]).last).toMatchObject({
      output: [],
      usage: { input_tokens: 7, output_tokens: 0, total_tokens: 7 },
    });
    const { usage } = run([{ type: 'text-delta', text: 'Some words of an answer.' }]).last as {
      usage: { output_tokens: number };
    };
    expect(usage.output_tokens).toBeGreaterThan(3);
  });

  it('fail with both events of a failure, within the numbering', () => {
    const encoder = openAiResponses.createStreamEncoder(context);
    const begun = encoder.push({ type: 'text-delta', text: 'Once' });
    const events = eventsOf(begun + encoder.fail({ status: 429, message: 'slow down' }));
    expect(events.map((event) => event['sequence_number'])).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(events.slice(-2)).toMatchObject([
      { type: 'error', code: 'rate_limit_exceeded', message: 'slow down', param: null },
      {
        type: 'response.failed',
        response: {
          id: 'resp_x',
          status: 'failed',
          error: { code: 'rate_limit_exceeded', message: 'slow down' },
        },
      },
    ]);
  });
});

describe('plain replies', () => {
  const reply: ChatReply = {
    id: 'resp_theirs',
    choices: [
      {
        index: 0,
        content: [
          {
            type: 'reasoning',
            text: 'hm',
            signature: 'gAAA',
            origin: 'openai-responses',
            id: 'rs_1',
          },
          { type: 'text', text: 'Hello ' },
          { type: 'text', text: 'there' },
          { type: 'tool-call', id: 'c', name: 'f', arguments: '{}' },
        ],
        finish: 'tool-calls',
        rawFinish: 'completed',
        annotations: [{ url: 'https://x.test' }],
      },
    ],
    usage: { promptTokens: 1, completionTokens: 2 },
  };

  it('repeat the request’s fields and contain the items', () => {
    const request = read({
      instructions: 'Be brief.',
      max_output_tokens: 50,
      metadata: { a: 'b' },
      text: { verbosity: 'low' },
      reasoning: { effort: 'low', summary: 'auto' },
      tools: [{ type: 'function', name: 'f' }],
    });
    expect(openAiResponses.writeReply(reply, { ...context, request })).toMatchObject({
      // The upstream of a translated reply does not keep it.
      id: 'resp_x',
      object: 'response',
      status: 'completed',
      instructions: 'Be brief.',
      max_output_tokens: 50,
      metadata: { a: 'b' },
      text: { format: { type: 'text' }, verbosity: 'low' },
      reasoning: { effort: 'low', summary: 'auto' },
      tools: [{ type: 'function', name: 'f' }],
      tool_choice: 'auto',
      store: true,
      previous_response_id: null,
      output: [
        { type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAA' },
        {
          type: 'message',
          content: [{ text: 'Hello there', annotations: [{ url: 'https://x.test' }] }],
        },
        { type: 'function_call', call_id: 'c' },
      ],
      usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
    });
  });
});
