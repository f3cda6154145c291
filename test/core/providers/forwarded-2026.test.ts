/** What a caller of a vendor's own wire asks for and the model is known to refuse: the nearest is sent. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { anthropic } from '../../../src/core/providers/anthropic/index.ts';
import { gemini } from '../../../src/core/providers/gemini/index.ts';
import { readCallerBody } from '../../../src/core/relay/body/body-fields.ts';
import { asSent } from '../../contract/providers/support/as-sent.ts';
import { testCall } from '../../contract/providers/support/call.ts';

const hello = { role: 'user', content: 'Hi' };
const claude = (model: string, more: JsonObject): JsonObject =>
  asSent(anthropic, 'messages', model, { max_tokens: 9000, messages: [hello], ...more }).body;

describe('an answer that messages callers want to go on', () => {
  const messages = [hello, { role: 'assistant', content: 'Once upon' }];
  const goOn = { role: 'user', content: [{ text: expect.stringContaining('exactly where it') }] };

  it('is followed by a request to do so since Claude 4.6', () => {
    expect(claude('claude-opus-5-5', { messages }).messages).toMatchObject([...messages, goOn]);
    expect(claude('claude-opus-4-5', { messages }).messages).toEqual(messages);
  });

  it.each([
    ['a question at the end', [hello]],
    [
      'a call of a tool of the vendor that is to go on',
      [hello, { role: 'assistant', content: [{ type: 'server_tool_use' }, { type: 'text' }] }],
    ],
    ['a call', [hello, { role: 'assistant', content: [{ type: 'tool_use', input: {} }] }]],
  ])('%s stays as it is', (_what, given) => {
    expect(claude('claude-opus-5-5', { messages: given }).messages).toEqual(given);
  });

  it.each([
    ['a short body', 0],
    ['a long one, found without a parse', 10_000],
  ])('in %s', (_what, length) => {
    const edited = (last: JsonObject) => {
      const body = {
        model: 'claude-opus-5-5',
        max_tokens: 9,
        messages: [{ role: 'user', content: 'x'.repeat(length) }, last],
      };
      const fields = readCallerBody(Buffer.from(JSON.stringify(body)));
      const [entry] = anthropic.operations.chat?.passThrough ?? [];
      return entry?.target(fields, testCall({ model: body.model }))?.edits ?? {};
    };
    const answer = { content: [{ type: 'text', text: 'a "role": no' }], role: 'assistant' };
    expect(edited(answer).messages).toMatchObject([{}, answer, goOn]);
    expect(edited({ role: 'user', content: '"role":"assistant"' })).not.toHaveProperty('messages');
  });
});

describe('thinking that messages callers ask for', () => {
  it('adaptively is a budget by the effort before Claude 4.6, without sampling and force', () => {
    const body = claude('claude-haiku-4-5', {
      thinking: { type: 'adaptive' },
      output_config: { effort: 'low' },
      temperature: 0.5,
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
      tool_choice: { type: 'any' },
    });
    expect(body).toMatchObject({ thinking: { type: 'enabled' }, tool_choice: { type: 'auto' } });
    const { budget_tokens: budget } = body.thinking as JsonObject;
    expect(budget).toBeGreaterThanOrEqual(1024);
    expect(Number(budget)).toBeLessThan(Number(body.max_tokens));
    expect(body.temperature).toBe(1);
    expect(body).not.toHaveProperty('output_config');
  });

  it('keeps what else it says, and all of the output besides the effort', () => {
    const format = { type: 'json_schema', schema: {} };
    const display = 'omitted';
    const newer = { thinking: { type: 'enabled', budget_tokens: 2000, display } };
    expect(claude('claude-opus-5', newer).thinking).toEqual({ type: 'adaptive', display });
    const older = claude('claude-sonnet-4-5', { output_config: { effort: 'high', format } });
    expect(older.output_config).toEqual({ format });
  });

  it('between tools is the least of models that have no such way', () => {
    const thinking = { type: 'between_tools' };
    expect(claude('claude-sonnet-5-5', { thinking }).thinking).toEqual(thinking);
    expect(claude('claude-sonnet-5', { thinking }).thinking).toEqual({ type: 'disabled' });
    expect(claude('claude-opus-5-5', { thinking })).toMatchObject({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'low' },
    });
  });
});

describe('levels that Gemini callers ask for', () => {
  it.each([
    ['gemini-4-argon', 'MINIMAL', 'low'],
    ['gemini-4-argon', 'xhigh', 'high'],
    ['gemini-4-hydrogen', 'XHIGH', 'XHIGH'],
    ['gemini-5-neon', 'minimal', 'low'],
    ['gemini-3.6-flash', 'MINIMAL', 'MINIMAL'],
    ['gemini-3.6-flash', 'of my own', 'of my own'],
  ])('of %s: %s becomes %s, in the spelling of the caller', (model, given, sent) => {
    const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
    const camel = { thinkingConfig: { thinkingLevel: given, includeThoughts: true }, topK: 5 };
    expect(asSent(gemini, 'Gemini', model, { contents, generationConfig: camel }).body).toEqual({
      contents,
      generationConfig: {
        ...camel,
        thinkingConfig: { ...camel.thinkingConfig, thinkingLevel: sent },
      },
    });
    const snake = { thinking_config: { thinking_level: given } };
    expect(asSent(gemini, 'Gemini', model, { contents, generation_config: snake }).body).toEqual({
      contents,
      generation_config: { thinking_config: { thinking_level: sent } },
    });
  });
});
