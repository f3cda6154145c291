/** What a model besides the requested one did for a reply. */
export interface ModelUsage {
  readonly model: string;
  readonly usage: Usage;
}

/** A container of the vendor's in which code ran for a reply. */
export interface UsedContainer {
  /** Undefined: the vendor does not name it. */
  readonly id?: string;
  /** In the vendor's words: `4g`. Undefined: the usual size, or one that is not said here. */
  readonly size?: string | undefined;
}

/**
 * Normal form of usage (docs/rules/metering.md#usage-normal-form): the prompt includes cache reads
 * and writes, the completion includes reasoning. Undefined: not reported.
 */
export interface Usage {
  readonly promptTokens?: number;
  /** Of several replies that are one answer, the prompt of the longest. Absent: it is one reply. */
  readonly longestPrompt?: number;
  readonly completionTokens?: number;
  readonly cachedTokens?: number;
  /** Cache writes in all; what is not of the longer life is of the usual one. */
  readonly cacheWriteTokens?: number;
  /** Of these, those of the longer cache life: an hour, or OpenAI's twelve. */
  readonly cacheWrite1hTokens?: number;
  readonly reasoningTokens?: number;
  /** Those that are not cached; images likewise. */
  readonly promptAudioTokens?: number;
  /** Of the cached tokens. */
  readonly cachedAudioTokens?: number;
  readonly completionAudioTokens?: number;
  readonly promptImageTokens?: number;
  /** Of the cached tokens. */
  readonly cachedImageTokens?: number;
  readonly completionImageTokens?: number;
  /** Calls of tools that the vendor ran itself, by the tool as prices name it: `web_search`. */
  readonly toolCalls?: Readonly<Record<string, number>>;
  readonly containers?: readonly UsedContainer[];
  /** What the vendor says that the reply cost, in dollars. */
  readonly statedCost?: number;
  /** What other models did for the reply, each at its own price. The other figures leave it out. */
  readonly others?: readonly ModelUsage[];
  /** Tier, speed and place that were billed, but for the usual ones: `priority`, `fast`, `us`. */
  readonly tiers?: readonly string[];
  /** Length of the input audio, where a provider bills by it. */
  readonly audioSeconds?: number;
  /** Why the vendor threw pieces of earlier thinking away, once for each, in its words. */
  readonly thinkingDropped?: readonly string[];
  /** Why the vendor's cache did not serve the prompt, in its words. */
  readonly cacheMiss?: string;
  /** The usage in the vendor's own words; of an answer in several replies that of each. */
  readonly raw?: readonly Readonly<Record<string, unknown>>[];
}
