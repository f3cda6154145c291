/** `turnpike pricing explain`. */

import { type Decimal, decimal, multiply, one } from '../../../core/kernel/decimal.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import {
  type BillableUsage,
  type Charge,
  chargeSeconds,
  priceCalls,
  priceUsage,
} from '../../../core/pricing/cost.ts';
import { makeTicket } from '../../../core/pricing/explain.ts';
import { findPrice, type ModelPrice } from '../../../core/pricing/find-price.ts';
import { formatPrice } from '../../../core/pricing/format.ts';
import { imageOrder, isPricedEach, priceImages } from '../../../core/pricing/images.ts';
import { priceChangeOf } from '../../../core/pricing/price-change.ts';
import { pricePerMillion } from '../../../core/pricing/price-per-million.ts';
import type { VideoMeasure } from '../../../core/pricing/second-prices.ts';
import { explanationSteps } from '../../../core/pricing/steps.ts';
import { taskPrice } from '../../../core/pricing/task-price.ts';
import { videoTerms } from '../../../core/pricing/video-ratios.ts';
import type { Flag } from '../../base/flags.ts';
import { localize } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { type Context, command } from '../../command/command.ts';
import { pickGlyphs } from '../../kit/glyphs.ts';
import { ticketLines } from '../../show/ticket.ts';
import { groupFlag, loadPrices, ratioIn } from './site-prices.ts';

const count = (name: string, en: string, zh: string): Flag => ({
  name,
  kind: 'integer',
  summary: { en, zh },
});

/** The usage that the flags describe. Throws UsageError on a negative count. */
function readUsage(values: Context['values']): BillableUsage {
  const integer = (name: string) => values.integer(name);
  const usage = {
    promptTokens: integer('prompt') ?? 0,
    completionTokens: integer('completion') ?? 0,
    cachedTokens: integer('cached') ?? 0,
    cacheWriteTokens: Math.max(integer('cache-write') ?? 0, integer('cache-write-1h') ?? 0),
    cacheWrite1hTokens: integer('cache-write-1h') ?? 0,
    promptImageTokens: integer('image') ?? 0,
    promptAudioTokens: integer('audio-in') ?? 0,
    completionAudioTokens: integer('audio-out') ?? 0,
  };
  const searches = integer('searches') ?? 0;
  if (
    [...Object.values(usage), searches, integer('images') ?? 0, integer('cache-write') ?? 0].some(
      (count) => count < 0,
    )
  ) {
    throw new UsageError({ en: 'Counts cannot be negative', zh: '数量不能为负' });
  }
  const tiers = values.text('tier')?.split(',');
  return {
    ...usage,
    ...(searches === 0 ? {} : { toolCalls: { web_search: searches } }),
    ...(tiers === undefined ? {} : { tiers }),
  };
}

/** The video that the flags describe; one second where a price by the second is explained. */
function readVideo(values: Context['values'], price: ModelPrice): VideoMeasure | undefined {
  const seconds = values.integer('seconds');
  const isPerSecond = price.kind === 'call' && price.perSecond !== undefined;
  if (seconds === undefined && !isPerSecond) return undefined;
  if ((seconds ?? 1) < 1) throw new UsageError({ en: 'A video has seconds', zh: '时长至少 1 秒' });
  const [resolution = '', silent] = (values.text('resolution') ?? '720P').toUpperCase().split(' ');
  return { seconds: seconds ?? 1, resolution, silent: silent !== undefined };
}

const nextWords = {
  en: 'From {day} (UTC) on: input {input}, output {output} per million tokens',
  zh: '自 {day}（UTC）起：每 100 万 tokens 输入 {input}，输出 {output}',
};

/** As it would be charged. */
function explainVideo(
  { price, ratios }: ReturnType<typeof videoTerms>,
  { seconds }: VideoMeasure,
  groupRatio: Decimal,
  quotaPerUnit: Decimal,
): Charge {
  if (ratios === undefined) return priceCalls(price.price, 1, groupRatio, quotaPerUnit);
  const second = multiply(price.price, ratios['resolution'] ?? one);
  return chargeSeconds(seconds, second, groupRatio, quotaPerUnit);
}

