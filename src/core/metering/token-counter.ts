/**
 * Counts where an upstream reports no usage (docs/rules/metering.md#nothing-counted-before). A text
 * beyond the cap is extrapolated from its front; what takes too long, or kills the counting thread,
 * is estimated.
 */
import { tokenFamilyOf } from '../pricing/estimate-tokens.ts';
import type { Countable } from './countable.ts';
import { CountingThread, type CountingThreadSettings } from './counting-thread.ts';
import { encodingOf } from './encoding.ts';
import { estimateTexts } from './estimate-texts.ts';
import { imageRuleOf, imageTokens } from './image-tokens.ts';

export interface TokenCounter {
  /**
   * Tokens, of the model that the caller requested. Never rejects, and takes no longer than the
   * time limit.
   */
  count(countable: Countable, model: string): Promise<number>;
  close(): Promise<void>;
}

/** Most characters that are counted; the remainder is extrapolated. */
const countLimit = 200_000;
/** Most characters that are estimated directly, without the thread. */
const estimateLimit = 16_000;

interface Cut {
  readonly texts: readonly string[];
  /** Length of the whole divided by that of the kept part. */
  readonly scale: number;
}

/** The front of the texts, at most `limit` characters of it. */
function cutTexts(texts: readonly string[], limit: number): Cut {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length <= limit) return { texts, scale: 1 };
  const kept: string[] = [];
  let room = limit;
  for (const text of texts) {
    if (room === 0) break;
    kept.push(text.slice(0, room));
    room -= Math.min(room, text.length);
  }
  return { texts: kept, scale: length / limit };
}

/** The tokens that are charged where counting failed. */
function estimate({ texts, images, tokens }: Countable, model: string): number {
  const front = cutTexts(texts, estimateLimit);
  const flat = images.reduce(
    (sum, { detail }) => sum + (imageTokens(model, undefined, detail) ?? 0),
    0,
  );
  return Math.ceil(estimateTexts(front.texts, tokenFamilyOf(model)) * front.scale) + flat + tokens;
}

export function createTokenCounter(settings: CountingThreadSettings): TokenCounter {
  const thread = new CountingThread(settings);
  return {
    count: async (countable, model) => {
      const { texts, images, tokens } = countable;
      const length = texts.reduce((sum, text) => sum + text.length, 0);
      if (length === 0 && images.length === 0) return tokens;
      const encoding = encodingOf(model);
      const isEstimated = encoding === undefined && images.length === 0;
      if (isEstimated && length <= estimateLimit) return estimate(countable, model);
      const cut = cutTexts(texts, countLimit);
      const known = { encoding, family: tokenFamilyOf(model), imageRule: imageRuleOf(model) };
      const counted = await thread.count({ texts: cut.texts, images, ...known });
      if (counted === undefined) return estimate(countable, model);
      return Math.ceil(counted.texts * cut.scale) + counted.images + tokens;
    },
    close: () => thread.close(),
  };
}
