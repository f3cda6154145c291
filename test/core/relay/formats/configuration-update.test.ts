/**
 * `configuration_update` items change effort and format from there on, also for models whose format
 * has no such items (docs/rules/formats.md#configuration-updates).
 */
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/kernel/json.ts';
import { anthropic } from '../../../../src/core/providers/anthropic/index.ts';
import { gemini } from '../../../../src/core/providers/gemini/index.ts';
import { openai } from '../../../../src/core/providers/openai/index.ts';
import { asSent } from '../../../contract/providers/support/as-sent.ts';

const type = 'configuration_update';
const schema = { type: 'object', properties: {}, additionalProperties: false };
const format = { type: 'json_schema', name: 'at', schema };
const user = (content: string) => ({ role: 'user', content });
const body: JsonObject = {
  reasoning: { effort: 'low', summary: 'auto' },
  input: [
    user('Hi'),
    { type, reasoning: { effort: 'high' }, text: { format } },
    user('And now?'),
    { type, reasoning: { effort: 'medium' } },
    user('Now.'),
  ],
};
const chatOnly = { settings: { use_responses: false } };

it.each([false, true])('the last update counts for each setting, streamed %s', (stream) => {
  const given = { ...body, ...(stream ? { stream } : {}) };
  expect(asSent(anthropic, 'Responses', 'claude-opus-5-5', given).body).toMatchObject({
    output_config: { effort: 'medium', format: { type: 'json_schema' } },
    messages: [{ role: 'user' }],
  });
  expect(asSent(gemini, 'Responses', 'gemini-4-argon', given).body).toMatchObject({
    generationConfig: {
      thinkingConfig: { thinkingLevel: 'medium' },
      responseMimeType: 'application/json',
    },
  });
  expect(asSent(openai, 'Responses', 'gpt-6-sol', given, chatOnly).body).toMatchObject({
    reasoning_effort: 'medium',
    response_format: { type: 'json_schema', json_schema: { name: 'at' } },
  });
});

it('text is plain again where an update says so, and updates alone change nothing else', () => {
  const plain = { type, text: { format: { type: 'text' } } };
  const given = { input: [user('Hi'), { type, text: { format } }, plain, user('Now.')] };
  const { body: sent } = asSent(openai, 'Responses', 'gpt-6-sol', given, chatOnly);
  expect(sent.response_format).toEqual({ type: 'text' });
  expect(sent).not.toHaveProperty('reasoning_effort');
});

it('bodies that OpenAI reads itself keep the items', () => {
  const { body: sent, forwarded } = asSent(openai, 'Responses', 'gpt-6-sol', body);
  expect(forwarded).toBe(true);
  expect(sent.input).toEqual(body.input);
});
