// Covers src/core/providers/mistral.
/**
 * This year's models in the callers' formats: no request that a customer's client sends every day
 * is refused by the vendor (support/vendors-of-2026.ts).
 */
import { describe, expect, it } from 'vitest';
import type { Provider } from '../../../src/core/canonical/provider.ts';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { ali } from '../../../src/core/providers/ali/index.ts';
import { anthropic } from '../../../src/core/providers/anthropic/index.ts';
import { deepseek } from '../../../src/core/providers/deepseek/index.ts';
import { gemini } from '../../../src/core/providers/gemini/index.ts';
import { minimax } from '../../../src/core/providers/minimax/index.ts';
import { mistral } from '../../../src/core/providers/mistral/index.ts';
import { moonshot } from '../../../src/core/providers/moonshot/index.ts';
import { openai } from '../../../src/core/providers/openai/index.ts';
import { tencent } from '../../../src/core/providers/tencent/index.ts';
import { volcengine } from '../../../src/core/providers/volcengine/index.ts';
import { xai } from '../../../src/core/providers/xai/index.ts';
import { zhipu4v } from '../../../src/core/providers/zhipu/v4.ts';
import { asSent, type ChatCaller } from './support/as-sent.ts';
import { refusalOf } from './support/vendors-of-2026.ts';

/** The last of each family is one that nobody has seen. */
const models: readonly (readonly [provider: Provider, names: readonly string[]])[] = [
  [
    openai,
    [
      ...['gpt-5.4', 'gpt-5.5', 'gpt-5.6-sol', 'gpt-5.6-luna', 'gpt-6-astra', 'gpt-6-sol'],
      ...['gpt-6-luna', 'gpt-6.1-sol', 'gpt-6.1-terra', 'gpt-6.2-sol'],
    ],
  ],
  [
    anthropic,
    [
      ...['claude-opus-4-8', 'claude-sonnet-5', 'claude-opus-5', 'claude-fable-5'],
      ...['claude-fable-5-1', 'claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5'],
      'claude-mythos-5-2',
    ],
  ],
  [
    gemini,
    [
      'gemini-3.1-pro-preview',
      'gemini-3.8-flash',
      'gemini-4-argon',
      'gemini-4-hydrogen',
      'gemini-4-carbon',
    ],
  ],
  [xai, ['grok-4.3', 'grok-4.5', 'grok-4.7', 'grok-4.20-reasoning', 'grok-4.8']],
  [deepseek, ['deepseek-v4-pro', 'deepseek-v4-flash', 'deepseek-flash']],
  [moonshot, ['kimi-k3', 'kimi-k3.1-pro', 'kimi-k2.6']],
  [mistral, ['mistral-large-4', 'mistral-medium-3.5', 'mistral-small-2603']],
  [zhipu4v, ['glm-5.3', 'glm-5.3-flash', 'glm-5.2', 'glm-5.4']],
  [ali, ['qwen3.8-max', 'qwen3.8-flash', 'qwen3.9-max']],
  [minimax, ['MiniMax-M3', 'MiniMax-M2.5']],
  [volcengine, ['doubao-seed-2-1-pro-260915', 'doubao-seed-2-2-lite']],
  [tencent, ['hy4']],
];

const parameters = { type: 'object', properties: {} };
const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** The same wish in each caller's words. */
interface Wish {
  readonly name: string;
  readonly of: Readonly<Record<ChatCaller, JsonObject>>;
}

const sampling: Wish = {
  name: 'sampling',
  of: {
    chat: { temperature: 0.5, max_tokens: 100 },
    messages: { temperature: 0.5, top_k: 5 },
    Gemini: { generationConfig: { temperature: 0.5, topK: 5, maxOutputTokens: 100 } },
    Responses: { temperature: 0.5 },
  },
};
const tools: Wish = {
  name: 'tools',
  of: {
    chat: { tools: [{ type: 'function', function: { name: 'look', parameters } }] },
    messages: { tools: [{ name: 'look', input_schema: parameters }] },
    Gemini: { tools: [{ functionDeclarations: [{ name: 'look', parameters }] }] },
    Responses: { tools: [{ type: 'function', name: 'look', parameters, strict: false }] },
  },
};
const forced: Wish = {
  name: 'a forced tool',
  of: {
    chat: { ...tools.of.chat, tool_choice: 'required' },
    messages: { ...tools.of.messages, tool_choice: { type: 'tool', name: 'look' } },
    Gemini: { ...tools.of.Gemini, toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
    Responses: { ...tools.of.Responses, tool_choice: 'required' },
  },
};
const longOutput: Wish = {
  name: '200,000 tokens of output',
  of: {
    chat: {},
    messages: { max_tokens: 200_000 },
    Gemini: { generationConfig: { maxOutputTokens: 200_000 } },
    Responses: {},
  },
};
const thinking = (effort: (typeof efforts)[number]): Wish => ({
  name: `effort ${effort}`,
  of: {
    chat: { reasoning_effort: effort },
    messages:
      effort === 'none'
        ? { thinking: { type: 'disabled' } }
        : { thinking: { type: 'adaptive' }, output_config: { effort } },
    Gemini:
      effort === 'none'
        ? { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }
        : { generationConfig: { thinkingConfig: { thinkingLevel: effort } } },
    Responses: { reasoning: { effort } },
  },
});
const budget: Wish = {
  name: 'a budget of thinking',
  of: {
    chat: {},
    messages: { thinking: { type: 'enabled', budget_tokens: 4000 } },
    Gemini: { generationConfig: { thinkingConfig: { thinkingBudget: 4000 } } },
    Responses: {},
  },
};
const withTools = (wish: Wish): Wish => ({
  name: `${wish.name}, with tools`,
  of: {
    chat: { ...wish.of.chat, ...tools.of.chat },
    messages: { ...wish.of.messages, ...tools.of.messages },
    Gemini: { ...wish.of.Gemini, ...tools.of.Gemini },
    Responses: { ...wish.of.Responses, ...tools.of.Responses },
  },
});

const wishes: readonly Wish[] = [
  sampling,
  tools,
  forced,
  longOutput,
  budget,
  ...efforts.map(thinking),
  ...efforts.map((effort) => withTools(thinking(effort))),
];

const question: Readonly<Record<ChatCaller, JsonObject>> = {
  chat: { messages: [{ role: 'user', content: 'Hi' }] },
  messages: { max_tokens: 1000, messages: [{ role: 'user', content: 'Hi' }] },
  Gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  Responses: { input: 'Hi' },
};
const callers = Object.keys(question) as ChatCaller[];

for (const [provider, names] of models) {
  describe.each(names)(`${provider.slug} serves %s`, (model) => {
    for (const caller of callers) {
      for (const stream of [false, true]) {
        it(`to ${caller} callers${stream ? ', streamed' : ''}`, () => {
          const refused = wishes.flatMap((wish) => {
            const body = { ...question[caller], ...wish.of[caller] };
            const sent = asSent(provider, caller, model, stream ? { ...body, stream } : body);
            // Callers of this very wire hear of such numbers and levels from the vendor itself.
            if (sent.forwarded && (wish === longOutput || provider === gemini)) return [];
            const refusal = refusalOf(provider.slug, model, sent);
            return refusal === undefined ? [] : [`${wish.name}: ${refusal}`];
          });
          expect(refused).toEqual([]);
        });
      }
    }
  });
}
