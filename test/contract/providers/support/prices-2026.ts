/**
 * The chat models of this year at their vendors' list prices: LiteLLM's public catalogue 1.110.2
 * (2026-11), in dollars per million tokens, written apart from the catalogue's rows.
 */

export interface PriceRow {
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly read: number;
  /** Of the usual life and the longer one; absent: writes are not billed apart. */
  readonly write?: readonly [usual: number, long?: number];
  /** Above so many tokens of prompt, input and output cost so many times as much. */
  readonly step?: readonly [above: number, input: number, output: number];
}

type More = readonly [write?: PriceRow['write'], step?: PriceRow['step']];
const row = (
  model: string,
  input: number,
  output: number,
  read: number,
  ...[write, step]: More
): PriceRow => ({ model, input, output, read, write, step });

const long = [272_000, 2, 1.5] as const;
const grok = [200_000, 2, 2] as const;

export interface VendorPrices {
  readonly slug: string;
  /** The type of its channels. */
  readonly type: number;
  readonly rows: readonly PriceRow[];
}

export const vendorPrices: readonly VendorPrices[] = [
  {
    slug: 'openai',
    type: 1,
    rows: [
      row('gpt-6-astra', 10, 50, 1, [12.5, 25], long),
      row('gpt-6.1-sol', 2, 10, 0.1, [2.5, 5], long),
      row('gpt-6-sol', 2, 10, 0.2, [2.5, 5], long),
      row('gpt-6.1-terra', 1, 5, 0.05, [1.25, 2.5], long),
      row('gpt-6-luna', 0.1, 0.5, 0.01, [0.125, 0.25], long),
      row('gpt-6-rosalind', 15, 75, 1.5, [18.75, 37.5], long),
      row('gpt-6-cyber', 20, 100, 2, [25, 50]),
      row('gpt-5.6-sol', 4, 20, 0.4, [5, 10], long),
      row('gpt-5.6-terra', 2, 12, 0.2, [2.5, 5], long),
      row('gpt-5.6-luna', 0.2, 1.2, 0.02, [0.25, 0.5], long),
      row('gpt-5.5', 5, 30, 0.5, undefined, long),
      row('gpt-5.5-pro', 30, 180, 30, undefined, long),
      row('gpt-5.4', 2.5, 15, 0.25, undefined, long),
      row('gpt-5.4-mini', 0.75, 4.5, 0.075),
      row('gpt-5.4-nano', 0.2, 1.25, 0.02),
    ],
  },
  {
    slug: 'anthropic',
    type: 14,
    rows: [
      row('claude-fable-5-1', 10, 50, 0.25, [12.5, 20]),
      row('claude-mythos-5-1', 10, 50, 0.25, [12.5, 20]),
      row('claude-fable-5', 10, 50, 1, [12.5, 20]),
      row('claude-mythos-5', 10, 50, 1, [12.5, 20]),
      row('claude-opus-5-5', 4, 20, 0.2, [5, 8]),
      row('claude-opus-5', 5, 25, 0.5, [6.25, 10]),
      row('claude-opus-4-8', 5, 25, 0.5, [6.25, 10]),
      row('claude-opus-4-7', 5, 25, 0.5, [6.25, 10]),
      row('claude-sonnet-5-5', 2, 10, 0.1, [2.5, 4]),
      row('claude-sonnet-5', 2, 10, 0.2, [2.5, 4]),
      row('claude-haiku-5-5', 0.1, 0.5, 0.01, [0.125, 0.2], [100_000, 5, 5]),
      row('claude-haiku-4-5', 1, 5, 0.1, [1.25, 2]),
    ],
  },
  {
    slug: 'gemini',
    type: 24,
    rows: [
      row('gemini-4-argon', 2, 10, 0.1),
      row('gemini-4-hydrogen', 1.5, 7.5, 0.075),
      row('gemini-3.8-flash', 0.75, 3.75, 0.075),
      row('gemini-3.7-flash', 0.75, 3.75, 0.075),
      row('gemini-3.6-flash', 0.75, 3.75, 0.075),
      row('gemini-3.1-pro-preview', 2, 12, 0.2, undefined, [200_000, 2, 1.5]),
    ],
  },
  {
    slug: 'xai',
    type: 48,
    rows: [
      row('grok-4.7', 2, 6, 0.5, undefined, grok),
      row('grok-4.6', 2, 6, 0.5, undefined, grok),
      row('grok-4.5', 2, 6, 0.3, undefined, grok),
      row('grok-4.3', 1.25, 2.5, 0.2, undefined, grok),
    ],
  },
  {
    slug: 'deepseek',
    type: 43,
    rows: [row('deepseek-v4-pro', 1.32, 3.96, 0.044), row('deepseek-v4-flash', 0.3, 1.2, 0.006)],
  },
  {
    slug: 'ali',
    type: 17,
    rows: [
      row('qwen3.8-max', 2, 6, 0.25, [2.5]),
      row('qwen3.8-flash', 0.15, 0.47, 0.016, [0.2]),
      row('qwen3.7-max', 2.5, 7.5, 0.5, [3.125]),
      row('qwen3.7-plus', 0.4, 1.6, 0.08, [0.5], [256_000, 3, 3]),
      row('qwen3.5-plus', 0.4, 2.4, 0.4, [0.5], [256_000, 1.25, 1.25]),
    ],
  },
  {
    slug: 'moonshot',
    type: 25,
    rows: [row('kimi-k3.1-pro', 2, 10, 0.2, [2, 4]), row('kimi-k3', 3, 15, 0.3, [3, 6])],
  },
  {
    slug: 'zhipu-4v',
    type: 26,
    rows: [row('glm-5.3', 1.4, 4.4, 0.26), row('glm-5.3-flash', 0.15, 0.5, 0.03)],
  },
  {
    slug: 'mistral',
    type: 42,
    rows: [row('mistral-large-4', 0.7, 2.1, 0.07), row('mistral-medium-3.5', 1.5, 7.5, 0.15)],
  },
  {
    slug: 'minimax',
    type: 35,
    rows: [row('MiniMax-M3', 0.3, 1.2, 0.06, undefined, [512_000, 2, 2])],
  },
  {
    slug: 'volcengine',
    type: 45,
    rows: [row('doubao-seed-2-1-pro-260915', 0.8625, 4.3125, 0.1725)],
  },
  { slug: 'tencent', type: 23, rows: [row('hy4', 0.834, 2.501, 0.042)] },
];
