/** What the catalogue of models says of prices besides their ratios (docs/rules/models.md). */
import { ratioTo } from '../kernel/decimal.ts';
import { bareModelName, knownModels } from '../models/known-models.ts';
import type { ListPrice } from '../models/schema.ts';
import type { PriceDetailsEntry } from './details.ts';

/** By any name of the model; undefined: it says nothing. */
export function catalogueDetails(model: string): PriceDetailsEntry | undefined {
  const { row, facts } = knownModels.find(bareModelName(model));
  const { toolPrices, alwaysCalled, cachedAudio, thinkingRatio, secondPrices } = facts;
  if ((row?.price ?? toolPrices ?? secondPrices) === undefined) return undefined;
  return {
    ...(cachedAudio !== undefined && { cachedAudio }),
    ...(thinkingRatio !== undefined && { thinking: thinkingRatio }),
    ...relativePrices(row?.price),
    ...(toolPrices && { tools: toolPrices }),
    ...(alwaysCalled && { alwaysCalled }),
    ...(secondPrices && { perSecond: secondPrices }),
  };
}

/** What a list price says besides its ratios. */
export function relativePrices(price: ListPrice | undefined): PriceDetailsEntry {
  const {
    steps,
    factors,
    cacheFactors,
    peakHours,
    cacheWrite = 0,
    longCacheWrite,
    audioInput = 0,
    audioCacheRead,
    imageInput = price?.input ?? 0,
    imageCacheRead,
    output = 0,
    textOutput,
  } = price ?? {};
  return {
    ...(steps && { steps }),
    ...(factors && { factors }),
    ...(cacheFactors && { cacheFactors }),
    ...(peakHours && { peakHours }),
    ...(longCacheWrite !== undefined && cacheWrite > 0
      ? { longCacheWrite: ratioTo(longCacheWrite, cacheWrite) }
      : {}),
    ...(audioCacheRead !== undefined && audioInput > 0
      ? { cachedAudio: ratioTo(audioCacheRead, audioInput) }
      : {}),
    ...(imageCacheRead !== undefined && imageInput > 0
      ? { cachedImage: ratioTo(imageCacheRead, imageInput) }
      : {}),
    ...(textOutput !== undefined && output > 0 ? { textOutput: ratioTo(textOutput, output) } : {}),
  };
}
