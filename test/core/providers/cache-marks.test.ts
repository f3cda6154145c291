/**
 * Marks for the prompt cache between vendors: OpenAI's `prompt_cache_breakpoint` and Anthropic's
 * `cache_control` (docs/rules/formats.md#cache-marks).
 */
import { describe, expect, it } from 'vitest';
import { conversationKey } from '../../../src/core/canonical/kit/conversation-key.ts';
import type { JsonObject, JsonValue } from '../../../src/core/kernel/json.ts';
import { anthropic } from '../../../src/core/providers/anthropic/index.ts';
import { openai } from '../../../src/core/providers/openai/index.ts';
import { asSent, chatFormats } from '../../contract/providers/support/as-sent.ts';

const ephemeral = { type: 'ephemeral' };
const hour = { type: 'ephemeral', ttl: '1h' };
const explicit = { mode: 'explicit' };
const long = { mode: 'explicit', ttl: '12h' };
const parameters = { type: 'object', properties: {} };

/** An agent's request with marks on instructions, an image, a result and a question. */
const marked: JsonObject = {
  max_tokens: 1000,
  system: [{ type: 'text', text: 'Rules.', cache_control: hour }],
  tools: [{ name: 'look', input_schema: parameters, cache_control: hour }],
  messages: [
    {
      role: 'user',
      content: [
        {
          type: 'image',
          source: { type: 'url', url: 'https://x.test/a.png' },
          cache_control: ephemeral,
        },
        { type: 'text', text: 'What is it?' },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'look', input: {} }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'call_1',
          content: [{ type: 'text', text: 'A cat.' }],
          cache_control: ephemeral,
        },
        { type: 'text', text: 'Sure?', cache_control: ephemeral },
      ],
    },
  ],
};

describe.each([false, true])('marks of messages callers, streamed %s', (stream) => {
  const given = { ...marked, ...(stream ? { stream } : {}) };

  it('reach Responses where GPT-5.6 and later have a place for them', () => {
    const { url, body } = asSent(openai, 'messages', 'gpt-6-sol', given);
    expect(url).toMatch(/responses$/);
    expect(body).not.toHaveProperty('instructions');
    expect(body.input).toEqual([
      {
        role: 'developer',
        content: [{ type: 'input_text', text: 'Rules.', prompt_cache_breakpoint: long }],
      },
      {
        role: 'user',
        content: [
          {
            type: 'input_image',
            image_url: 'https://x.test/a.png',
            prompt_cache_breakpoint: explicit,
          },
          { type: 'input_text', text: 'What is it?' },
        ],
      },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [{ type: 'input_text', text: 'A cat.', prompt_cache_breakpoint: explicit }],
      },
      {
        role: 'user',
        content: [{ type: 'input_text', text: 'Sure?', prompt_cache_breakpoint: explicit }],
      },
    ]);
  });

  it('reach chat completions', () => {
    const settings = { use_responses: false };
    const { url, body } = asSent(openai, 'messages', 'gpt-6-sol', given, { settings });
    expect(url).toMatch(/chat\/completions$/);
    expect(body.messages).toMatchObject([
      { content: [{ type: 'text', text: 'Rules.', prompt_cache_breakpoint: long }] },
      { content: [{ type: 'image_url', prompt_cache_breakpoint: explicit }, { type: 'text' }] },
      { role: 'assistant' },
      {
        role: 'tool',
        content: [{ type: 'text', text: 'A cat.', prompt_cache_breakpoint: explicit }],
      },
      { content: [{ type: 'text', text: 'Sure?', prompt_cache_breakpoint: explicit }] },
    ]);
  });

  it.each(['gpt-5.5', 'gpt-4o', 'llama-4'])('do not reach %s, which knows none', (model) => {
    for (const use_responses of [true, false]) {
      const { body } = asSent(openai, 'messages', model, given, { settings: { use_responses } });
      expect(JSON.stringify(body)).not.toMatch(/cache_breakpoint|cache_control/);
    }
  });
});

