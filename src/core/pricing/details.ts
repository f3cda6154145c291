/**
 * What a price by tokens has besides its ratios (docs/rules/pricing.md#price-details). All of it is
 * relative to the model's own ratios, so that it holds whatever the operator charges; tools alone
 * have prices of their own.
 */
import { type Decimal, decimal, multiply, one, toNumber } from '../kernel/decimal.ts';

/** An entry of the option ModelPriceDetails. A member that is absent is the catalogue's. */
export interface PriceDetailsEntry {
  /** In any order; an empty list: the length of the prompt makes no difference. */
  readonly steps?: readonly {
    /** Tokens of prompt. */
    readonly above: number;
    readonly input: number;
    readonly output: number;
    /** Of cache reads and writes, where they are not that of input. */
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  }[];
  /** By tier, speed or place: `priority`, `flex`, `fast`, `us`. */
  readonly factors?: Readonly<Record<string, number>>;
  /** Of cache reads and writes in such a tier, where they are others. */
  readonly cacheFactors?: Readonly<Record<string, CacheFactors>>;
  /** Hours outside of which the factor `offpeak` holds; an empty list: none. */
  readonly peakHours?: readonly PeakHours[];
  /** Price of cache writes of the longer life over those of the usual one. */
  readonly longCacheWrite?: number;
  /** Price of cached audio over that of audio input. */
  readonly cachedAudio?: number;
  /** Price of cached images over that of image input. */
  readonly cachedImage?: number;
  /** Price of thinking over that of input. */
  readonly thinking?: number;
  /** Of a model that draws: price of text and thinking over that of output, which is its images. */
  readonly textOutput?: number;
  /** Currency units for each call of a tool that the vendor runs, by the tool. */
  readonly tools?: Readonly<Record<string, number>>;
  /** Tools that the model calls once in each request without reporting it. */
  readonly alwaysCalled?: readonly string[];
  /**
   * Currency units for each second of video, by resolution (docs/rules/pricing.md#second-prices), of
   * a model that has neither a price per call nor one by tokens.
   */
  readonly perSecond?: Readonly<Record<string, number>>;
}

export interface CacheFactors {
  readonly read?: number;
  readonly write?: number;
}

/**
 * In UTC: days of the week (0: Sunday), and minutes of the day, the last not included. Hours that
 * end before they begin end on the next day.
 */
