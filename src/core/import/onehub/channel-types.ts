/**
 * Channel types of one-hub (github.com/MartialBE/one-hub at 387f8bf1, 2026-02-20:
 * common/config/constants.go, the addresses in providers/<vendor>).
 */

const openai = 1;
/** A complete address and a key. */
export const custom = 8;

export interface OldType {
  /** Our number. */
  readonly type: number;
  /** Where the vendor is, if a channel has no address of its own and ours has another one or none. */
  readonly address?: string;
  /** What the address ends in here, besides what it is there. */
  readonly ending?: string;
}

/**
 * Types that it has no adapter for, such as 8, 43, 44, 46 and 48, speak OpenAI's wire at the
 * address of the channel (providers/providers.go).
 */
export const ownAddress: OldType = { type: openai };

export const oldTypes: Readonly<Record<number, OldType>> = {
  1: { type: openai },
  3: { type: 3 },
  11: { type: 11 },
  14: { type: 14 },
  15: { type: 15 },
  16: { type: 26 },
  17: { type: 17 },
  18: { type: 18 },
  20: { type: 20 },
  23: { type: 23 },
  25: { type: 24 },
  26: { type: openai, address: 'https://api.baichuan-ai.com' },
  27: { type: 35, address: 'https://api.minimax.chat' },
  28: { type: 43 },
  29: { type: 25 },
  30: { type: 42 },
  31: { type: openai, address: 'https://api.groq.com/openai' },
  32: { type: 33 },
  33: { type: 31 },
  34: { type: 2 },
  35: { type: 39 },
  36: { type: 34 },
  39: { type: 4, address: 'https://ollama.com' },
  40: { type: 23 },
  41: { type: 36 },
  42: { type: 41 },
  45: { type: 40 },
  47: { type: 38 },
  // GitHub's models: there is no version in the address.
  49: {
    type: custom,
    address: 'https://models.inference.ai.azure.com',
    ending: '/chat/completions',
  },
  // Azure's surface without dates and deployments.
  55: { type: 3, ending: '/openai/v1' },
  56: { type: 48 },
};

/** Vendors that no type of ours speaks with. */
export const unsupported: Readonly<Record<number, string>> = {
  24: 'Azure Speech',
  37: 'Stability AI',
  38: 'Coze',
  51: 'Recraft',
  52: 'Replicate',
  53: 'Kling',
  54: 'Azure Databricks',
};

/** Types whose adapters never send `custom_parameter`: they do not use that of OpenAI. */
export const withoutParameters: ReadonlySet<number> = new Set([
  11, 14, 16, 18, 23, 25, 32, 34, 35, 36, 39, 40, 41, 42,
]);

/**
 * Which tokens are counted as read from a cache: Claude's replies (providers/claude/common.go), those
 * in OpenAI's words, or none (providers/gemini/chat.go).
 */
export type CacheWords = 'claude' | 'openai' | 'none';

const anthropic = 14;
const bedrock = 32;
const gemini = 25;
const vertex = 42;

/** `vendor`: the channel type that the price of the model is listed under. */
export function cacheWordsOf(channelType: number, vendor: number): CacheWords {
  if (channelType === anthropic || channelType === bedrock) return 'claude';
  if (channelType === vertex) return vendor === anthropic ? 'claude' : 'none';
  return channelType === gemini ? 'none' : 'openai';
}
