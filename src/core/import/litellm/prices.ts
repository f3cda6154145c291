/** Prices that deployments name become price options (docs/rules/import.md#litellm-prices). */
import { decimal, multiply, toNumber } from '../../kernel/decimal.ts';
import { bareModelName, knownModels } from '../../models/known-models.ts';
import type { ListPrice } from '../../models/schema.ts';
import { defaultOptions } from '../../options/index.ts';
import { findListPrice } from '../../pricing/list-prices.ts';
import { listEntries, type SourcePrice, sourceTables } from '../../pricing/source-entries.ts';
import { atUnit } from '../../pricing/source-prices.ts';
import type { Storage, StoredOption } from '../../storage/storage.ts';
import { mapOption } from '../mapping/options.ts';
import { Notes } from '../notes.ts';
import type { TableReport } from '../report.ts';
import type { Deployment } from './deployments.ts';

const keys = [...sourceTables, 'ModelPriceDetails'] as const;

/** Options that the site has set already are kept. `quotaPerUnit`: of the site. */
export async function carryPrices(
  deployments: readonly Deployment[],
  aliases: ReadonlyMap<string, string>,
  storage: Pick<Storage, 'options'> | null,
  quotaPerUnit: number,
): Promise<TableReport> {
  const notes = new Notes();
  const prices = new Map<string, ListPrice>();
  for (const deployment of deployments) {
    const price = priceOf(deployment, notes);
    if (price === undefined) continue;
    const names = [...aliases].filter(([, target]) => target === deployment.name);
    for (const name of [deployment.name, ...names.map(([alias]) => alias)]) {
      const other = prices.get(name);
      if (other !== undefined && JSON.stringify(other) !== JSON.stringify(price))
        notes.add('price_differs', name);
      if (other === undefined || other.input < price.input) prices.set(name, price);
    }
  }
  const set = new Set((await storage?.options.list())?.map(({ key }) => key));
  const isThere = keys.some((key) => set.has(key));
  if (!isThere && prices.size > 0)
    await storage?.options.setMany(optionsOf(prices, quotaPerUnit, notes));
  return {
    table: 'prices',
    read: prices.size,
    carried: isThere ? 0 : prices.size,
    leftOut: 0,
    alreadyThere: isThere ? prices.size : 0,
    notes: notes.list(),
  };
}

function optionsOf(
  prices: ReadonlyMap<string, ListPrice>,
  quotaPerUnit: number,
  notes: Notes,
): StoredOption[] {
  const unit = decimal(quotaPerUnit);
  const entries = new Map(
    [...prices].map(([name, price]) => [name, atUnit(listEntries(price), unit)] as const),
  );
  const options = defaultOptions();
  return keys.flatMap((key) => {
    const own = [...entries].flatMap(([name, entry]) => {
      const value = entryOf(entry, key);
      return value === undefined ? [] : [[name, value] as const];
    });
    if (own.length === 0) return [];
    const table = { ...Object(options[key]), ...Object.fromEntries(own) };
    return mapOption(key, JSON.stringify(table), notes) ?? [];
  });
}

const entryOf = (entry: SourcePrice, key: (typeof keys)[number]) =>
  key === 'ModelPriceDetails' ? entry.details : entry[key];

/** Dollars per token there, per million here. */
const perMillion = (cost: number): number => toNumber(multiply(decimal(cost), decimal(1_000_000)));

/**
 * What a deployment costs, where that is not what its name costs here anyway: its own price, else
 * that of the vendor's model that the name stands for.
 */
function priceOf({ name, model, params, info }: Deployment, notes: Notes): ListPrice | undefined {
  const cost = (member: string): number | undefined => {
    const value = params[member] ?? info[member];
    const number = typeof value === 'string' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) && number >= 0
      ? perMillion(number)
      : undefined;
  };
  const input = cost('input_cost_per_token');
  const output = cost('output_cost_per_token');
  for (const member of Object.keys({ ...info, ...params }))
    if (
      /_cost_per_(second|image|pixel|character|query|request|page|audio_token)|_above_/.test(
        member,
      ) &&
      cost(member)
    )
      notes.add('price_part_left_out', `${name}: ${member}`);
  if (input === undefined && output === undefined)
    return findListPrice(name) === undefined
      ? knownModels.find(bareModelName(model)).row?.price
      : undefined;
  if (input === undefined || (input === 0 && output !== undefined && output > 0)) {
    notes.add('price_left_out', name);
    return undefined;
  }
  const read = cost('cache_read_input_token_cost');
  const written = cost('cache_creation_input_token_cost');
  return {
    input,
    output: output ?? 0,
    ...(read !== undefined && { cacheRead: read }),
    ...(written !== undefined && { cacheWrite: written }),
  };
}
