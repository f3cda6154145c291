import { expect, it } from 'vitest';
import type { StreamDecoder } from '../../../src/core/canonical/pass-through.ts';
import type { Provider } from '../../../src/core/canonical/provider.ts';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { anthropic } from '../../../src/core/providers/anthropic/index.ts';
import { gemini } from '../../../src/core/providers/gemini/index.ts';
import { openai } from '../../../src/core/providers/openai/index.ts';
import { ResponsesStreamDecoder } from '../../../src/core/providers/openai-responses/decode-stream.ts';
import { geminiGenerate } from '../../../src/core/relay/formats/gemini-generate/index.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';

/**
 * More than a call takes arguments, and so many that what is done for each pair of them takes
 * minutes.
 */
const many = 130_000;
const timeout = 60_000;

function list(write: (index: number) => JsonObject): JsonObject[] {
  return Array.from({ length: many }, (_, index) => write(index));
}

const call = (index: number) => ({
  id: `c${index}`,
  type: 'function',
  function: { name: 'f', arguments: '{}' },
});
const result = (index: number) => ({ role: 'tool', tool_call_id: `c${index}`, content: 'r' });
const asked = { role: 'user', content: 'a' };

const talks: readonly (readonly [string, readonly JsonObject[]])[] = [
  ['parts', [{ role: 'user', content: list(() => ({ type: 'text', text: 'a' })) }]],
  ['calls and results', [asked, { role: 'assistant', tool_calls: list(call) }, ...list(result)]],
  ['calls without results', [asked, { role: 'assistant', tool_calls: list(call) }, asked]],
];

const targets: readonly (readonly [string, Provider, string])[] = [
  ['OpenAI', openai as Provider, 'gpt-4o'],
  ['Claude', anthropic, 'claude-opus-4-6'],
  ['Gemini', gemini, 'gemini-3-pro-preview'],
];

const cases = targets.flatMap(([name, provider, model]) =>
  talks.map(([what, messages]) => ({ what, name, provider, model, messages })),
);

it.each(cases)(
  'writes very many $what for $name',
  ({ provider, model, messages }) => {
    const body = provider.operations.chat?.encode(
      openAiChat.readRequest({ model, messages }),
      testCall({ model }),
    ).body;
    expect(body).toBeDefined();
  },
  timeout,
);

it(
  'reads very many calls and results of Gemini’s callers, in any order',
  () => {
    const contents = [
      {
        role: 'model',
        parts: list((index) => ({ functionCall: { id: `c${index}`, name: 'f', args: {} } })),
      },
      {
        role: 'user',
        parts: list((index) => ({
          functionResponse: { id: `c${many - 1 - index}`, name: 'f', response: {} },
        })),
      },
    ];
    const { messages } = geminiGenerate.readRequest({ contents }, { model: 'm', stream: false });
    expect(messages).toHaveLength(many + 1);
    expect(messages[1]).toMatchObject({ role: 'tool', callId: `c${many - 1}` });
  },
  timeout,
);

it(
  'reads very many calls of a stream',
  () => {
    const read = (decoder: StreamDecoder, write: (index: number) => JsonObject): number => {
      let parts = 0;
      for (let index = 0; index < many; index++)
        parts += decoder.push({ event: '', data: JSON.stringify(write(index)) }).length;
      return parts;
    };
    const chunk = (index: number) => ({
      choices: [{ delta: { tool_calls: [{ ...call(index), index }] } }],
    });
    const decoder = (openai as Provider).operations.chat?.createStreamDecoder?.(testCall());
    expect(decoder && read(decoder, chunk)).toBe(many + 1);
    const added = (index: number) => {
      const item = { type: 'function_call', id: `fc${index}`, call_id: `c${index}`, name: 'f' };
      return { type: 'response.output_item.added', item };
    };
    expect(read(new ResponsesStreamDecoder(), added)).toBe(many);
  },
  timeout,
);
