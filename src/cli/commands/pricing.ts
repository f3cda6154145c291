/**
 * `turnpike pricing …`: prices as the gateway calculates them, with the formula
 * (docs/rules/pricing.md#explanation).
 */
import { api } from '../../core/contract/index.ts';
import { decimal, toNumber } from '../../core/kernel/decimal.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { differingPrices, priceWords } from '../../core/pricing/all-prices.ts';
import { type BillableUsage, priceUsage } from '../../core/pricing/cost.ts';
import { makeTicket } from '../../core/pricing/explain.ts';
import { findPrice, groupRatioFor } from '../../core/pricing/find-price.ts';
import { formatPrice } from '../../core/pricing/format.ts';
import { imageOrder, isPricedEach, priceImages } from '../../core/pricing/images.ts';
import { findListPrice } from '../../core/pricing/list-prices.ts';
import { explanationSteps } from '../../core/pricing/steps.ts';
import type { Flag } from '../base/flags.ts';
import { UsageError } from '../base/usage-error.ts';
import { type Command, type Context, command, listed } from '../command/command.ts';
import { pickGlyphs } from '../kit/glyphs.ts';
import { ticketLines } from '../show/ticket.ts';
import { pricingList } from './pricing-list.ts';
import { groupFlag, loadPrices, type SitePrices } from './site-prices.ts';

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

/** A price of a model: the site's, and the vendor's list price. */
interface PriceDifference {
  readonly model: string;
  /** A name of allPrices. */
  readonly price: string;
  /** Currency units per million tokens or per call; null: the site has no price. */
  readonly site: number | null;
  readonly list: number;
}

/** Each price in which the site differs from the list, of models that have a list price. */
function differencesOf(
  model: string,
  { tables, quotaPerUnit }: SitePrices,
): readonly PriceDifference[] {
  const listPrice = findListPrice(model);
  if (listPrice === undefined) return [];
  const differing = differingPrices(findPrice(model, tables), listPrice, quotaPerUnit);
  // What the list has no price for is the operator's own matter.
  return differing.flatMap(({ name, from, to }) =>
    to === undefined
      ? []
      : [
          {
            model,
            price: name,
            site: from === undefined ? null : toNumber(from),
            list: toNumber(to),
          },
        ],
  );
}

export const pricingCommands: readonly Command[] = [
  pricingList,
  command({
    name: 'pricing diff',
    summary: {
      en: "Where the site's prices differ from the vendors' list prices",
      zh: '本站价格与供应商官方价不同之处',
    },
    details: {
      en: 'Of models that channels offer; with --all of every model that the site prices. Group ratios are left out.',
      zh: '只看渠道提供的模型；加 --all 则包含本站定价的所有模型。不含分组倍率。',
    },
    flags: [
      {
        name: 'all',
        kind: 'switch',
        summary: { en: 'Also models that no channel offers', zh: '也包括没有渠道提供的模型' },
      },
    ],
    async run(context) {
      const prices = await loadPrices(context);
      const { data } = await context.call(api.catalog.pricing, {});
      const { modelRatio, modelPrice } = prices.tables;
      const names = new Set(data.map((row) => row.model_name));
      if (context.values.has('all'))
        for (const name of [...modelRatio.keys(), ...modelPrice.keys()]) names.add(name);
      const items = [...names].sort().flatMap((model) => differencesOf(model, prices));
      return listed<PriceDifference>({ items, total: items.length }, [
        { title: { en: 'model', zh: '模型' }, value: (row) => row.model, narrow: 'elide' },
        {
          title: { en: 'price', zh: '价格项' },
          value: (row, { language }) => priceWords(row.price, language),
        },
        {
          title: { en: 'site', zh: '本站' },
          value: (row) => (row.site === null ? '—' : formatPrice(decimal(row.site)).text),
          align: 'right',
        },
        {
          title: { en: 'list', zh: '官方价' },
          value: (row) => formatPrice(decimal(row.list)).text,
          align: 'right',
        },
      ]);
    },
  }),
  command({
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
    ],
    async run(context) {
      const { values } = context;
      values.input(); // throws if a required flag is missing
      const model = values.text('model') ?? '';
      const group = values.text('group') ?? 'default';
      const { tables, quotaPerUnit, selfUse } = await loadPrices(context);
      const price = findPrice(model, tables, { selfUse });
      if (price === undefined) throw new AppError('model_price_error', { model });
      const groupRatio = groupRatioFor(values.text('user-group') ?? group, group, tables);
      const usage = readUsage(values);
      const images = values.integer('images');
      const charge =
        images !== undefined && isPricedEach(model, price)
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
      return {
        json: {
          model,
          group,
          quota: ticket.quota,
          steps: explanationSteps(ticket, group),
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
        },
      };
    },
  }),
];
