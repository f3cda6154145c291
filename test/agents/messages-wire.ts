/** An upstream with Anthropic's messages. */
import {
  type Loose,
  listOf,
  recordOf,
  recordsOf,
  textOf,
} from '../../src/core/canonical/kit/read-json.ts';
import { signatureOf, type Turn } from './script.ts';
import {
  argumentsOf,
  complaints,
  events,
  type FaultCollector,
  inThreeParts,
  upstreamKeys,
  type Wire,
} from './wire.ts';

const known = [
  'model',
  'messages',
  'system',
  'max_tokens',
  'stream',
  'tools',
  'tool_choice',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'metadata',
  'thinking',
  'output_config',
  'service_tier',
  'cache_control',
];

function blocksOf(message: Loose | undefined): readonly Loose[] {
  const content = message?.['content'];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : recordsOf(content);
}

function textOfResult(block: Loose): string {
  const content = block['content'];
  return typeof content === 'string'
    ? content
    : recordsOf(content)
        .map((part) => textOf(part['text']) ?? '')
        .join('');
}

const ofType = (blocks: readonly Loose[], type: string) =>
  blocks.filter((block) => block['type'] === type);

/** The results of a turn's calls, all of which must be in the next message. */
function resultsAfter(
  calls: readonly Loose[],
  next: Loose | undefined,
  { expect }: FaultCollector,
): string[] {
  const results = ofType(blocksOf(next), 'tool_result');
  expect(
    results.length === calls.length,
    `${calls.length} calls are followed by ${results.length} results`,
  );
  return calls.map((call) => {
    const result = results.find((one) => one['tool_use_id'] === call['id']);
    expect(result !== undefined, `the call ${String(call['id'])} has no result`);
    return result === undefined ? '' : textOfResult(result);
  });
}

function checkThinking(messages: readonly Loose[], body: Loose, { expect }: FaultCollector): void {
  const proofs = [1, 2, 3, 4].map(signatureOf);
  const thoughts = messages.flatMap((message) => ofType(blocksOf(message), 'thinking'));
  for (const { signature } of thoughts)
    expect(
      proofs.includes(textOf(signature) ?? ''),
      `the signature ${String(signature)} is not ours`,
    );
  const thinking = recordOf(body['thinking']);
  if (thinking?.['type'] !== 'enabled') return;
  expect(
    Number(thinking['budget_tokens']) < Number(body['max_tokens']),
    'budget_tokens is not below max_tokens',
  );
  expect(
    [undefined, 1].includes(body['temperature'] as number | undefined),
    'thinking with a temperature',
  );
  const last = messages.findLast((message) => message['role'] === 'assistant');
  const first = blocksOf(last)[0]?.['type'];
  expect(
    last === undefined || first === 'thinking',
    `thinking is on, but the last turn begins with ${String(first)}`,
  );
}

function usageOf({ fresh, cached, written, output }: Turn['tokens']): Loose {
  return {
    input_tokens: fresh,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
    output_tokens: output,
  };
}

function block(index: number, start: Loose, deltas: readonly Loose[]): Loose[] {
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function blocksOfTurn({ number, thinking, text, calls }: Turn): Loose[] {
  const blocks: [start: Loose, deltas: Loose[]][] = [];
  if (thinking !== undefined) {
    const thought = inThreeParts(thinking).map((piece) => ({
      type: 'thinking_delta',
      thinking: piece,
    }));
    blocks.push([
      { type: 'thinking', thinking: '', signature: '' },
      [...thought, { type: 'signature_delta', signature: signatureOf(number) }],
    ]);
  }
  if (text !== '')
    blocks.push([
      { type: 'text', text: '' },
      inThreeParts(text).map((piece) => ({ type: 'text_delta', text: piece })),
    ]);
  for (const { id, tool, input } of calls) {
    const json = inThreeParts(JSON.stringify(argumentsOf(input)));
    blocks.push([
      { type: 'tool_use', id, name: tool, input: {} },
      json.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    ]);
  }
  return blocks.flatMap(([start, deltas], index) => block(index, start, deltas));
}

export const messagesWire: Wire = {
  type: 'anthropic',
  model: 'claude-sonnet-4-6',
  reportsCacheWrites: true,
  hasSignatures: true,
  serves: (path) => path.startsWith('/v1/messages') && !path.includes('count_tokens'),
  read: ({ json: body, headers, text: raw }, native) => {
    const noted = complaints();
    const { expect } = noted;
    expect(headers['anthropic-version'] !== undefined, 'no anthropic-version');
    expect(
      upstreamKeys.some((key) => headers['x-api-key'] === key),
      'the key is not the channel’s',
    );
    expect(Number(body['max_tokens']) > 0, 'no max_tokens');
    expect(
      (raw.match(/"cache_control":\{/g) ?? []).length <= 4,
      'more than four cache breakpoints',
    );
    if (!native) noted.only(body, known, 'the body');
    const messages = recordsOf(body['messages']);
    checkThinking(messages, body, noted);
    const tools = recordsOf(body['tools']).map((tool) => textOf(tool['name']) ?? '');
    for (const name of tools)
      expect(/^[a-zA-Z0-9_-]{1,128}$/.test(name), `${name} is no name for a tool`);
    const results = messages.flatMap((message, index) => {
      const calls = ofType(blocksOf(message), 'tool_use');
      return calls.length === 0 ? [] : resultsAfter(calls, messages[index + 1], noted);
    });
    const parallel = recordOf(body['tool_choice'])?.['disable_parallel_tool_use'] !== true;
    expect(
      listOf(body['system']).length > 0 || typeof body['system'] === 'string',
      'no system prompt',
    );
    return { tools, parallel, results, faults: noted.all };
  },
  writeWhole: ({ number, thinking, text, calls, tokens }, { json }) => {
    const content = [
      ...(thinking === undefined
        ? []
        : [{ type: 'thinking', thinking, signature: signatureOf(number) }]),
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id, tool, input }) => ({
        type: 'tool_use',
        id,
        name: tool,
        input: argumentsOf(input),
      })),
    ];
    const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
    const head = { id: `msg_${number}`, type: 'message', role: 'assistant', model: json['model'] };
    return { ...head, content, stop_reason, stop_sequence: null, usage: usageOf(tokens) };
  },
  write: (turn, { json }) => {
    const usage = usageOf(turn.tokens);
    const message = {
      id: `msg_${turn.number}`,
      type: 'message',
      role: 'assistant',
      model: json['model'],
      content: [],
    };
    const started = {
      ...message,
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    };
    const stop_reason = turn.calls.length > 0 ? 'tool_use' : 'end_turn';
    const last = {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: turn.tokens.output },
    };
    return events(
      [
        { type: 'message_start', message: started },
        { type: 'ping' },
        ...blocksOfTurn(turn),
        last,
        { type: 'message_stop' },
      ],
      true,
    );
  },
};
