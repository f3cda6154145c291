/**
 * Conversations with thinking signatures that their upstream refuses
 * (docs/rules/formats.md#refused-signatures).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { generateReply } from '../../../support/gemini-upstream.ts';
import { responsesReply } from '../../../support/responses-upstream.ts';
import {
  type Answer,
  errorReply,
  messagesReply,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

let gateway: TestGateway;
let upstream: TestUpstream;
let key: string;

const claude = 'claude-3-5-sonnet-20241022';
const gemini = 'gemini-2.0-flash';

beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  await gateway.addChannel({ type: 14, baseUrl: upstream.url, models: claude });
  await gateway.addChannel({ type: 24, baseUrl: upstream.url, models: gemini });
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'gpt-4o' });
  key = (await gateway.addCustomer(100_000_000)).key;
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
});

const ask = async (path: string, body: object) => {
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: reply.status, text: await reply.text() };
};
const refused = (message: string, code?: string) =>
  errorReply(400, { message, type: 'invalid_request_error', code });
const asked = () => upstream.requests.map(({ json }) => json);

const thinking = { type: 'thinking', thinking: 'Hm', signature: 'c2lnbmVk' };
const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} };
const result = {
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'seen' }],
};
const question = { role: 'user', content: 'Hi' };

describe('rejected signatures are left out of a second attempt', () => {
  it('by Claude, with thinking disabled between calls', async () => {
    upstream.answer(
      refused('messages.1.content.0: Invalid `signature` in `thinking` block'),
      messagesReply(),
    );
    const body = {
      model: claude,
      max_tokens: 9000,
      thinking: { type: 'enabled', budget_tokens: 4000 },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      messages: [question, { role: 'assistant', content: [thinking, call] }, result],
    };
    expect((await ask('/v1/messages', body)).status).toBe(200);
    expect(asked()[0]).toEqual(body);
    const messages = [question, { role: 'assistant', content: [call] }, result];
    expect(asked()[1]).toEqual({ model: claude, max_tokens: 9000, messages });
  });

  it('by a model behind Converse, in its format', async () => {
    upstream.answer(
      refused('User messages cannot contain reasoning content. Please remove it and try again.'),
      messagesReply(),
    );
    const said = (...thoughts: object[]) => ({
      role: 'assistant',
      content: [...thoughts, { type: 'text', text: 'Hello' }],
    });
    const body = { model: claude, max_tokens: 9 };
    expect(
      (await ask('/v1/messages', { ...body, messages: [question, said(thinking), question] }))
        .status,
    ).toBe(200);
    expect(asked()[1]).toEqual({ ...body, messages: [question, said(), question] });
  });

  it('by Claude, with thinking kept in a new turn; an empty message is removed', async () => {
    upstream.answer(
      refused('messages.1.content.0: Invalid `data` in `redacted_thinking` block'),
      messagesReply(),
    );
    const said = {
      role: 'assistant',
      content: [
        { type: 'redacted_thinking', data: 'ZGF0YQ' },
        { type: 'text', text: 'Hello' },
      ],
    };
    const only = { role: 'assistant', content: [thinking] };
    const fields = {
      model: claude,
      max_tokens: 9000,
      thinking: { type: 'enabled', budget_tokens: 4000 },
    };
    const body = { ...fields, messages: [question, said, question, only, question] };
    expect((await ask('/v1/messages', body)).status).toBe(200);
    const bare = { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] };
    expect(asked()[1]).toEqual({ ...fields, messages: [question, bare, question, question] });
  });

  it('by OpenAI, with the ids that refer to them', async () => {
    upstream.answer(
      refused(
        'The encrypted content for item rs_1 could not be verified.',
        'invalid_encrypted_content',
      ),
      responsesReply(),
    );
    const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] };
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ZW5j' };
    const made = {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'c1',
      name: 'look',
      arguments: '{}',
    };
    const output = { type: 'function_call_output', call_id: 'c1', output: 'seen' };
    const body = { model: 'gpt-4o', store: false, input: [user, reasoning, made, output] };
    expect((await ask('/v1/responses', body)).status).toBe(200);
    const { id: _, ...bare } = made;
    expect(asked()[1]).toEqual({ ...body, input: [user, bare, output] });
  });

  it.each([
    `/v1beta/models/${gemini}:generateContent`,
    `/v1beta/models/${gemini}:streamGenerateContent?alt=sse`,
  ])('by Gemini, which takes a word in their place: %s', async (path) => {
    upstream.answer(refused('Thought signature is not valid'), generateReply());
    const part = { functionCall: { name: 'look', args: {} } };
    const user = { role: 'user', parts: [{ text: 'Hi' }] };
    const answer = { role: 'user', parts: [{ functionResponse: { name: 'look', response: {} } }] };
    const parts = [
      { text: 'Ah', thoughtSignature: 'c2ln' },
      { ...part, thoughtSignature: 'c2ln' },
      part,
    ];
    expect((await ask(path, { contents: [user, { role: 'model', parts }, answer] })).status).toBe(
      200,
    );
    const marked = { ...part, thoughtSignature: 'skip_thought_signature_validator' };
    expect(asked()[1]).toMatchObject({
      contents: [user, { role: 'model', parts: [{ text: 'Ah' }, marked, marked] }, answer],
    });
  });

  it('by Gemini behind a chat', async () => {
    upstream.answer(refused('Corrupted thought signature.'), generateReply());
    const extra_content = { google: { thought_signature: 'c2ln' } };
    const made = {
      id: 'c1',
      type: 'function',
      function: { name: 'look', arguments: '{}' },
      extra_content,
    };
    const said = { role: 'assistant', content: 'Ah', extra_content, tool_calls: [made] };
    const messages = [question, said, { role: 'tool', tool_call_id: 'c1', content: 'seen' }];
    expect((await ask('/v1/chat/completions', { model: gemini, messages })).status).toBe(200);
    expect([
      JSON.stringify(asked()[0]).includes('c2ln'),
      JSON.stringify(asked()[1]).includes('c2ln'),
    ]).toEqual([true, false]);
  });
});

describe('no retry', () => {
  const proven = {
    model: claude,
    max_tokens: 9,
    messages: [question, { role: 'assistant', content: [thinking, call] }, result],
  };
  const cases: [string, Answer, object][] = [
    ['for another error', refused('max_tokens: too many'), proven],
    [
      'without thinking signatures',
      refused('Invalid `signature` in `thinking` block'),
      { ...proven, messages: [question] },
    ],
    ['for another status', errorReply(500, { message: 'signature' }), proven],
  ];
  it.each(cases)('%s', async (_name, answer, body) => {
    upstream.answer(answer);
    expect((await ask('/v1/messages', body)).status).toBeGreaterThanOrEqual(400);
    expect(asked()).toEqual([body]);
  });

  it('after a second rejection', async () => {
    upstream.answer(refused('Invalid `signature` in `thinking` block'));
    expect((await ask('/v1/messages', proven)).status).toBe(400);
    expect(asked()).toHaveLength(2);
  });

  it('where the channel passes bodies through unchanged', async () => {
    await gateway.addChannel({
      type: 14,
      baseUrl: upstream.url,
      models: 'claude-3-opus-20240229',
      setting: '{"pass_through_body_enabled":true}',
    });
    upstream.answer(refused('Invalid `signature` in `thinking` block'));
    expect((await ask('/v1/messages', { ...proven, model: 'claude-3-opus-20240229' })).status).toBe(
      400,
    );
    expect(asked()).toHaveLength(1);
  });
});

describe('signatures of the account that a conversation left', () => {
  const signed = (name: string) => [
    {
      role: 'model',
      parts: [{ functionCall: { name: 'look', args: {} }, thoughtSignature: name }],
    },
    { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'seen' } } }] },
  ];
  const beginning = { role: 'user', parts: [{ text: 'Where do I look first?' }] };

  it('are left out at once and later on, the new account’s are not', async () => {
    const two = await Promise.all([startUpstream(), startUpstream()]);
    for (const { url } of two)
      await gateway.addChannel({ type: 24, baseUrl: url, models: 'gemini-3-flash-preview' });
    await gateway.set('RetryTimes', 1);
    const turn = async (...contents: object[]) => {
      for (const { requests } of two) requests.length = 0;
      const path = '/v1beta/models/gemini-3-flash-preview:generateContent';
      const { status } = await ask(path, { contents: [beginning, ...contents] });
      expect(status).toBe(200);
      return two.map(({ requests }) => requests.map(({ text }) => text));
    };
    for (const one of two) one.answer(generateReply());
    const first = (await turn()).findIndex((texts) => texts.length === 1);
    const next = 1 - first;
    expect((await turn(...signed('b25l')))[first]?.[0]).toContain('b25l');
    two[first]?.answer(errorReply(503, { message: 'overloaded' }));
    const moved = await turn(...signed('b25l'));
    expect(moved[first]?.[0]).toContain('b25l');
    expect(moved[next]).toHaveLength(1);
    expect(moved[next]?.[0]).not.toContain('b25l');
    expect(moved[next]?.[0]).toContain('skip_thought_signature_validator');
    const later = await turn(...signed('b25l'), ...signed('dHdv'));
    expect(later[first]).toEqual([]);
    expect(later[next]?.[0]).not.toContain('b25l');
    expect(later[next]?.[0]).toContain('dHdv');
    for (const one of two) await one.close();
  });
});
