/** `turnpike pricing list`. */
import { type Decimal, decimal, toNumber, zero } from '../../../core/kernel/decimal.ts';
import { knownModels } from '../../../core/models/known-models.ts';
import { typeOfModel } from '../../../core/models/model-type.ts';
import { allPrices, listedPrice } from '../../../core/pricing/all-prices.ts';
import { findPrice } from '../../../core/pricing/find-price.ts';
import { formatPrice, formatTokenCount } from '../../../core/pricing/format.ts';
import { pricePerCall } from '../../../core/pricing/price-per-million.ts';
import type { PriceTables } from '../../../core/pricing/tables.ts';
import { taskPrice } from '../../../core/pricing/task-price.ts';
import { type VideoRatioTable, videoRatioEntry } from '../../../core/pricing/video-ratios.ts';
import { localize } from '../../base/text.ts';
import { type Command, command, listed } from '../../command/command.ts';
import { groupFlag, loadPrices, ratioIn } from './site-prices.ts';

/** Prices in currency units per million tokens, or for each call, image or second. */
interface PriceRow {
  readonly model: string;
  readonly per_call?: number;
  /** What `per_call` buys: a request, an image of the usual size, a second of video at its lowest. */
  readonly unit?: 'call' | 'image' | 'second';
  readonly prompt?: number;
  readonly completion?: number;
  readonly cached?: number;
  /** All other prices, as `prices sync` names them: `input_above_200000`, `second_720P`. */
  readonly others?: Readonly<Record<string, number>>;
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

const figure = (price: Decimal) => toNumber(listedPrice(price));
const figures = (prices: Readonly<Record<string, Decimal>>) =>
  Object.fromEntries(Object.entries(prices).map(([name, amount]) => [name, figure(amount)]));

/** Names of all that have a price: by the options, and by the second of video. */
const pricedNames = (tables: PriceTables): readonly string[] => [
  ...new Set([
    ...tables.modelPrice.keys(),
    ...tables.modelRatio.keys(),
    ...tables.details.keys(),
    ...knownModels
      .rows()
      .flatMap(({ name, aliases = [], secondPrices }) =>
        secondPrices === undefined ? [] : [name, ...aliases],
      ),
  ]),
];

/** `>32k $0.70 / $3.50`: input and output of each step, the shortest first. */
function stepsText(
  others: NonNullable<PriceRow['others']>,
  shown: (price: number | undefined) => string,
): string {
  const lengths = Object.keys(others).flatMap(
    (name) => /^input_above_(\d+)$/.exec(name)?.[1] ?? [],
  );
  return lengths
    .map(Number)
    .sort((a, b) => a - b)
    .map((above) => {
      const input = others[`input_above_${above}`];
      const output = others[`output_above_${above}`];
      const length = formatTokenCount(above).replace('.0', '');
      return `>${length} ${shown(input)} / ${shown(output)}`;
    })
    .join(', ');
}

export const listCommand: Command = command({
  name: 'pricing list',
  summary: {
    en: 'Prices of all priced models, per million tokens or for each call, image or second',
    zh: '所有已定价模型的价格（每 100 万 tokens、每次、每张或每秒）',
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
    const prices = await loadPrices(context);
    const { tables, videoRatios, quotaPerUnit } = prices;
    const group = context.values.text('group') ?? 'default';
    const search = context.values.text('search') ?? '';
    const ratio = ratioIn(group, prices);
    const names = pricedNames(tables).filter((name) => name.includes(search));
    const items = names.sort().flatMap((model): PriceRow[] => {
      const set = findPrice(model, tables);
      if (set === undefined) return [];
      // Videos are tasks.
      const price = typeOfModel(model) === 'video' ? taskPrice(set) : set;
      if (price.kind === 'call')
        return [
          {
            model,
            per_call: toNumber(pricePerCall(price, ratio) ?? decimal(0)),
            unit: price.perSecond === undefined ? unitOf(model, videoRatios) : 'second',
            ...(price.perSecond && { others: figures(allPrices(price, ratio, quotaPerUnit)) }),
          },
        ];
      const {
        input = zero,
        output = zero,
        cache_read: cached = zero,
        ...others
      } = allPrices(price, ratio, quotaPerUnit);
      return [
        {
          model,
          prompt: figure(input),
          completion: figure(output),
          cached: figure(cached),
          others: figures(others),
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
        title: { en: 'long prompts', zh: '长提示' },
        value: ({ others = {} }) => stepsText(others, shownPrice),
      },
      {
        title: { en: 'each', zh: '单价' },
        value: ({ per_call: each, unit = 'call' }, { language }) =>
          each === undefined ? '' : localize(language, units[unit], { price: shownPrice(each) }),
        align: 'right',
      },
    ]);
  },
});