/** The same conversation in OpenAI's two formats, each part with the mark given for it. */
function breakpoints(
  caller: 'chat' | 'Responses',
  marks: readonly (JsonValue | null)[],
): JsonObject {
  const asChat = caller === 'chat';
  const items = marks.map((mark, index) => ({
    role: index === 0 ? 'system' : 'user',
    content: [
      {
        type: asChat ? 'text' : 'input_text',
        text: `Part ${index}`,
        ...(mark === null ? {} : { prompt_cache_breakpoint: mark }),
      },
    ],
  }));
  return asChat ? { messages: items } : { input: items };
}

function claudeMarks(body: JsonObject): unknown[] {
  const { system, messages } = body as {
    system?: { cache_control?: unknown }[];
    messages: { content: { cache_control?: unknown }[] }[];
  };
  return [...(system ?? []), ...messages.flatMap(({ content }) => content)].map(
    (block) => block.cache_control,
  );
}

describe.each(['chat', 'Responses'] as const)('breakpoints of %s callers', (caller) => {
  it('are marks of Claude, of the usual life or the longer one', () => {
    const given = breakpoints(caller, [long, null, { ...explicit, ttl: '30m' }, explicit]);
    const { body } = asSent(anthropic, caller, 'claude-opus-5-5', given);
    const usual = { type: 'ephemeral', ttl: '5m' };
    expect(claudeMarks(body)).toEqual([hour, undefined, usual, ephemeral]);
  });

  it('have the life of the request where they name none', () => {
    const given = {
      ...breakpoints(caller, [explicit, explicit]),
      prompt_cache_options: { ttl: '12h' },
    };
    const { body } = asSent(anthropic, caller, 'claude-opus-5-5', given);
    expect(claudeMarks(body)).toEqual([hour, hour]);
  });

  it('are the last four, and none lives longer than one before it', () => {
    const given = breakpoints(caller, [explicit, explicit, explicit, long, explicit, explicit]);
    const { body } = asSent(anthropic, caller, 'claude-opus-5-5', given);
    expect(claudeMarks(body)).toEqual([undefined, undefined, hour, hour, ephemeral, ephemeral]);
  });

  it('of another mode are none', () => {
    const given = breakpoints(caller, [{ mode: 'implicit' }, null]);
    const { body } = asSent(anthropic, caller, 'claude-opus-5-5', given);
    expect(claudeMarks(body)).toEqual([undefined, undefined]);
  });
});

describe('what else is said of the cache', () => {
  const options = { mode: 'explicit', ttl: '12h' };

  it('goes from chat to Responses, and back as far as chat knows it', () => {
    const chat = {
      messages: [{ role: 'user', content: 'Hi' }],
      prompt_cache_options: options,
      tools: [{ type: 'function', function: { name: 'look', parameters } }],
    };
    expect(asSent(openai, 'chat', 'gpt-6-sol', chat).body).toMatchObject({
      prompt_cache_options: options,
    });
    const own = { input: 'Hi', prompt_cache_options: options, prompt_cache_key: 'mine' };
    const settings = { use_responses: false };
    const { body } = asSent(openai, 'Responses', 'gpt-6-sol', own, { settings });
    expect(body).toMatchObject({
      prompt_cache_key: 'mine',
      prompt_cache_options: { mode: 'explicit' },
    });
    expect(body.prompt_cache_options).not.toHaveProperty('ttl');
  });

  it('does not change the key of a conversation while marks move on', () => {
    const keyOf = (first: JsonObject) =>
      conversationKey(
        chatFormats.messages.readRequest(
          { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: [first] }] },
          { model: 'm', stream: false },
        ),
      );
    const text = { type: 'text', text: 'Hi' };
    expect(keyOf({ ...text, cache_control: hour })).toBe(keyOf(text));
  });
});
