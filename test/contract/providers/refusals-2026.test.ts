// Covers src/core/providers/mistral.
/**
 * This year's models in the callers' formats: no request that a customer's client sends every day
 * is refused by the vendor (support/vendors-of-2026.ts).
 */
import { describe, expect, it } from 'vitest';
import type { Call, Provider } from '../../../src/core/canonical/provider.ts';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { ali } from '../../../src/core/providers/ali/index.ts';
import { anthropic } from '../../../src/core/providers/anthropic/index.ts';
import { aws } from '../../../src/core/providers/aws/index.ts';
import { mantle } from '../../../src/core/providers/aws/mantle.ts';
import { azure } from '../../../src/core/providers/azure/index.ts';
import { deepseek } from '../../../src/core/providers/deepseek/index.ts';
import { gemini } from '../../../src/core/providers/gemini/index.ts';
import { minimax } from '../../../src/core/providers/minimax/index.ts';
import { mistral } from '../../../src/core/providers/mistral/index.ts';
import { moonshot } from '../../../src/core/providers/moonshot/index.ts';
import { openai } from '../../../src/core/providers/openai/index.ts';
import { tencent } from '../../../src/core/providers/tencent/index.ts';
import { vertex } from '../../../src/core/providers/vertex/index.ts';
import { volcengine } from '../../../src/core/providers/volcengine/index.ts';
import { xai } from '../../../src/core/providers/xai/index.ts';
import { zhipu4v } from '../../../src/core/providers/zhipu/v4.ts';
import { accountDocument } from '../../support/service-account.ts';
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
      'gpt-5.4',
      'gpt-5.5',
      'gpt-5.6-sol',
      'gpt-5.6-luna',
      'gpt-6-astra',
      'gpt-6-sol',
      'gpt-6-luna',
      'gpt-6.1-sol',
      'gpt-6.1-terra',
      'gpt-6.2-sol',
      'gpt-6.9-x',
      'gpt-5.5-pro',
      'gpt-6-rosalind',
      'gpt-5.4-mini',
    ],
  ],
  [
    anthropic,
    [
      'claude-opus-4-8',
      'claude-sonnet-5',
      'claude-opus-5',
      'claude-fable-5',
      'claude-fable-5-1',
      'claude-opus-5-5',
      'claude-sonnet-5-5',
      'claude-haiku-5-5',
      'claude-opus-4-5',
      'claude-sonnet-4-5',
      'claude-haiku-4-5',
      'claude-sonnet-4-6',
      'claude-mythos-5-2',
      'claude-opus-7',
      'claude-haiku-6',
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

/** Wishes that the vendor refuses. `vendor`: whose model a cloud serves. */
function refusedWishes(
  provider: Provider,
  caller: ChatCaller,
  model: string,
  stream: boolean,
  { vendor = provider, ...changes }: Partial<Call> & { readonly vendor?: Provider } = {},
): readonly string[] {
  return wishes.flatMap((wish) => {
    const body = { ...question[caller], ...wish.of[caller] };
    const sent = asSent(provider, caller, model, stream ? { ...body, stream } : body, changes);
    // Callers of this very wire hear of such numbers from the vendor itself.
    if (wish === longOutput && (sent.forwarded || isOwnWire(vendor, caller))) return [];
    const url = vendor === provider ? sent.url : sent.url.replace(/.*(?=\/responses)/, '/v1');
    const refusal = refusalOf(vendor.slug, model, { ...sent, url });
    return refusal === undefined ? [] : [`${wish.name}: ${refusal}`];
  });
}

const bothWays = callers.flatMap((caller) =>
  [false, true].map((stream) => [caller, stream] as const),
);

for (const [provider, names] of models) {
  describe.each(names)(`${provider.slug} serves %s`, (model) => {
    it.each(bothWays)('to %s callers, streamed %s', (caller, stream) => {
      expect(refusedWishes(provider, caller, model, stream)).toEqual([]);
    });
  });
}

const bedrock = { key: new Secret('AK|secret|us-east-1') };
const own = { key: new Secret('key|us-west-2'), settings: { use_mantle: true } };
const google = { key: new Secret(JSON.stringify(accountDocument())), other: 'global' };
const atAzure = { baseUrl: 'https://r.openai.azure.com/openai/v1' };

describe.each([
  [aws, anthropic, ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-4-5'], bedrock],
  [mantle, anthropic, ['claude-opus-5-5', 'claude-haiku-5-5'], own],
  [mantle, openai, ['gpt-5.6-sol', 'gpt-6-astra'], own],
  [vertex, anthropic, ['claude-opus-5-5', 'claude-sonnet-5-5'], google],
  [vertex, gemini, ['gemini-4-argon', 'gemini-4-hydrogen'], google],
  [azure, openai, ['gpt-5.5', 'gpt-5.6-sol', 'gpt-6-astra'], atAzure],
] as const)('clouds serve what they host (%#)', (cloud, vendor, names, changes) => {
  it.each(bothWays)(`${cloud.slug}: to %s callers, streamed %s`, (caller, stream) => {
    for (const model of names)
      expect([model, refusedWishes(cloud, caller, model, stream, { ...changes, vendor })]).toEqual([
        model,
        [],
      ]);
  });
});
