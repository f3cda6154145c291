// Covers src/core/providers/deepseek, src/core/providers/xai.
/** What vendors changed in 2026, rule by rule. All models and callers: refusals-2026.test.ts. */
import { describe, expect, it } from 'vitest';
import { errorFromBody, readFailure } from '../../../src/core/canonical/kit/failure.ts';
import { finishFromGemini } from '../../../src/core/canonical/kit/finish-reasons.ts';
import { usageFromOpenAi } from '../../../src/core/canonical/kit/usage.ts';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { anthropic } from '../../../src/core/providers/anthropic/index.ts';
import { deepseek } from '../../../src/core/providers/deepseek/index.ts';
import { writeGeminiBody } from '../../../src/core/providers/gemini/chat.ts';
import { gemini } from '../../../src/core/providers/gemini/index.ts';
import { openai } from '../../../src/core/providers/openai/index.ts';
import { xai } from '../../../src/core/providers/xai/index.ts';
import { asSent, type ChatCaller, chatFormats } from '../../contract/providers/support/as-sent.ts';
import { testCall } from '../../contract/providers/support/call.ts';

const parameters = { type: 'object', properties: {} };
const hello: readonly JsonObject[] = [{ role: 'user', content: 'Hi' }];
const grown: readonly JsonObject[] = [
  ...hello,
  { role: 'assistant', content: 'Hello' },
  { role: 'user', content: 'Go on' },
];
const look = { type: 'function', function: { name: 'look', parameters } };

/** A conversation with a tool, of one turn or of three, in a caller's words. */
function withTool(caller: ChatCaller, turns: readonly JsonObject[]): JsonObject {
  const tool = { name: 'look', input_schema: parameters };
  if (caller === 'messages') return { max_tokens: 1000, messages: [...turns], tools: [tool] };
  if (caller === 'chat') return { messages: [...turns], tools: [look] };
  return {
    contents: turns.map(({ role, content = '' }) => ({
      role: role === 'assistant' ? 'model' : 'user',
      parts: [{ text: content }],
    })),
    tools: [{ functionDeclarations: [{ name: 'look', parameters }] }],
  };
}

describe('functions of GPT-5.6 and GPT-6', () => {
  it.each([
    ...(['chat', 'messages', 'Gemini'] as const).flatMap((caller) =>
      ['gpt-5.6-luna', 'gpt-6-astra', 'gpt-6.2-sol'].map((model) => [caller, model] as const),
    ),
  ])('go by Responses for %s callers of %s, with a key for the cache', (caller, model) => {
    const sent = asSent(openai, caller, model, withTool(caller, hello));
    expect(sent.url).toBe('https://upstream.test/v1/responses');
    expect(sent.body.tools).toMatchObject([{ type: 'function', name: 'look' }]);
    const later = asSent(openai, caller, model, withTool(caller, grown));
    expect(sent.body.prompt_cache_key).toMatch(/^[0-9a-f]{32}$/);
    expect(later.body.prompt_cache_key).toBe(sent.body.prompt_cache_key);
    const other = withTool(caller, [{ role: 'user', content: 'Another' }]);
    expect(asSent(openai, caller, model, other).body.prompt_cache_key).not.toBe(
      sent.body.prompt_cache_key,
    );
  });

  it('keep the key that the caller gave', () => {
    const given = { ...withTool('chat', hello), prompt_cache_key: 'mine' };
    expect(asSent(openai, 'chat', 'gpt-6-sol', given).body.prompt_cache_key).toBe('mine');
  });

  it('stay with chat completions where thinking is off, or the server has nothing else', () => {
    const off = { ...withTool('chat', hello), reasoning_effort: 'none' };
    expect(asSent(openai, 'chat', 'gpt-6-sol', off)).toMatchObject({ forwarded: true });
    expect(asSent(openai, 'chat', 'gpt-6-astra', off).url).toMatch(/responses$/);
    expect(asSent(openai, 'chat', 'gpt-6-sol-none', withTool('chat', hello)).url).toMatch(
      /chat\/completions$/,
    );
    const settings = { use_responses: false };
    const plain = asSent(openai, 'chat', 'gpt-6-sol', withTool('chat', hello), { settings });
    expect(plain.url).toMatch(/chat\/completions$/);
    expect(asSent(openai, 'chat', 'gpt-6-sol', { messages: [...hello] }).forwarded).toBe(true);
  });

  it('go by Responses for GPT-5.4 and 5.5 only with an effort', () => {
    for (const model of ['gpt-5.4', 'gpt-5.5']) {
      expect(asSent(openai, 'chat', model, withTool('chat', hello)).forwarded).toBe(true);
      const thinks = { ...withTool('chat', hello), reasoning_effort: 'low' };
      expect(asSent(openai, 'chat', model, thinks).url).toMatch(/responses$/);
    }
    const older = { ...withTool('chat', hello), reasoning_effort: 'low' };
    expect(asSent(openai, 'chat', 'gpt-5.2', older).forwarded).toBe(true);
  });
});

