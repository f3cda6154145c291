/**
 * What a request must cost, computed a second time: fractions of BigInts, written from
 * docs/rules/pricing.md and sharing no code with the product.
 */

interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

/** The exact value of a number's shortest text, such as `66.67` or `1e-7`. */
export function fraction(value: number): Fraction {
  const [mantissa = '0', exponent = '0'] = String(value).toLowerCase().split('e');
  const [whole = '0', decimals = ''] = mantissa.split('.');
  const shift = Number(exponent) - decimals.length;
  const digits = BigInt(whole + decimals);
  return shift >= 0
    ? { n: digits * 10n ** BigInt(shift), d: 1n }
    : { n: digits, d: 10n ** BigInt(-shift) };
}

const plus = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });

/** The nearest integer of a value that is not negative; a half goes up. */
const nearest = ({ n, d }: Fraction): bigint => (2n * n + d) / (2n * d);

export interface TokenPrice {
  readonly ratio: number;
  readonly completion: number;
  readonly cache: number;
  readonly write: number;
  readonly image: number;
  /** Undefined: audio is text. */
  readonly audio: number | undefined;
  readonly audioOut: number;
  /** Units per 1,000 searches. */
  readonly searches: number;
}

/** Figures that are consistent: no kind of token exceeds its total. */
export interface OracleUsage {
  readonly prompt: number;
  readonly completion: number;
  readonly cached: number;
  readonly written: number;
  /** Of the written ones. */
  readonly writtenForHour: number;
  readonly image: number;
  readonly audioIn: number;
  readonly audioOut: number;
  readonly searches: number;
}

export interface Site {
  readonly groupRatio: number;
  readonly quotaPerUnit: number;
}

/** docs/rules/ledger.md#amount-limit. */
const most = 10n ** 15n;

/** At least 1 where something was used at a price, and never above the largest amount. */
function limited(quota: bigint, used: boolean, price: number, { groupRatio }: Site): number {
  if (quota > most) return Number(most);
  return Number(quota === 0n && used && price > 0 && groupRatio > 0 ? 1n : quota);
}

export function oracleForTokens(usage: OracleUsage, price: TokenPrice, site: Site): number {
  const split = price.audio !== undefined;
  const audioIn = split ? usage.audioIn : 0;
  const audioOut = split ? usage.audioOut : 0;
  const text = usage.prompt - usage.cached - usage.written - usage.image - audioIn;
  const weighted: readonly (readonly number[])[] = [
    [text],
    [usage.cached, price.cache],
    [usage.written - usage.writtenForHour, price.write],
    [usage.writtenForHour, price.write, 1.6],
    [usage.image, price.image],
    [audioIn, price.audio ?? 1],
    [usage.completion - audioOut, price.completion],
    [audioOut, price.audio ?? 1, price.audioOut],
  ];
  const tokens = weighted.map((factors) => factors.map(fraction).reduce(times)).reduce(plus);
  const searches = [usage.searches, price.searches, 0.001, site.quotaPerUnit]
    .map(fraction)
    .reduce(times);
  const sum = plus(times(tokens, fraction(price.ratio)), searches);
  const used = usage.prompt + usage.completion + (price.searches > 0 ? usage.searches : 0) > 0;
  return limited(nearest(times(sum, fraction(site.groupRatio))), used, price.ratio, site);
}

/** `factor`: size and quality of images. */
export function oracleForCalls(price: number, count: number, factor: number, site: Site): number {
  const exact = [price, count, factor, site.quotaPerUnit, site.groupRatio]
    .map(fraction)
    .reduce(times);
  return limited(nearest(exact), count > 0, price, site);
}
