/** An upstream with OpenAI's chat completions and a thinking model. */
import { type Loose, recordOf, recordsOf, textOf } from '../../src/core/canonical/kit/read-json.ts';
import type { Turn } from './script.ts';
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
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'stop',
  'seed',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'reasoning_effort',
  'verbosity',
  'store',
  'metadata',
  'n',
  'service_tier',
];
const knownInMessage = ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'refusal'];
const knownInCall = ['id', 'type', 'function'];

function textOfContent(content: unknown): string {
  return typeof content === 'string'
    ? content
    : recordsOf(content)
        .map((part) => textOf(part['text']) ?? '')
        .join('');
}

/** The results of a message's tool calls, from the tool messages directly after it. */
function resultsAfter(
  messages: readonly Loose[],
  index: number,
  { expect }: FaultCollector,
): string[] {
  const calls = recordsOf(messages[index]?.['tool_calls']);
  const answers = messages.slice(index + 1, index + 1 + calls.length);
  return calls.map((call) => {
    const answer = answers.find(
      (message) => message['role'] === 'tool' && message['tool_call_id'] === call['id'],
    );
    expect(
      answer !== undefined,
      `the call ${String(call['id'])} is not followed by its tool message`,
    );
    return textOfContent(answer?.['content']);
  });
}

function checkModelRules(body: Loose, { expect }: FaultCollector): void {
  expect(body['max_tokens'] === undefined, 'max_tokens for a model that thinks');
  expect(body['top_k'] === undefined, 'top_k');
  expect(
    [undefined, 1].includes(body['temperature'] as number | undefined),
    'a temperature for a model that thinks',
  );
}

function usageOf({ fresh, cached, output, reasoning }: Turn['tokens']): Loose {
  const prompt_tokens = fresh + cached;
  return {
    prompt_tokens,
    completion_tokens: output,
    total_tokens: prompt_tokens + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

/**
 * Interleaved fragments of the arguments: the format allows a call to begin before the previous one
 * is complete.
 */
function callDeltas(calls: Turn['calls']): Loose[] {
  const starts = calls.map(({ id, tool }, index) => ({
    tool_calls: [{ index, id, type: 'function', function: { name: tool, arguments: '' } }],
  }));
  const fragments = calls.map(({ input }) => inThreeParts(JSON.stringify(argumentsOf(input))));
  const rounds = [0, 1, 2].flatMap((round) =>
    fragments.map((own, index) => ({
      tool_calls: [{ index, function: { arguments: own[round] ?? '' } }],
    })),
  );
  return [...starts, ...rounds];
}

export const chatWire: Wire = {
  type: 'openai',
  setting: { use_responses: false },
  model: 'gpt-5.4',
  reportsCacheWrites: false,
  hasSignatures: false,
  serves: (path) => path === '/v1/chat/completions',
  read: ({ json: body, headers }, native) => {
    const noted = complaints();
    const { expect } = noted;
    expect(
      upstreamKeys.some((key) => headers.authorization === `Bearer ${key}`),
      'the key is not the channel’s',
    );
    const messages = recordsOf(body['messages']);
    if (!native) {
      noted.only(body, known, 'the body');
      for (const message of messages) {
        noted.only(message, knownInMessage, `a ${String(message['role'])} message`);
        for (const call of recordsOf(message['tool_calls']))
          noted.only(call, knownInCall, 'a call');
      }
    }
    checkModelRules(body, noted);
    const tools = recordsOf(body['tools']).map((tool) => {
      expect(tool['type'] === 'function', `a tool of type ${String(tool['type'])}`);
      return textOf(recordOf(tool['function'])?.['name']) ?? '';
    });
    for (const name of tools)
      expect(/^[a-zA-Z0-9_-]{1,64}$/.test(name), `${name} is no name for a tool`);
    if (body['stream'] === true)
      expect(
        recordOf(body['stream_options'])?.['include_usage'] === true,
        'usage is not asked for',
      );
    const results = messages.flatMap((_, index) => resultsAfter(messages, index, noted));
    return { tools, parallel: body['parallel_tool_calls'] !== false, results, faults: noted.all };
  },
  writeWhole: ({ thinking, text, calls, tokens }, { json }) => {
    const tool_calls = calls.map(({ id, tool, input }) => ({
      id,
      type: 'function',
      function: { name: tool, arguments: JSON.stringify(argumentsOf(input)) },
    }));
    const message = {
      role: 'assistant',
      content: text === '' ? null : text,
      refusal: null,
      ...(thinking === undefined ? {} : { reasoning_content: thinking }),
      ...(calls.length === 0 ? {} : { tool_calls }),
    };
    const choices = [
      {
        index: 0,
        message,
        logprobs: null,
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ];
    const head = {
      id: 'chatcmpl-agents',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: json['model'],
    };
    return { ...head, choices, usage: usageOf(tokens) };
  },
  write: ({ thinking, text, calls, tokens }, { json }) => {
    const chunk = (choices: readonly Loose[], more: Loose = {}): Loose => ({
      id: 'chatcmpl-agents',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: json['model'],
      choices,
      ...more,
    });
    const deltas: Loose[] = [
      { role: 'assistant', content: '' },
      ...inThreeParts(thinking ?? '').map((reasoning_content) => ({ reasoning_content })),
      ...inThreeParts(text).map((content) => ({ content })),
      ...callDeltas(calls),
    ];
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
    const chunks = deltas.map((delta) => chunk([{ index: 0, delta, finish_reason: null }]));
    const last = [
      chunk([{ index: 0, delta: {}, finish_reason }]),
      chunk([], { usage: usageOf(tokens) }),
    ];
    return `${events([...chunks, ...last], false)}data: [DONE]\n\n`;
  },
};
