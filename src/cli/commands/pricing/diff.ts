/** `turnpike pricing diff`. */
import { api } from '../../../core/contract/index.ts';
import { decimal, toNumber } from '../../../core/kernel/decimal.ts';
import { differingPrices, priceWords } from '../../../core/pricing/all-prices.ts';
import { findPrice } from '../../../core/pricing/find-price.ts';
import { formatPrice } from '../../../core/pricing/format.ts';
import { findListPrice } from '../../../core/pricing/list-prices.ts';
import { command, listed } from '../../command/command.ts';
import { loadPrices, type SitePrices } from './site-prices.ts';

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
  const listPrice = findListPrice(model, quotaPerUnit);
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

export const diffCommand = command({
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
});