describe('efforts', () => {
  it.each([
    ['gpt-5.6-sol', 'minimal', 'low'],
    ['gpt-6-astra', 'none', 'low'],
    ['gpt-6-sol', 'max', 'max'],
    ['gpt-5', 'none', 'minimal'],
    ['gpt-5.1', 'xhigh', 'high'],
    ['gpt-9-unknown', 'minimal', 'low'],
  ])('of %s: %s becomes %s, whoever asks', (model, effort, fitted) => {
    const chat = asSent(openai, 'chat', model, { messages: [...hello], reasoning_effort: effort });
    expect(chat.body.reasoning_effort).toBe(fitted);
    const own = asSent(openai, 'Responses', model, { input: 'Hi', reasoning: { effort } });
    expect(own.body.reasoning).toEqual({ effort: fitted });
  });

  it('of Grok since 4.3 are sent, also for callers of other formats', () => {
    const body = { max_tokens: 99, messages: [...hello], output_config: { effort: 'max' } };
    expect(asSent(xai, 'messages', 'grok-4.7', body).body.reasoning_effort).toBe('xhigh');
    expect(asSent(xai, 'messages', 'grok-4.3', body).body.reasoning_effort).toBe('high');
    expect(asSent(xai, 'messages', 'grok-4.20-reasoning', body).body).not.toHaveProperty(
      'reasoning_effort',
    );
  });

  it('of Gemini 4 begin at low, and Hydrogen has more', () => {
    const levelOf = (model: string, reasoning_effort: string) => {
      const { body } = asSent(gemini, 'chat', model, { messages: [...hello], reasoning_effort });
      return body.generationConfig;
    };
    expect(levelOf('gemini-4-argon', 'minimal')).toMatchObject({
      thinkingConfig: { thinkingLevel: 'low' },
    });
    expect(levelOf('gemini-4-carbon', 'none')).toMatchObject({
      thinkingConfig: { thinkingLevel: 'low' },
    });
    expect(levelOf('gemini-4-hydrogen', 'xhigh')).toMatchObject({
      thinkingConfig: { thinkingLevel: 'xhigh' },
    });
  });
});

describe('limits of output', () => {
  it('of Gemini 4 are a million tokens, of GPT-6 128,000', () => {
    const body = { max_tokens: 200_000, messages: [...hello] };
    expect(asSent(gemini, 'messages', 'gemini-4-argon', body).body).toMatchObject({
      generationConfig: { maxOutputTokens: 200_000 },
    });
    for (const model of ['gpt-6-sol', 'gpt-5.5'])
      expect(asSent(openai, 'messages', model, body).body.max_completion_tokens).toBe(128_000);
  });

  it('that end a long answer of Gemini 4 are no filter', () => {
    expect(finishFromGemini('CONTINUATION')).toBe('length');
  });
});

describe('what Claude refuses since 4.6 and 5.5', () => {
  const forced = { ...withTool('chat', hello), tool_choice: look };

  it.each(['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-fable-5-1'])(
    '%s is asked in words to call a tool',
    (model) => {
      const { body } = asSent(anthropic, 'chat', model, forced);
      expect(body.tool_choice).toEqual({ type: 'auto' });
      expect(JSON.stringify(body.messages)).toContain('Answer by calling the tool `look`.');
      const own = asSent(anthropic, 'messages', model, {
        ...withTool('messages', hello),
        tool_choice: { type: 'any', disable_parallel_tool_use: true },
      });
      expect(own.forwarded).toBe(true);
      expect(own.body.tool_choice).toEqual({ type: 'auto', disable_parallel_tool_use: true });
      expect(JSON.stringify(own.body.messages)).toContain('Answer by calling one of your tools.');
    },
  );

  it('Haiku 5.5 and older models are still forced', () => {
    for (const model of ['claude-haiku-5-5', 'claude-opus-5', 'claude-sonnet-4-6']) {
      const { body } = asSent(anthropic, 'chat', model, forced);
      expect(body.tool_choice).toEqual({ type: 'tool', name: 'look' });
      expect(JSON.stringify(body.messages)).not.toContain('Answer by');
    }
  });

  it('an answer that is to go on is followed by a request to do so', () => {
    const messages = [...hello, { role: 'assistant', content: 'Once upon' }];
    const { body } = asSent(anthropic, 'chat', 'claude-opus-4-6', { messages });
    expect(body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ text: 'Once upon' }] },
      { role: 'user', content: [{ text: expect.stringContaining('Continue your last message') }] },
    ]);
    const older = asSent(anthropic, 'chat', 'claude-opus-4-5', { messages });
    expect(older.body.messages).toHaveLength(2);
  });

  it.each([
    ['claude-sonnet-5-5', { thinking: { type: 'between_tools' } }],
    ['claude-opus-5-5', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
    ['claude-haiku-5-5', { thinking: { type: 'disabled' } }],
  ])('thinking of %s is switched off as far as it goes', (model, least) => {
    const chat = { messages: [...hello], reasoning_effort: 'none' };
    expect(asSent(anthropic, 'chat', model, chat).body).toMatchObject(least);
    const own = { max_tokens: 99, messages: [...hello], thinking: { type: 'disabled' } };
    expect(asSent(anthropic, 'messages', model, own).body).toMatchObject(least);
  });

  it('sampling fields and budgets of messages callers go', () => {
    const given = {
      max_tokens: 9000,
      messages: [...hello],
      temperature: 0.5,
      top_k: 5,
      thinking: { type: 'enabled', budget_tokens: 4000 },
    };
    const { body } = asSent(anthropic, 'messages', 'claude-opus-5-5', given);
    expect(body).not.toHaveProperty('temperature');
    expect(body).not.toHaveProperty('top_k');
    expect(body.thinking).toEqual({ type: 'adaptive' });
    const older = asSent(anthropic, 'messages', 'claude-sonnet-4-6', given);
    expect(older.body).toMatchObject(given);
  });
});

