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
import {
  both,
  budget,
  efforts,
  forced,
  grown,
  longOutput,
  penalties,
  prefill,
  sampling,
  thinking,
  tools,
  type Wish,
} from './support/wishes-2026.ts';

/** The last of each family is one that nobody has seen. */
const models: readonly (readonly [provider: Provider, names: readonly string[]])[] = [
  [
    openai,
    [
      ...['gpt-5.4', 'gpt-5.5', 'gpt-5.6-sol', 'gpt-5.6-luna', 'gpt-6-astra', 'gpt-6-sol'],
      ...['gpt-6-luna', 'gpt-6.1-sol', 'gpt-6.1-terra', 'gpt-6.2-sol', 'gpt-6.9-x'],
      ...['gpt-5.5-pro', 'gpt-6-rosalind', 'gpt-5.4-mini'],
    ],
  ],
  [
    anthropic,
    [
      ...['claude-opus-4-8', 'claude-sonnet-5', 'claude-opus-5', 'claude-fable-5'],
      ...['claude-fable-5-1', 'claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5'],
      ...['claude-opus-4-5', 'claude-sonnet-4-5', 'claude-haiku-4-5', 'claude-sonnet-4-6'],
      ...['claude-mythos-5-2', 'claude-opus-7', 'claude-haiku-6'],
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
      'gemini-5-neon',
    ],
  ],
  [xai, ['grok-4.3', 'grok-4.5', 'grok-4.7', 'grok-4.20-reasoning', 'grok-4.8', 'grok-5']],
  [deepseek, ['deepseek-v4-pro', 'deepseek-v4-flash', 'deepseek-flash', 'deepseek-v5']],
  [moonshot, ['kimi-k3', 'kimi-k3.1-pro', 'kimi-k2.6', 'kimi-k4']],
  [mistral, ['mistral-large-4', 'mistral-medium-3.5', 'mistral-small-2603', 'mistral-large-5']],
  [zhipu4v, ['glm-5.3', 'glm-5.3-flash', 'glm-5.2', 'glm-5.4', 'glm-6']],
  [ali, ['qwen3.8-max', 'qwen3.8-flash', 'qwen3.9-max', 'qwen4-max']],
  [minimax, ['MiniMax-M3', 'MiniMax-M2.5', 'MiniMax-M4']],
  [volcengine, ['doubao-seed-2-1-pro-260915', 'doubao-seed-2-2-lite', 'doubao-seed-3-0-pro']],
  [tencent, ['hy4', 'hy5']],
];

const wishes: readonly Wish[] = [
  sampling,
  penalties,
  tools,
  forced,
  longOutput,
  budget,
  ...efforts.map(thinking),
  ...efforts.map((effort) => both(tools, thinking(effort))),
  grown,
  prefill,
];

const question: Readonly<Record<ChatCaller, JsonObject>> = {
  chat: { messages: [{ role: 'user', content: 'Hi' }] },
  messages: { max_tokens: 1000, messages: [{ role: 'user', content: 'Hi' }] },
  Gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  Responses: { input: 'Hi' },
};
/** OpenAI's two wires are one in this: a chat may be served by Responses. */
const isOwnWire = (provider: Provider, caller: ChatCaller): boolean =>
  provider !== anthropic && provider !== gemini && (caller === 'chat' || caller === 'Responses');
const callers = Object.keys(question) as ChatCaller[];

for (const [provider, names] of models) {
  describe.each(names)(`${provider.slug} serves %s`, (model) => {
    for (const caller of callers) {
      for (const stream of [false, true]) {
        it(`to ${caller} callers${stream ? ', streamed' : ''}`, () => {
          const refused = wishes.flatMap((wish) => {
            const body = { ...question[caller], ...wish.of[caller] };
            const sent = asSent(provider, caller, model, stream ? { ...body, stream } : body);
            // Callers of this very wire hear of such numbers from the vendor itself.
            if (wish === longOutput && (sent.forwarded || isOwnWire(provider, caller))) return [];
            const refusal = refusalOf(provider.slug, model, sent);
            return refusal === undefined ? [] : [`${wish.name}: ${refusal}`];
          });
          expect(refused).toEqual([]);
        });
      }
    }
  });
}
