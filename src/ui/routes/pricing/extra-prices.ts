/** What the columns of prices do not show, a sentence each. */
import { type Decimal, decimal, multiply } from '../../../core/kernel/decimal.ts';
import type { PeakHours } from '../../../core/pricing/details.ts';
import { formatTokenCount } from '../../../core/pricing/format.ts';
import { imagePriceOfRatio } from '../../../core/pricing/price-per-million.ts';
import { otherResolutions } from '../../../core/pricing/second-prices.ts';
import { ratioText } from '../../components/measured-tone.ts';
import type { PricedModel } from '../../components/priced-model.ts';
import { currentLanguage, type Translate } from '../../i18n/index.ts';

/** `Mon–Fri 01:00–04:00`, in UTC; days in the reader's language. */
function hoursText({ days, from, to }: PeakHours): string {
  const dayName = (day: number) =>
    new Date(Date.UTC(2026, 0, 4 + day)).toLocaleDateString(currentLanguage(), {
      weekday: 'short',
      timeZone: 'UTC',
    });
  const time = (minute: number) =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  const first = days[0];
  const last = days.at(-1);
  const isRow = days.every((day, index) => day === (first ?? 0) + index);
  const named =
    isRow && days.length > 2 && first !== undefined && last !== undefined
      ? `${dayName(first)}–${dayName(last)}`
      : days.map(dayName).join(' ');
  return `${named} ${time(from)}–${time(to)}`;
}

/** `720P`, `720P silent`, other sizes. */
function resolutionText(name: string, t: Translate): string {
  const [size = '', silent] = name.split(' ');
  const shown = size === otherResolutions ? t('pricing.otherSizes') : size;
  return silent === undefined ? shown : t('pricing.silent', { size: shown });
}

/** `flex ×0.5`, and what cache reads and writes cost there where it is not that. */
function tierText(
  name: string,
  factor: number,
  { read, write }: { readonly read?: number | undefined; readonly write?: number | undefined },
  t: Translate,
): string {
  const parts = [
    `${name} ${ratioText(factor)}`,
    ...(read === undefined ? [] : [`${t('pricing.column.cached')} ${ratioText(read)}`]),
    ...(write === undefined ? [] : [`${t('pricing.column.cacheWrite')} ${ratioText(write)}`]),
  ];
  return parts.join(' · ');
}

type Money = (amount: Decimal) => string;

/** Seconds of video by resolution, images by size and quality. */
function perCall({ row, perRequest }: PricedModel, money: Money, t: Translate): readonly string[] {
  if (perRequest === undefined) return [];
  const times = (factor: number) => money(multiply(perRequest, decimal(factor)));
  const { video_ratios: videos = {}, image_factors: images = {} } = row;
  return [
    ...Object.entries(videos).map(
      ([name, ratio]) =>
        `${resolutionText(name, t)} ${t('pricing.perSecond', { price: times(ratio) })}`,
    ),
    ...Object.entries(images).map(([size, factor]) => `${size} ${times(factor)}`),
  ];
}

/** Steps, lives of caches, sound, images, tiers and tools of a price by tokens; sizes of one by call. */
export function extraPrices(model: PricedModel, money: Money, t: Translate): readonly string[] {
  const { prices, perRequest, groupRatio } = model;
  const { details, image_ratio: image, image_factors: images, model_ratio: ratio } = model.row;
  if (prices === undefined || perRequest !== undefined) return perCall(model, money, t);
  const { audioIn, audioOut, prompt, cached, cacheWrite, completion } = prices;
  const { steps = [], factors = {}, tools = {}, long_cache_write_ratio: long } = details ?? {};
  const { peak_hours: hours = [], cached_audio_ratio: cachedAudio } = details ?? {};
  const { thinking_ratio: thinking, cached_image_ratio: cachedImage } = details ?? {};
  const { cache_factors: cacheFactors = {} } = details ?? {};
  const { text_output_ratio: textOutput } = details ?? {};
  return [
    ...[...steps].reverse().map(({ above, input, output, cache_read, cache_write }) =>
      t('pricing.extra.step', {
        tokens: formatTokenCount(above).replace('.0', ''),
        input: money(multiply(prompt, decimal(input))),
        output: money(multiply(completion, decimal(output))),
        read: money(multiply(cached, decimal(cache_read ?? input))),
        write: money(multiply(cacheWrite, decimal(cache_write ?? input))),
      }),
    ),
    ...(long === undefined
      ? []
      : [t('pricing.extra.longWrite', { price: money(multiply(cacheWrite, decimal(long))) })]),
    ...(audioIn === undefined || audioOut === undefined
      ? []
      : [t('pricing.extra.audio', { input: money(audioIn), output: money(audioOut) })]),
    ...(cachedAudio === undefined || audioIn === undefined
      ? []
      : [
          t('pricing.extra.cachedAudio', {
            price: money(multiply(audioIn, decimal(cachedAudio))),
          }),
        ]),
    ...(thinking === undefined
      ? []
      : [t('pricing.extra.thinking', { price: money(multiply(prompt, decimal(thinking))) })]),
    ...(textOutput === undefined
      ? []
      : [
          t('pricing.extra.textOutput', {
            price: money(multiply(completion, decimal(textOutput))),
          }),
        ]),
    ...(image === 1
      ? []
      : [t('pricing.extra.image', { price: money(multiply(prompt, decimal(image))) })]),
    ...(cachedImage === undefined
      ? []
      : [
          t('pricing.extra.cachedImage', {
            price: money(multiply(prompt, multiply(decimal(image), decimal(cachedImage)))),
          }),
        ]),
    ...Object.entries(factors).map(([name, factor]) =>
      tierText(name, factor, cacheFactors[name] ?? {}, t),
    ),
    ...(hours.length === 0
      ? []
      : [t('pricing.extra.peak', { hours: hours.map(hoursText).join(', ') })]),
    ...Object.entries(tools)
      .filter(([, price]) => price > 0)
      .map(([name, price]) =>
        t('pricing.extra.tool', {
          name: name.replaceAll('_', ' '),
          price: money(multiply(decimal(price), decimal(groupRatio))),
        }),
      ),
    ...(images === undefined
      ? []
      : [
          t('pricing.extra.eachImage', {
            price: money(multiply(imagePriceOfRatio(decimal(ratio)), decimal(groupRatio))),
          }),
        ]),
    ...Object.entries(images ?? {}).map(([size, factor]) => `${size} ${ratioText(factor)}`),
  ];
}
