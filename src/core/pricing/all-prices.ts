/** Every price of a model by a name, for comparisons. */
import { compare, type Decimal, divide, multiply, one } from '../kernel/decimal.ts';
import { longCacheWriteRatio } from './cost.ts';
import type { ModelPrice } from './find-price.ts';
import { formatCount } from './format.ts';
import { pricePerMillion, pricesByKind } from './price-per-million.ts';
import { otherResolutions } from './second-prices.ts';

/**
 * The prices of {@link pricesByKind} with all that is priced besides, each under a name: `output_above_200000` (tokens of
 * prompt), `input_priority`, `tool_web_search` (per call). A tier's factor is that of the input, as
 * it is that of the output.
 */
export function allPrices(
  price: ModelPrice,
  groupRatio: Decimal,
  quotaPerUnit: Decimal,
): Readonly<Record<string, Decimal>> {
  const kinds = pricesByKind(price, groupRatio, quotaPerUnit);
  if (price.kind === 'call') return kinds;
  const { imageRatio, completionRatio, audioRatio, details } = price;
  const base = multiply(price.modelRatio, groupRatio);
  const times = (...ratios: Decimal[]) =>
    pricePerMillion(ratios.reduce(multiply, base), quotaPerUnit);
  const named: [string, Decimal][] = [];
  if (compare(imageRatio, one) !== 0) named.push(['image_input', times(imageRatio)]);
  if (details === undefined) return { ...kinds, ...Object.fromEntries(named) };
  const { steps, factors, tools, longCacheWrite } = details;
  const { cachedAudio, cachedImage, thinking, textOutput } = details;
  if (longCacheWrite !== undefined)
    named.push(['long_cache_write', times(longCacheWriteRatio(price))]);
  if (audioRatio !== undefined && cachedAudio !== undefined)
    named.push(['cached_audio', times(audioRatio, cachedAudio)]);
  if (cachedImage !== undefined) named.push(['cached_image', times(imageRatio, cachedImage)]);
  if (thinking !== undefined) named.push(['thinking', times(thinking)]);
  if (textOutput !== undefined) named.push(['text_output', times(completionRatio, textOutput)]);
  for (const { above, input, output, cacheRead, cacheWrite } of steps) {
    named.push(
      [`input_above_${above}`, times(input)],
      [`output_above_${above}`, times(completionRatio, output)],
    );
    if (cacheRead !== undefined)
      named.push([`cache_read_above_${above}`, times(price.cacheRatio, cacheRead)]);
    if (cacheWrite !== undefined)
      named.push([`cache_write_above_${above}`, times(price.cacheWriteRatio, cacheWrite)]);
  }
  for (const [tier, { factor, cacheRead, cacheWrite }] of factors) {
    named.push([`input_${tier}`, times(factor)]);
    if (cacheRead !== undefined)
      named.push([`cache_read_${tier}`, times(price.cacheRatio, cacheRead)]);
    if (cacheWrite !== undefined)
      named.push([`cache_write_${tier}`, times(price.cacheWriteRatio, cacheWrite)]);
  }
  for (const [tool, cost] of tools) named.push([`tool_${tool}`, multiply(cost, groupRatio)]);
  return { ...kinds, ...Object.fromEntries(named) };
}

/** A price in which two differ; undefined: there is none. */
export interface PriceDifference {
  readonly name: string;
  readonly from: Decimal | undefined;
  readonly to: Decimal | undefined;
}

/** Decimal places to which prices are compared: ratios that do not end are rounded. */
const comparedPlaces = 9;

/** A price without what the rounding of its ratios left in it. */
export function listedPrice(price: Decimal): Decimal {
  return divide(price, one, comparedPlaces);
}

const rounded = (price: Decimal | undefined) => price && listedPrice(price);

function isSame(a: Decimal | undefined, b: Decimal | undefined): boolean {
  return a === undefined || b === undefined ? a === b : compare(a, b) === 0;
}

