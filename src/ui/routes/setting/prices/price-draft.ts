/**
 * A price while it is typed: per request or per token, as ratios or as prices per million tokens.
 */
import {
  type Decimal,
  decimal,
  divide,
  multiply,
  one,
  toText,
} from '../../../../core/kernel/decimal.ts';
import { placesOf } from '../../../../core/pricing/format.ts';
import {
  completionRatioFromPrices,
  pricePerMillion,
  ratioFromPrice,
} from '../../../../core/pricing/price-per-million.ts';
import type { TextKey } from '../../../i18n/index.ts';
import type { PriceEdit, PriceTableKey, PriceValues } from './price-tables.ts';

/** Kinds of tokens with a price of their own, and the table of each. */
export const tokenKinds = {
  input: 'ModelRatio',
  output: 'CompletionRatio',
  cached: 'CacheRatio',
  cacheWrite: 'CreateCacheRatio',
  image: 'ImageRatio',
  audioIn: 'AudioRatio',
  audioOut: 'AudioCompletionRatio',
} as const satisfies Record<string, PriceTableKey>;
export type TokenKind = keyof typeof tokenKinds;
export const tokenKindNames = Object.keys(tokenKinds) as readonly TokenKind[];

export interface PriceDraft {
  readonly name: string;
  readonly billing: 'token' | 'request';
  readonly entry: 'ratio' | 'price';
  /** As typed; '' leaves the built-in value. */
  readonly texts: Readonly<Record<TokenKind, string>>;
  /** What the texts were converted from, in the other way to write them. */
  readonly converted?: PriceDraft['texts'];
  readonly perRequest: string;
}

export type DraftField = TokenKind | 'name' | 'perRequest';
export type DraftProblems = Readonly<Partial<Record<DraftField, TextKey>>>;

export const noTexts: Readonly<Record<TokenKind, string>> = {
  input: '',
  output: '',
  cached: '',
  cacheWrite: '',
  image: '',
  audioIn: '',
  audioOut: '',
};

/** The largest price or ratio that the server takes (docs/rules/pricing.md#price-limits). */
const largest = 1_000_000;

export function draftOf(name: string, values: PriceValues): PriceDraft {
  const texts = { ...noTexts };
  for (const kind of tokenKindNames) {
    const value = values[tokenKinds[kind]];
    if (value !== undefined) texts[kind] = toText(decimal(value));
  }
  const { ModelPrice: price } = values;
  return {
    name,
    billing: price === undefined ? 'token' : 'request',
    entry: 'ratio',
    texts,
    perRequest: price === undefined ? '' : toText(decimal(price)),
  };
}

/** A number as it is typed; undefined: it is none. A comma is no decimal point. */
export function readNumber(text: string): Decimal | undefined {
  const trimmed = text.trim();
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(trimmed) ? decimal(trimmed) : undefined;
}

/** Without the noise of a division, and never 0 where it is not. */
const clean = (value: Decimal) => toText(divide(value, one, placesOf(value, 9)));

/**
 * Prices per million tokens of these ratios; '' where the ratio or one that it builds on is not
 * given.
 */
function pricesOf(ratios: PriceDraft['texts'], quotaPerUnit: Decimal): Record<TokenKind, string> {
  const base = readNumber(ratios.input);
  const audio = readNumber(ratios.audioIn);
  const priceOf = (...factors: readonly (Decimal | undefined)[]) => {
    let product = one;
    for (const factor of factors) {
      if (factor === undefined) return '';
      product = multiply(product, factor);
    }
    return clean(pricePerMillion(product, quotaPerUnit));
  };
  return {
    input: priceOf(base),
    output: priceOf(base, readNumber(ratios.output)),
    cached: priceOf(base, readNumber(ratios.cached)),
    cacheWrite: priceOf(base, readNumber(ratios.cacheWrite)),
    image: priceOf(base, readNumber(ratios.image)),
    audioIn: priceOf(base, audio),
    audioOut: priceOf(base, audio, readNumber(ratios.audioOut)),
  };
}

/**
 * The ratios of these prices; '' where they cannot be computed, because the price that they are
 * relative to is 0 or not given.
 */
function ratiosOf(prices: PriceDraft['texts'], quotaPerUnit: Decimal): Record<TokenKind, string> {
  const input = readNumber(prices.input);
  const audio = readNumber(prices.audioIn);
  const relative = (text: string, to: Decimal | undefined) => {
    const price = readNumber(text);
    const ratio =
      price === undefined || to === undefined ? undefined : completionRatioFromPrices(to, price);
    return ratio === undefined ? '' : toText(decimal(ratio));
  };
  return {
    input: input === undefined ? '' : toText(decimal(ratioFromPrice(input, quotaPerUnit))),
    output: relative(prices.output, input),
    cached: relative(prices.cached, input),
    cacheWrite: relative(prices.cacheWrite, input),
    image: relative(prices.image, input),
    audioIn: relative(prices.audioIn, input),
    audioOut: relative(prices.audioOut, audio),
  };
}

