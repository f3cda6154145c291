/** What channels pay for a model, beside the price that is typed for it. */
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { compare, type Decimal, decimal } from '../../../../core/kernel/decimal.ts';
import { client } from '../../../client/api.ts';
import { queryKeys } from '../../../queries/query-keys.ts';
import { kindNames, type Listed } from './list-prices.ts';

/** Below any cost. A price per request must be above 0. */
const nothing = { ModelRatio: 0, ModelPrice: 1e-9 } as const;

/** A name is looked up once it is typed, ms. */
const typedMs = 300;

export type Costs = Readonly<Partial<Record<Listed, Decimal>>>;

/**
 * The highest cost of each kind among the channels that state theirs: those that would lose at no
 * price at all. `model` '': none.
 */
export function useCosts(model: string, billing: 'token' | 'request'): Costs {
  const [typed] = useDebouncedValue(model, typedMs);
  const own = billing === 'token' ? 'ModelRatio' : 'ModelPrice';
  const { data = [] } = useQuery({
    queryKey: queryKeys.pricing.costs(typed, own),
    queryFn: () =>
      client.losses.belowCost({
        values: (['ModelRatio', 'ModelPrice'] as const).map((key) => ({
          key,
          value: JSON.stringify(key === own ? { [typed]: nothing[key] } : {}),
        })),
      }),
    enabled: typed !== '',
    meta: { quiet: true },
  });
  const costs: Partial<Record<Listed, Decimal>> = {};
  for (const [kind, name] of Object.entries(kindNames) as [Listed, string][])
    for (const entry of data.filter((one) => one.model === typed && one.kind === name)) {
      const cost = decimal(entry.cost);
      const known = costs[kind];
      if (known === undefined || compare(cost, known) > 0) costs[kind] = cost;
    }
  return costs;
}
