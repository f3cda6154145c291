/**
 * `turnpike pricing …`: prices as the gateway calculates them, with the formula
 * (docs/rules/pricing.md#explanation).
 */
import { api } from '../../core/contract/index.ts';
import { type Decimal, decimal, toNumber } from '../../core/kernel/decimal.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { readAdditions } from '../../core/models/added.ts';
import { knownModels } from '../../core/models/known-models.ts';
import { typeOfModel } from '../../core/models/model-type.ts';
import { type OptionKey, type OptionValue, parseOption } from '../../core/options/index.ts';
import { withAddedPrices } from '../../core/pricing/added-prices.ts';
import { differingPrices, priceWords } from '../../core/pricing/all-prices.ts';
import { catalogueDetails } from '../../core/pricing/catalogue-details.ts';
import { type BillableUsage, priceUsage } from '../../core/pricing/cost.ts';
import { makeTicket } from '../../core/pricing/explain.ts';
import { findPrice, groupRatioFor } from '../../core/pricing/find-price.ts';
import { formatPrice } from '../../core/pricing/format.ts';
import { imageOrder, isPricedEach, priceImages } from '../../core/pricing/images.ts';
import { findListPrice } from '../../core/pricing/list-prices.ts';
import { pricePerCall, pricesPerMillion } from '../../core/pricing/price-per-million.ts';
import { explanationSteps } from '../../core/pricing/steps.ts';
import { buildPriceTables, type PriceTables, readPriceOptions } from '../../core/pricing/tables.ts';
import {
  buildVideoRatios,
  type VideoRatioTable,
  videoRatioEntry,
} from '../../core/pricing/video-ratios.ts';
import type { Flag } from '../base/flags.ts';
import { localize } from '../base/text.ts';
import { UsageError } from '../base/usage-error.ts';
import { type Command, type Context, command, listed } from '../command/command.ts';
import { pickGlyphs } from '../kit/glyphs.ts';
import { ticketLines } from '../show/ticket.ts';

/** Prices in currency units per million tokens, or for each call, image or second. */
interface PriceRow {
  readonly model: string;
  readonly per_call?: number;
  /** What `per_call` buys: a request, an image of the usual size, a second of video. */
  readonly unit?: 'call' | 'image' | 'second';
  readonly prompt?: number;
  readonly completion?: number;
  readonly cached?: number;
}

interface Prices {
  readonly tables: PriceTables;
  readonly videoRatios: VideoRatioTable;
  readonly quotaPerUnit: Decimal;
  readonly selfUse: boolean;
}

async function loadPrices(context: Context): Promise<Prices> {
  const rows = new Map(
    (await context.call(api.option.list, {})).map((row) => [row.key, row.value]),
  );
  const read = <K extends OptionKey>(key: K): OptionValue<K> => {
    const text = rows.get(key);
    if (text === undefined) throw new AppError('option_unknown', { key });
    return parseOption(key, text);
  };
  // The gateway's process knows this already; a command of its own does not.
  knownModels.replaceAdded(readAdditions(read('model_sync.learned')));
  const options = readPriceOptions(read);
  const tables = buildPriceTables(
    withAddedPrices(options, knownModels.added.rows, read('model_sync.margin')),
    catalogueDetails,
  );
  return {
    tables,
    videoRatios: buildVideoRatios(read('VideoRatios')),
    quotaPerUnit: decimal(read('QuotaPerUnit')),
    selfUse: read('SelfUseModeEnabled'),
  };
}

const units = {
  call: { en: '{price}/call', zh: '{price}/次' },
  image: { en: '{price}/image', zh: '{price}/张' },
  second: { en: '{price}/second', zh: '{price}/秒' },
} as const;

function unitOf(model: string, videoRatios: VideoRatioTable): keyof typeof units {
  if (videoRatioEntry(model, videoRatios) !== undefined) return 'second';
  return typeOfModel(model) === 'image' ? 'image' : 'call';
}

const groupFlag: Flag = {
  name: 'group',
  kind: 'text',
  summary: { en: 'Group (default: default)', zh: '分组（默认 default）' },
};
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
  { tables, quotaPerUnit }: Prices,
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
  command({
    name: 'pricing list',
    summary: {
      en: 'Prices of all priced models, per million tokens or for each call, image or second',
      zh: '所有已定价模型的价格（每百万 token、每次、每张或每秒）',
    },
    flags: [
      groupFlag,
      {
        name: 'search',
        kind: 'text',
        summary: { en: 'Part of the model name', zh: '模型名称包含' },
      },
    ],
    async run(context) {
      const { tables, videoRatios, quotaPerUnit } = await loadPrices(context);
      const group = context.values.text('group') ?? 'default';
      const search = context.values.text('search') ?? '';
      const ratio = groupRatioFor(group, group, tables);
      const names = [...new Set([...tables.modelPrice.keys(), ...tables.modelRatio.keys()])].filter(
        (name) => name.includes(search),
      );
      const items = names.sort().flatMap((model): PriceRow[] => {
        const price = findPrice(model, tables);
        if (price === undefined) return [];
        if (price.kind === 'call')
          return [
            {
              model,
              per_call: toNumber(pricePerCall(price, ratio) ?? decimal(0)),
              unit: unitOf(model, videoRatios),
            },
          ];
        const { prompt, completion, cached } = pricesPerMillion(price, ratio, quotaPerUnit);
        return [
          {
            model,
            prompt: toNumber(prompt),
            completion: toNumber(completion),
            cached: toNumber(cached),
          },
        ];
      });
      const shownPrice = (number: number | undefined) =>
        number === undefined ? '' : formatPrice(decimal(number)).text;
      return listed<PriceRow>({ items, total: items.length }, [
        { title: { en: 'model', zh: '模型' }, value: (row) => row.model, narrow: 'elide' },
        {
          title: { en: 'input/1M', zh: '输入/1M' },
          value: (row) => shownPrice(row.prompt),
          align: 'right',
        },
        {
          title: { en: 'output/1M', zh: '输出/1M' },
          value: (row) => shownPrice(row.completion),
          align: 'right',
        },
        {
          title: { en: 'cached/1M', zh: '缓存/1M' },
          value: (row) => shownPrice(row.cached),
          align: 'right',
        },
        {
          title: { en: 'each', zh: '单价' },
          value: ({ per_call: each, unit = 'call' }, { language }) =>
            each === undefined ? '' : localize(language, units[unit], { price: shownPrice(each) }),
          align: 'right',
        },
      ]);
    },
  }),
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
