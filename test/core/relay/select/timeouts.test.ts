import { expect, test } from 'vitest';
import { attemptTimeouts, isThinking } from '../../../../src/core/relay/carry/timeouts.ts';

const limits = { firstByteTimeout: 60_000, wholeReplyTimeout: 600_000, idleTimeout: 50_000 };
const noFields = { has: () => false };

test.each([
  'o1',
  'o3-mini',
  'openai/o4-mini',
  'gpt-5.1',
  'gemini-2.5-pro',
  'deepseek-reasoner',
  'claude-opus-4-1-thinking',
  'gpt-4-pro',
  'glm-4.6',
  'qwen3-235b-a22b',
  'MiniMax-M2',
])('%s reasons before it writes output', (model) => expect(isThinking(model, noFields)).toBe(true));
test.each([
  'gpt-4o',
  'claude-3-5-sonnet-20241022',
  'gemini-2.0-flash',
  'omni',
  'deepseek-chat',
  'provider-x',
])('%s does not', (model) => expect(isThinking(model, noFields)).toBe(false));
test.each(['reasoning_effort', 'reasoning', 'thinking', 'output_config'])(
  '%s enables reasoning',
  (field) => {
    expect(isThinking('gpt-4o', { has: (name) => name === field })).toBe(true);
  },
);

test('a stream has the time for its first byte, five times of it when it thinks, never more than a whole call', () => {
  const stream = { stream: true, thinking: false };
  expect(attemptTimeouts(limits, stream)).toEqual({
    firstByteTimeout: 60_000,
    idleTimeout: 50_000,
  });
  expect(attemptTimeouts(limits, { ...stream, thinking: true })).toEqual({
    firstByteTimeout: 300_000,
    idleTimeout: 250_000,
  });
  const short = { ...limits, wholeReplyTimeout: 90_000 };
  expect(attemptTimeouts(short, { ...stream, thinking: true }).firstByteTimeout).toBe(90_000);
  expect(attemptTimeouts({ ...limits, firstByteTimeout: 0 }, stream).firstByteTimeout).toBe(0);
});

test('a plain reply has the time-out of the whole call', () => {
  const whole = attemptTimeouts(limits, { stream: false, thinking: false });
  expect([whole.firstByteTimeout, whole.totalTimeout]).toEqual([600_000, 600_000]);
});
