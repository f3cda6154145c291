/** What the catalogue of models says of prices besides their ratios (docs/rules/models.md). */
import { bareModelName, knownModels } from '../models/known-models.ts';
import type { ListPrice } from '../models/schema.ts';
import type { PriceDetailsEntry } from './details.ts';

/** By any name of the model; undefined: it says nothing. */
export function catalogueDetails(model: string): PriceDetailsEntry | undefined {
  const { row, facts } = knownModels.find(bareModelName(model));
  const { toolPrices, alwaysCalled, cachedAudio, thinkingRatio } = facts;
  if (row?.price === undefined && toolPrices === undefined) return undefined;
  return {
    ...(cachedAudio !== undefined && { cachedAudio }),
    ...(thinkingRatio !== undefined && { thinking: thinkingRatio }),
    ...relativePrices(row?.price),
    ...(toolPrices && { tools: toolPrices }),
    ...(alwaysCalled && { alwaysCalled }),
  };
}

/** What a list price says besides its ratios. */
export function relativePrices(price: ListPrice | undefined): PriceDetailsEntry {
  const {
    steps,
    factors,
    peakHours,
    cacheWrite = 0,
    longCacheWrite,
    audioInput = 0,
    audioCacheRead,
    imageInput = price?.input ?? 0,
    imageCacheRead,
  } = price ?? {};
  return {
    ...(steps && { steps }),
    ...(factors && { factors }),
    ...(peakHours && { peakHours }),
    ...(longCacheWrite !== undefined && cacheWrite > 0
      ? { longCacheWrite: longCacheWrite / cacheWrite }
      : {}),
    ...(audioCacheRead !== undefined && audioInput > 0
      ? { cachedAudio: audioCacheRead / audioInput }
      : {}),
    ...(imageCacheRead !== undefined && imageInput > 0
      ? { cachedImage: imageCacheRead / imageInput }
      : {}),
  };
}
