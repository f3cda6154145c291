/**
 * One price list after another: plain requests, cache reads and cache writes. Dollars per million
 * tokens of LiteLLM's public catalogue.
 */
import { type Case, million } from './token-cases.ts';
import { type ListEntry, litellm } from './vendor-lists.ts';

type Listed = readonly [
  model: string,
  input: number,
  output: number,
  cached?: number,
  /** Of the usual life, and of the longer one. */
  written?: number,
  long?: number,
];

/** By the type of their channel. */
const lists: Readonly<Record<number, readonly Listed[]>> = {
  1: [
    ['gpt-6-astra', 10, 50, 1, 12.5, 25],
    ['gpt-6.1-terra', 1, 5, 0.05, 1.25, 2.5],
    ['gpt-6-luna', 0.1, 0.5, 0.01, 0.125, 0.25],
    ['gpt-6-rosalind', 15, 75, 1.5, 18.75, 37.5],
    ['gpt-6-cyber', 20, 100, 2, 25, 50],
    ['gpt-5.6-sol', 4, 20, 0.4, 5, 10],
    ['gpt-5.6-terra', 2, 12, 0.2, 2.5, 5],
    ['gpt-5.6-luna', 0.2, 1.2, 0.02, 0.25, 0.5],
    ['gpt-5.4-nano', 0.2, 1.25, 0.02],
    ['gpt-5.2', 1.75, 14, 0.175],
    ['gpt-5.1', 1.25, 10, 0.125],
    ['gpt-5', 1.25, 10, 0.125],
    ['gpt-5-mini', 0.25, 2, 0.025],
    ['gpt-5-nano', 0.05, 0.4, 0.005],
    ['gpt-4.1-mini', 0.4, 1.6, 0.1],
    ['gpt-4o', 2.5, 10, 1.25],
    ['gpt-4o-mini', 0.15, 0.6, 0.075],
    ['o3', 2, 8, 0.5],
  ],
  14: [
    ['claude-fable-5', 10, 50, 1, 12.5, 20],
    ['claude-opus-5', 5, 25, 0.5, 6.25, 10],
    ['claude-opus-4-8', 5, 25, 0.5, 6.25, 10],
    ['claude-sonnet-5', 2, 10, 0.2, 2.5, 4],
    ['claude-haiku-4-5', 1, 5, 0.1, 1.25, 2],
  ],
  24: [
    ['gemini-4-argon', 2, 10, 0.1],
    ['gemini-4-hydrogen', 1.5, 7.5, 0.075],
    ['gemini-3.5-flash', 1.5, 9, 0.15],
    ['gemini-3.5-flash-lite', 0.3, 2.5, 0.03],
    ['gemini-3-flash-preview', 0.5, 3, 0.05],
    ['gemini-2.5-pro', 1.25, 10, 0.125],
  ],
  48: [
    ['grok-4.6', 2, 6, 0.5],
    ['grok-4.5', 2, 6, 0.3],
    ['grok-4.3', 1.25, 2.5, 0.2],
  ],
  42: [
    ['mistral-medium-3.5', 1.5, 7.5, 0.15],
    ['codestral-2508', 0.3, 0.9, 0.03],
  ],
  43: [['deepseek-v4-flash', 0.3, 1.2, 0.006]],
  25: [
    ['kimi-k3.1-pro', 2, 10, 0.2, 2, 4],
    ['kimi-k2.6', 0.95, 4, 0.16],
    ['kimi-k2.5', 0.6, 3, 0.1],
    ['moonshot-v1-8k', 0.2, 2],
  ],
  26: [
    ['glm-5', 1, 3.2, 0.2],
    ['glm-4.7', 0.6, 2.2, 0.11],
  ],
  17: [
    ['qwen3.8-max', 2, 6, 0.25],
    ['qwen3.7-max', 2.5, 7.5, 0.5, 3.125],
    ['qwen-plus', 0.4, 1.2],
  ],
  27: [['sonar-reasoning-pro', 2, 8]],
};

const plain = { prompt: 12_344, output: 678 } as const;
const partly = { prompt: 10_000, cached: 7000, output: 500 } as const;
const both = { prompt: 10_000, cached: 1000, written: 6000, long: 4000, output: 500 } as const;

function casesOf([model, input, output, cached, written, long]: Listed): readonly Case[] {
  const cases: Case[] = [
    { model, what: 'plain', ...plain, dollars: (12_344 * input + 678 * output) / million },
  ];
  if (cached !== undefined)
    cases.push({
      model,
      what: 'mostly cached',
      ...partly,
      dollars: (3000 * input + 7000 * cached + 500 * output) / million,
    });
  if (cached !== undefined && written !== undefined)
    cases.push({
      model,
      what: 'with cache writes',
      ...both,
      long: long === undefined ? 0 : both.long,
      dollars:
        (3000 * input +
          1000 * cached +
          (long === undefined ? 6000 * written : 2000 * written + 4000 * long) +
          500 * output) /
        million,
    });
  return cases;
}

export const listCases: readonly Case[] = Object.values(lists).flat().flatMap(casesOf);

/** Names by the type of their channel. */
export const listedModels: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(lists).map(([type, models]) => [type, models.map(([model]) => model)]),
);

export const listedEntries: Readonly<Record<string, ListEntry>> = Object.fromEntries(
  Object.values(lists)
    .flat()
    .map(([model, input, output, cached, written, long]) => [
      model,
      {
        input,
        output,
        ...litellm,
        ...(cached !== undefined && { cached }),
        ...(written !== undefined && { written }),
        ...(long !== undefined && { long }),
      },
    ]),
);