/** Prices per million tokens at these ratios, for an input price as typed. */
export function defaultPrices(
  ratios: PriceDraft['texts'],
  inputPrice: string,
  quotaPerUnit: number,
): PriceDraft['texts'] {
  const price = readNumber(inputPrice);
  if (price === undefined) return noTexts;
  const unit = decimal(quotaPerUnit);
  return {
    ...pricesOf({ ...ratios, input: toText(decimal(ratioFromPrice(price, unit))) }, unit),
    input: '',
  };
}

/** The other way to write each value: prices for ratios, ratios for prices. */
export function converted(
  { entry, texts }: PriceDraft,
  quotaPerUnit: number,
): Readonly<Record<TokenKind, string>> {
  const unit = decimal(quotaPerUnit);
  return entry === 'ratio' ? pricesOf(texts, unit) : ratiosOf(texts, unit);
}

/**
 * The same, where a text is as it was converted what it was converted from: the way there and back
 * may round it.
 */
function convertedBack(draft: PriceDraft, quotaPerUnit: number): PriceDraft['texts'] {
  const texts = { ...converted(draft, quotaPerUnit) };
  const { converted: from } = draft;
  if (from === undefined) return texts;
  const entry = draft.entry === 'ratio' ? 'price' : 'ratio';
  const shown = converted({ ...draft, entry, texts: from }, quotaPerUnit);
  const isSame = (kind: TokenKind) => draft.texts[kind] === shown[kind];
  for (const kind of tokenKindNames) {
    const base = kind === 'audioOut' ? 'audioIn' : 'input';
    if (from[kind] !== '' && isSame(kind) && isSame(base) && isSame('input'))
      texts[kind] = from[kind];
  }
  return texts;
}

export function withEntry(
  draft: PriceDraft,
  entry: PriceDraft['entry'],
  quotaPerUnit: number,
): PriceDraft {
  if (entry === draft.entry) return draft;
  const { texts } = draft;
  return { ...draft, entry, texts: convertedBack(draft, quotaPerUnit), converted: texts };
}

/** What is wrong with a number; undefined: nothing, or nothing was typed. */
export function numberProblem(text: string): TextKey | undefined {
  if (text.trim() === '') return undefined;
  const value = readNumber(text);
  if (value === undefined) return 'prices.problem.number';
  if (value.digits < 0n) return 'prices.problem.negative';
  return Number(toText(value)) > largest ? 'prices.problem.tooLarge' : undefined;
}

/** A price per request must be above 0: a model that is free gets the ratio 0. */
export function callPriceProblem(text: string): TextKey | undefined {
  return (
    numberProblem(text) ?? (readNumber(text)?.digits === 0n ? 'prices.problem.zero' : undefined)
  );
}

interface DraftRules {
  /** Names that have a price already; undefined: the name is not requested. */
  readonly taken: ReadonlySet<string> | undefined;
  /** Several models: what is left empty stays as it is. */
  readonly batch: boolean;
  readonly quotaPerUnit: number;
}

export function problemsOf(
  draft: PriceDraft,
  { taken, batch, quotaPerUnit }: DraftRules,
): DraftProblems {
  const problems: Partial<Record<DraftField, TextKey>> = {};
  const note = (field: DraftField, problem: TextKey | undefined) => {
    if (problem !== undefined) problems[field] = problem;
  };
  if (taken !== undefined) {
    const name = draft.name.trim();
    note(
      'name',
      name === '' ? 'prices.problem.name' : taken.has(name) ? 'prices.problem.taken' : undefined,
    );
  }
  if (draft.billing === 'request') {
    note(
      'perRequest',
      draft.perRequest.trim() === '' ? 'prices.problem.number' : callPriceProblem(draft.perRequest),
    );
    return problems;
  }
  for (const kind of tokenKindNames) note(kind, numberProblem(draft.texts[kind]));
  if (!batch && draft.texts.input.trim() === '') note('input', 'prices.problem.number');
  if (draft.entry === 'price') {
    const ratios = converted(draft, quotaPerUnit);
    for (const kind of tokenKindNames) {
      const isTyped = draft.texts[kind].trim() !== '';
      if (isTyped && problems[kind] === undefined && ratios[kind] === '') {
        note(kind, kind === 'audioOut' ? 'prices.problem.needsAudio' : 'prices.problem.needsInput');
      } else if (isTyped) note(kind, problems[kind] ?? numberProblem(ratios[kind]));
    }
  }
  return problems;
}

/** What a draft without problems changes. The other way of billing ends. */
export function editOf(
  draft: PriceDraft,
  { batch, quotaPerUnit }: Pick<DraftRules, 'batch' | 'quotaPerUnit'>,
): PriceEdit {
  const ratioKeys = Object.values(tokenKinds);
  if (draft.billing === 'request') {
    const none = Object.fromEntries(ratioKeys.map((key) => [key, null]));
    return { ...none, ModelPrice: Number(draft.perRequest) };
  }
  const ratios = draft.entry === 'ratio' ? draft.texts : convertedBack(draft, quotaPerUnit);
  const edit: Partial<Record<PriceTableKey, number | null>> = { ModelPrice: null };
  for (const kind of tokenKindNames) {
    const text = ratios[kind].trim();
    if (text !== '') edit[tokenKinds[kind]] = Number(text);
    else if (!batch) edit[tokenKinds[kind]] = null;
  }
  return edit;
}