/** Everything at the price of input, so that only what is relative to it shows. */
function relative(price: ModelPrice): ModelPrice {
  if (price.kind === 'call') return price;
  return { ...price, modelRatio: one, completionRatio: one, cacheRatio: one, cacheWriteRatio: one };
}

/**
 * Where two prices differ. What is relative to another price, such as that of a tier, is named only
 * where it is not the same share of it.
 */
export function differingPrices(
  from: ModelPrice | undefined,
  to: ModelPrice | undefined,
  quotaPerUnit: Decimal,
): readonly PriceDifference[] {
  const read = (price: ModelPrice | undefined): Readonly<Record<string, Decimal>> =>
    price === undefined ? {} : allPrices(price, one, quotaPerUnit);
  const old = read(from);
  const next = read(to);
  const oldShare = read(from && relative(from));
  const nextShare = read(to && relative(to));
  return [...new Set([...Object.keys(old), ...Object.keys(next)])].flatMap((name) => {
    const before = rounded(old[name]);
    const after = rounded(next[name]);
    const isRelative = words[name] === undefined || name === 'long_cache_write';
    const share = isRelative && isSame(rounded(oldShare[name]), rounded(nextShare[name]));
    return share || isSame(before, after) ? [] : [{ name, from: before, to: after }];
  });
}

const words: Readonly<Record<string, { readonly en: string; readonly zh: string }>> = {
  input: { en: 'input', zh: '输入' },
  output: { en: 'output', zh: '输出' },
  cache_read: { en: 'cache read', zh: '缓存读取' },
  cache_write: { en: 'cache write', zh: '缓存写入' },
  long_cache_write: { en: 'longer cache write', zh: '较长时效的缓存写入' },
  audio_input: { en: 'audio input', zh: '音频输入' },
  audio_output: { en: 'audio output', zh: '音频输出' },
  cached_audio: { en: 'cached audio', zh: '缓存的音频' },
  cached_image: { en: 'cached images', zh: '缓存的图片' },
  image_input: { en: 'image input', zh: '图片输入' },
  thinking: { en: 'thinking', zh: '思考' },
  text_output: { en: 'text output', zh: '文本输出' },
  call: { en: 'call', zh: '每次' },
};

/** A second of video: `720P`, `720P SILENT`, or `*` for every other resolution. */
function secondWords(resolution: string, language: 'en' | 'zh'): string {
  const [size = '', silent] = resolution.split(' ');
  const other = size === otherResolutions;
  if (language === 'zh')
    return `每秒${other ? '其他分辨率' : ` ${size} `}视频${silent ? '（无声）' : ''}`;
  return `second of ${silent ? 'silent ' : ''}video${other ? ', other sizes' : ` in ${size}`}`;
}

/** A name of {@link allPrices} in words. */
export function priceWords(name: string, language: 'en' | 'zh'): string {
  const known = words[name];
  if (known !== undefined) return known[language];
  if (name.startsWith('second_')) return secondWords(name.slice('second_'.length), language);
  const [, kind, above] = /^(input|output|cache_read|cache_write)_above_(\d+)$/.exec(name) ?? [];
  const length = formatCount(Number(above));
  if (kind !== undefined)
    return language === 'zh'
      ? `${priceWords(kind, language)}（超过 ${length} token）`
      : `${priceWords(kind, language)} above ${length} tokens`;
  if (name.startsWith('tool_')) {
    const tool = name.slice('tool_'.length).replaceAll('_', ' ');
    return language === 'zh' ? `${tool} 每次` : `${tool} call`;
  }
  const [, priced = 'input', tier = name] =
    /^(input|cache_read|cache_write)_(.+)$/.exec(name) ?? [];
  const kindWords = priceWords(priced, language);
  return language === 'zh' ? `${kindWords}（${tier}）` : `${kindWords} at ${tier}`;
}