export interface PeakHours {
  readonly days: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** With more tokens of prompt than `above`, all of the request costs so many times as much. */
export interface PriceStep {
  readonly above: number;
  /** Of all kinds of prompt tokens. */
  readonly input: Decimal;
  readonly output: Decimal;
  /** Of cache reads and writes. Absent: that of input. */
  readonly cacheRead?: Decimal;
  readonly cacheWrite?: Decimal;
}

/** What a tier makes of prices. Absent: of cache reads and writes what it makes of all. */
interface TierFactors {
  readonly factor: Decimal;
  readonly cacheRead?: Decimal;
  readonly cacheWrite?: Decimal;
}

export interface PriceDetails {
  /** The longest prompts first. */
  readonly steps: readonly PriceStep[];
  readonly factors: ReadonlyMap<string, TierFactors>;
  /** Absent: the hour makes no difference. */
  readonly peakHours?: readonly PeakHours[];
  /** Price of cache writes of the longer life over those of the usual one. Absent: 1.6. */
  readonly longCacheWrite?: Decimal;
  /** Price of cached audio over that of audio. Absent: it costs what cached text costs. */
  readonly cachedAudio?: Decimal;
  /** Price of cached images over that of images. Absent: they cost what cached text costs. */
  readonly cachedImage?: Decimal;
  /** Price of thinking over that of input. Absent: it costs what output costs. */
  readonly thinking?: Decimal;
  /** Price of text that is written beside images over that of output. Absent: there is one price. */
  readonly textOutput?: Decimal;
  /** Currency units per call. A tool without an entry costs nothing besides its tokens. */
  readonly tools: ReadonlyMap<string, Decimal>;
  /** Calls of a request whose reply reports none. Absent: none. */
  readonly alwaysCalled?: Readonly<Record<string, number>>;
}

/** A tier that a reply names, with its factor. Undefined: the model has no price for it. */
export interface ChargedTier extends Partial<Omit<TierFactors, 'factor'>> {
  readonly name: string;
  readonly factor: Decimal | undefined;
}

/** What a request's tokens are multiplied by, and why. */
export interface Scale {
  readonly input: Decimal;
  readonly output: Decimal;
  readonly cacheRead: Decimal;
  readonly cacheWrite: Decimal;
  readonly step?: PriceStep;
  readonly tiers: readonly ChargedTier[];
}

/** An entry's members as decimals; undefined where there is nothing besides the ratios. */
export function readDetails({
  steps = [],
  factors = {},
  cacheFactors = {},
  tools = {},
  peakHours = [],
  longCacheWrite,
  cachedAudio,
  cachedImage,
  thinking,
  textOutput,
  alwaysCalled,
}: PriceDetailsEntry): PriceDetails | undefined {
  const lists = [steps, Object.keys(factors), Object.keys(tools)];
  const isPlain = [longCacheWrite, cachedAudio, cachedImage, thinking, textOutput].every(
    (ratio) => ratio === undefined,
  );
  if (isPlain && lists.every((list) => list.length === 0)) return undefined;
  return {
    steps: steps
      .map(({ above, input, output, cacheRead, cacheWrite }) => ({
        above,
        input: decimal(input),
        output: decimal(output),
        ...cacheDecimals({ read: cacheRead, write: cacheWrite }),
      }))
      .sort((a, b) => b.above - a.above),
    factors: new Map(
      Object.entries(factors).map(([name, value]) => [
        name,
        { factor: decimal(value), ...cacheDecimals(cacheFactors[name] ?? {}) },
      ]),
    ),
    tools: decimals(tools),
    ...(peakHours.length === 0 || factors[offPeak] === undefined ? {} : { peakHours }),
    ...(longCacheWrite === undefined ? {} : { longCacheWrite: decimal(longCacheWrite) }),
    ...(cachedAudio === undefined ? {} : { cachedAudio: decimal(cachedAudio) }),
    ...(cachedImage === undefined ? {} : { cachedImage: decimal(cachedImage) }),
    ...(thinking === undefined ? {} : { thinking: decimal(thinking) }),
    ...(textOutput === undefined ? {} : { textOutput: decimal(textOutput) }),
    ...(alwaysCalled === undefined
      ? {}
      : { alwaysCalled: Object.fromEntries(alwaysCalled.map((tool) => [tool, 1])) }),
  };
}

/** The tier of the hours that are not {@link PriceDetails.peakHours}. */
export const offPeak = 'offpeak';

/**
 * The tiers of a reply, with that of a moment (milliseconds) outside the peak hours
 * (docs/rules/pricing.md#peak-hours).
 */
export function tiersAt(
  tiers: readonly string[] | undefined,
  { peakHours }: PriceDetails,
  now: number,
): readonly string[] | undefined {
  if (peakHours === undefined || tiers?.includes(offPeak) === true) return tiers;
  const date = new Date(now);
  const minute = date.getUTCHours() * 60 + date.getUTCMinutes();
  const day = date.getUTCDay();
  const isPeak = peakHours.some(({ days, from, to }) =>
    from <= to
      ? days.includes(day) && minute >= from && minute < to
      : (days.includes(day) && minute >= from) || (days.includes((day + 6) % 7) && minute < to),
  );
  return isPeak ? tiers : [...(tiers ?? []), offPeak];
}

function cacheDecimals({
  read,
  write,
}: {
  readonly [Name in keyof CacheFactors]?: number | undefined;
}): Pick<TierFactors, 'cacheRead' | 'cacheWrite'> {
  return {
    ...(read !== undefined && { cacheRead: decimal(read) }),
    ...(write !== undefined && { cacheWrite: decimal(write) }),
  };
}

function decimals(object: Readonly<Record<string, number>>): ReadonlyMap<string, Decimal> {
  return new Map(Object.entries(object).map(([name, value]) => [name, decimal(value)]));
}

/** What decides about steps and tiers of a usage. */
interface Scaled {
  readonly promptTokens?: number | undefined;
  /** Of several replies that are one answer: a step is that of one prompt. */
  readonly longestPrompt?: number | undefined;
  readonly tiers?: readonly string[] | undefined;
}

/**
 * What a request of this length in these tiers is multiplied by
 * (docs/rules/pricing.md#price-steps, #price-tiers). Undefined: nothing.
 */
export function scaleOf(
  { promptTokens = 0, longestPrompt = promptTokens, tiers }: Scaled,
  details: PriceDetails | undefined,
): Scale | undefined {
  const step = details?.steps.find(({ above }) => Math.trunc(longestPrompt) > above);
  if (step === undefined && tiers === undefined) return undefined;
  // Whatever a reply names twice, it is in one tier of that name.
  const charged = [...new Set(tiers)].map(
    (name): ChargedTier => ({ name, factor: undefined, ...details?.factors.get(name) }),
  );
  const times = (start: Decimal | undefined, kind?: 'cacheRead' | 'cacheWrite') =>
    charged.reduce(
      (product, tier) => multiply(product, (kind && tier[kind]) ?? tier.factor ?? one),
      start ?? one,
    );
  return {
    input: times(step?.input),
    output: times(step?.output),
    cacheRead: times(step?.cacheRead ?? step?.input, 'cacheRead'),
    cacheWrite: times(step?.cacheWrite ?? step?.input, 'cacheWrite'),
    ...(step === undefined ? {} : { step }),
    tiers: charged,
  };
}

/** Factors of cache reads and writes, where they are not those of all else, as rows and replies have them. */
export function cacheNumbers({ cacheRead, cacheWrite }: Partial<Omit<TierFactors, 'factor'>>): {
  cache_read?: number;
  cache_write?: number;
} {
  return {
    ...(cacheRead && { cache_read: toNumber(cacheRead) }),
    ...(cacheWrite && { cache_write: toNumber(cacheWrite) }),
  };
}

/** A step as rows and replies have it. */
export interface StepNumbers {
  readonly above: number;
  readonly input: number;
  readonly output: number;
  /** Of cache reads and writes, where they are not that of input. */
  readonly cache_read?: number;
  readonly cache_write?: number;
}

export function stepNumbers({ above, input, output, ...caches }: PriceStep): StepNumbers {
  return { above, input: toNumber(input), output: toNumber(output), ...cacheNumbers(caches) };
}

/** Factors of cache reads and writes by the names of tiers that have some. Undefined: none has. */
export function cacheFactorsOf(
  tiers: Iterable<readonly [name: string, Partial<Omit<TierFactors, 'factor'>>]>,
): Readonly<Record<string, CacheFactors>> | undefined {
  const known = [...tiers].flatMap(([name, { cacheRead, cacheWrite }]) => {
    const read = cacheRead && { read: toNumber(cacheRead) };
    const write = cacheWrite && { write: toNumber(cacheWrite) };
    return read === undefined && write === undefined
      ? []
      : [[name, { ...read, ...write }] as const];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