export const explainCommand = command({
  name: 'pricing explain',
  summary: { en: 'Explain the cost of a request, line by line', zh: '逐项说明一次请求的费用' },
  flags: [
    {
      name: 'model',
      kind: 'text',
      required: true,
      summary: { en: 'Requested model', zh: '请求的模型' },
    },
    groupFlag,
    {
      name: 'user-group',
      kind: 'text',
      summary: {
        en: "The user's own group, if it has a special ratio",
        zh: '用户自身的分组（存在特殊倍率时）',
      },
    },
    count(
      'prompt',
      'Prompt tokens, including cached, image and audio tokens',
      '输入 token 数（含缓存、图片与音频）',
    ),
    count('completion', 'Completion tokens, including audio tokens', '输出 token 数（含音频）'),
    count('cached', 'Prompt tokens read from the cache', '其中命中缓存的 token 数'),
    count('cache-write', 'Prompt tokens written to the cache', '其中写入缓存的 token 数'),
    count(
      'cache-write-1h',
      'Of these, tokens of the longer cache life',
      '其中较长缓存时效的写入 token 数',
    ),
    count('image', 'Prompt tokens of images', '其中图片的 token 数'),
    count('audio-in', 'Prompt tokens of audio', '输入中的音频 token 数'),
    count('audio-out', 'Completion tokens of audio', '输出中的音频 token 数'),
    count('searches', 'Web searches run by the provider', '供应商执行的联网搜索次数'),
    {
      name: 'tier',
      kind: 'text',
      summary: {
        en: 'Tiers, speed and place that the reply names, such as priority or fast,us',
        zh: '响应注明的服务等级、速度与地区，如 priority 或 fast,us',
      },
    },
    count(
      'images',
      'Images generated, for models charged per image',
      '生成的图片数（按张计费的模型）',
    ),
    {
      name: 'size',
      kind: 'text',
      summary: { en: 'Image size, such as 1024x1792', zh: '图片尺寸，如 1024x1792' },
    },
    {
      name: 'quality',
      kind: 'text',
      summary: { en: 'Image quality, such as hd', zh: '图片质量，如 hd' },
    },
    count('seconds', 'Length of a video in seconds', '视频时长（秒）'),
    {
      name: 'resolution',
      kind: 'text',
      summary: {
        en: "Resolution of a video, such as 720P or '720P silent' (default: 720P)",
        zh: '视频分辨率，如 720P 或 “720P silent”（无声；默认 720P）',
      },
    },
  ],
  async run(context) {
    const { values } = context;
    values.input(); // throws if a required flag is missing
    const model = values.text('model') ?? '';
    const group = values.text('group') ?? 'default';
    const prices = await loadPrices(context);
    const { tables, videoRatios, quotaPerUnit, selfUse } = prices;
    const price = findPrice(model, tables, { selfUse });
    if (price === undefined) throw new AppError('model_price_error', { model });
    const groupRatio = ratioIn(group, prices, values.text('user-group'));
    const usage = readUsage(values);
    const images = values.integer('images');
    const video = readVideo(values, price);
    const charge =
      video !== undefined
        ? explainVideo(
            videoTerms(model, video, taskPrice(price), videoRatios),
            video,
            groupRatio,
            quotaPerUnit,
          )
        : images !== undefined && isPricedEach(model, price)
          ? priceImages(
              model,
              price,
              imageOrder(model, {
                count: images,
                size: values.text('size'),
                quality: values.text('quality'),
              }),
              groupRatio,
              quotaPerUnit,
            )
          : priceUsage(usage, price, groupRatio, quotaPerUnit);
    const ticket = makeTicket(charge, quotaPerUnit);
    const next = priceChangeOf(model, price);
    return {
      json: {
        model,
        group,
        quota: ticket.quota,
        steps: explanationSteps(ticket, group),
        ...(next && { next_price: next }),
      },
      async print(output, view) {
        const { money } = await view();
        const glyphs = pickGlyphs(false, context.environment);
        for (const line of ticketLines(ticket, {
          money,
          glyphs,
          language: output.language,
          group,
        }))
          output.line(line.text);
        if (next === undefined) return;
        const input = multiply(decimal(next.model_ratio), groupRatio);
        const shown = (ratio: Decimal) => formatPrice(pricePerMillion(ratio, quotaPerUnit)).text;
        output.line(
          localize(output.language, nextWords, {
            day: next.from,
            input: shown(input),
            output: shown(multiply(input, decimal(next.completion_ratio))),
          }),
        );
      },
    };
  },
});
