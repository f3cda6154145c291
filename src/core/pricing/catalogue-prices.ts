/** The catalogue's list prices as entries of the price options (docs/rules/pricing.md#default-tables). */
import { type Decimal, decimal, multiply, ratioTo, toNumber } from '../kernel/decimal.ts';
import { modelRows } from '../models/rows/index.ts';
import type { ListPrice } from '../models/schema.ts';
import type { PriceRow, VendorPrices } from './rows.ts';

type RatioKind = Extract<
  keyof VendorPrices,
  | 'modelRatio'
  | 'completionRatio'
  | 'cacheRatio'
  | 'cacheWriteRatio'
  | 'audioRatio'
  | 'audioCompletionRatio'
  | 'imageRatio'
>;

const half = decimal('0.5');

/** `QuotaPerUnit` at which ratio 1 is 2 dollars per million tokens of prompt. */
export const usualUnit = 500_000;
const perUsualUnit = decimal('0.000002');

/** The ratio of a list price, in quota of a site with another `QuotaPerUnit`. */
export function ratioAtUnit(ratio: Decimal, quotaPerUnit: Decimal): Decimal {
  return multiply(ratio, multiply(quotaPerUnit, perUsualUnit));
}

/**
 * At {@link usualUnit}: ratio 1 is 2 dollars per million tokens of prompt; the others are relative
 * to the prompt.
 */
export function ratiosOf(price: ListPrice): Readonly<Partial<Record<RatioKind, number>>> {
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const { audioInput, audioOutput, imageInput } = price;
  const modelRatio = toNumber(multiply(decimal(input), half));
  if (input === 0) return { modelRatio };
  return {
    modelRatio,
    completionRatio: ratioTo(output, input),
    cacheRatio: ratioTo(cacheRead, input),
    cacheWriteRatio: ratioTo(cacheWrite, input),
    ...(audioInput === undefined ? {} : { audioRatio: ratioTo(audioInput, input) }),
    ...(audioInput === undefined || audioOutput === undefined
      ? {}
      : { audioCompletionRatio: ratioTo(audioOutput, audioInput) }),
    ...(imageInput === undefined ? {} : { imageRatio: ratioTo(imageInput, input) }),
  };
}

const priced = modelRows.flatMap(({ name, aliases = [], price }) =>
  price === undefined ? [] : [{ names: [name, ...aliases].join(' '), ratios: ratiosOf(price) }],
);

function rowsOf(kind: RatioKind): readonly PriceRow[] {
  return priced.flatMap(({ names, ratios }): PriceRow[] => {
    const value = ratios[kind];
    return value === undefined ? [] : [[value, names]];
  });
}

export const cataloguePrices: VendorPrices = {
  modelRatio: rowsOf('modelRatio'),
  completionRatio: rowsOf('completionRatio'),
  cacheRatio: rowsOf('cacheRatio'),
  cacheWriteRatio: rowsOf('cacheWriteRatio'),
  audioRatio: rowsOf('audioRatio'),
  audioCompletionRatio: rowsOf('audioCompletionRatio'),
  imageRatio: rowsOf('imageRatio'),
};