describe('DeepSeek V4', () => {
  it('gets thinking back on each turn, an empty one where the caller has none', () => {
    const { body, forwarded } = asSent(deepseek, 'chat', 'deepseek-v4-pro', {
      messages: [...grown],
    });
    expect(forwarded).toBe(true);
    expect(body.messages).toMatchObject([{}, { reasoning_content: '' }, {}]);
    const older = asSent(deepseek, 'chat', 'deepseek-v3.2', { messages: [...grown] });
    expect(older.body.messages).toEqual(grown);
  });

  it('gets the unsigned thinking of Gemini callers', () => {
    const { body } = asSent(deepseek, 'Gemini', 'deepseek-v4-pro', {
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ text: 'Hm.', thought: true }, { text: 'Hello' }] },
        { role: 'user', parts: [{ text: 'Go on' }] },
      ],
    });
    expect(body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'Hello', reasoning_content: 'Hm.' },
      { role: 'user' },
    ]);
  });

  it.each([
    ['none', { thinking: { type: 'disabled' } }],
    ['minimal', { reasoning_effort: 'low' }],
    ['max', { reasoning_effort: 'max' }],
  ])('is asked for effort %s in its own words', (reasoning_effort, written) => {
    const given = { messages: [...hello], reasoning_effort };
    const { body } = asSent(deepseek, 'chat', 'deepseek-v4-flash', given);
    expect(body).toMatchObject(written);
    expect(body.reasoning_effort).not.toBe('none');
  });
});

describe('penalties', () => {
  it('of Gemini 2.5 go at the Gemini API, and stay at Vertex and from 3 on', () => {
    const body = { messages: [...hello], presence_penalty: 0.5 };
    const sent = (model: string) =>
      JSON.stringify(asSent(gemini, 'chat', model, body).body).includes('presencePenalty');
    expect([sent('gemini-2.5-flash'), sent('gemini-3-flash-preview')]).toEqual([false, true]);
    const request = chatFormats.chat.readRequest({ ...body, model: 'm' });
    const atVertex = writeGeminiBody(request, testCall({ model: 'gemini-2.5-flash' })).body;
    expect(JSON.stringify(atVertex)).toContain('presencePenalty');
  });
});

describe('what replies say', () => {
  it.each([
    'contract_spend_limit_reached',
    'enforced_spend_limit_reached',
    'organization_on_hold',
    'linked_organization_billing_unavailable',
    'linked_organization_spend_limit_reached',
  ])('%s is a fault of the account', (error_code) => {
    const body = { type: 'error', error: { type: 'permission_error', message: 'm', error_code } };
    const failure = { status: 403, headers: {}, text: '', body };
    expect(readFailure(failure)).toMatchObject({ code: error_code, accountFault: true });
    expect(errorFromBody(body)).toMatchObject({ code: error_code, accountFault: true });
  });

  it('a limit of growth is none', () => {
    const error = { type: 'rate_limit_error', message: 'm', error_code: 'ramp_limit_exceeded' };
    const failure = { status: 429, headers: {}, text: '', body: { error } };
    expect(readFailure(failure)).toMatchObject({ code: 'ramp_limit_exceeded' });
    expect(readFailure(failure)).not.toHaveProperty('accountFault');
  });

  it('Qwen reports what it wrote into an explicit cache', () => {
    const details = { cached_tokens: 0, cache_creation_input_tokens: 900 };
    const usage = { prompt_tokens: 1000, completion_tokens: 5, prompt_tokens_details: details };
    expect(usageFromOpenAi(usage)).toMatchObject({ promptTokens: 1000, cacheWriteTokens: 900 });
  });
});
