/** What callers ask of this year's models, in each caller's words. */
import type { JsonObject } from '../../../../src/core/kernel/json.ts';
import {
  type ReasoningEffort,
  reasoningEfforts,
} from '../../../../src/core/vocabulary/reasoning-efforts.ts';
import { type Caller, callers } from '../../../support/five-callers.ts';

export interface Wish {
  readonly name: string;
  /** Top-level fields. */
  readonly of: Readonly<Record<Caller, JsonObject>>;
}

const parameters = { type: 'object', properties: {} };
const look = { name: 'look', description: 'Looks', parameters };
const functions = [{ type: 'function', function: look }];
const hi = { role: 'user', content: 'Hi' };
const hello = { role: 'assistant', content: 'Hello' };

export const sampling: Wish = {
  name: 'sampling',
  of: {
    chat: { temperature: 0.5, max_tokens: 100 },
    messages: { temperature: 0.5, top_k: 5 },
    Gemini: { generationConfig: { temperature: 0.5, topK: 5, maxOutputTokens: 100 } },
    Responses: { temperature: 0.5 },
    Cohere: { temperature: 0.5, k: 5, max_tokens: 100 },
  },
};

export const penalties: Wish = {
  name: 'penalties and a stop',
  of: {
    chat: { presence_penalty: 0.5, frequency_penalty: 0.5, stop: ['.'] },
    messages: { stop_sequences: ['.'] },
    Gemini: { generationConfig: { presencePenalty: 0.5, stopSequences: ['.'] } },
    Responses: {},
    Cohere: { presence_penalty: 0.5, stop_sequences: ['.'] },
  },
};

export const tools: Wish = {
  name: 'tools',
  of: {
    chat: { tools: functions },
    messages: { tools: [{ name: 'look', input_schema: parameters }] },
    Gemini: { tools: [{ functionDeclarations: [look] }] },
    Responses: { tools: [{ type: 'function', ...look, strict: false }] },
    Cohere: { tools: functions },
  },
};

export const forced: Wish = {
  name: 'a forced tool',
  of: {
    chat: { ...tools.of.chat, tool_choice: 'required' },
    messages: { ...tools.of.messages, tool_choice: { type: 'tool', name: 'look' } },
    Gemini: { ...tools.of.Gemini, toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
    Responses: { ...tools.of.Responses, tool_choice: 'required' },
    Cohere: { ...tools.of.Cohere, tool_choice: 'REQUIRED' },
  },
};

/** More than most models give. A caller of the vendor's own wire hears so from the vendor. */
export const longOutput: Wish = {
  name: '200,000 tokens of output',
  of: {
    chat: { max_tokens: 200_000 },
    messages: { max_tokens: 200_000 },
    Gemini: { generationConfig: { maxOutputTokens: 200_000 } },
    Responses: { max_output_tokens: 200_000 },
    Cohere: { max_tokens: 200_000 },
  },
};

export const efforts = reasoningEfforts;

export const thinking = (effort: ReasoningEffort): Wish => ({
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
    Cohere:
      effort === 'none'
        ? { thinking: { type: 'disabled' } }
        : { thinking: { type: 'enabled', token_budget: 1000 * efforts.indexOf(effort) } },
  },
});

export const budget: Wish = {
  name: 'a budget of thinking',
  of: {
    chat: {},
    messages: { max_tokens: 9000, thinking: { type: 'enabled', budget_tokens: 4000 } },
    Gemini: { generationConfig: { thinkingConfig: { thinkingBudget: 4000 } } },
    Responses: {},
    Cohere: { thinking: { type: 'enabled', token_budget: 4000 } },
  },
};

const turns = [hi, hello, { role: 'user', content: 'Go on' }];
const inParts = (list: typeof turns) =>
  list.map(({ role, content }) => ({
    role: role === 'assistant' ? 'model' : role,
    parts: [{ text: content }],
  }));
const conversation = (name: string, list: typeof turns): Wish => ({
  name,
  of: {
    chat: { messages: list },
    messages: { messages: list },
    Gemini: { contents: inParts(list) },
    Responses: { input: list },
    Cohere: { messages: list },
  },
});
export const grown = conversation('an earlier answer', turns);
export const prefill = conversation('an answer that is to go on', [hi, hello]);

export const cacheMarks: Wish = {
  name: 'a cache',
  of: {
    chat: {
      prompt_cache_key: 'k',
      prompt_cache_options: { mode: 'implicit', ttl: '30m' },
    },
    messages: {
      system: [{ type: 'text', text: 'Be kind', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }],
        },
      ],
    },
    Gemini: {},
    Responses: {
      prompt_cache_key: 'k',
      prompt_cache_options: { mode: 'explicit', ttl: '12h' },
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Hi', prompt_cache_breakpoint: { mode: 'explicit' } },
          ],
        },
      ],
    },
    Cohere: {},
  },
};

export const plain: Wish = {
  name: 'nothing more',
  of: { chat: {}, messages: {}, Gemini: {}, Responses: {}, Cohere: {} },
};

/** Both at once. */
export function both(one: Wish, other: Wish): Wish {
  return {
    name: `${one.name}, with ${other.name}`,
    of: Object.fromEntries(
      callers.map((caller) => [caller, { ...one.of[caller], ...other.of[caller] }]),
    ) as Wish['of'],
  };
}
