/** The price list: read once, then searched and paged here. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import { type PricedModel, priceForGroup } from '../../components/priced-model.ts';
import { vendorOfModel } from '../../components/vendor-names.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { switchOn } from '../../list/filters.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { priceSorting, sortPrices } from './sort-prices.ts';

const url = {
  q: '',
  group: '',
  view: 'usd',
  billing: '',
  vendor: '',
  available: '',
  sort: '',
} as const;
const keeps = ['group', 'view', 'sort'] as const;
const staleTime = 60_000;
const keyOf = (model: PricedModel) => model.name;
const asTheyAre = (models: readonly PricedModel[]) => models;

/** Visitors see the prices of this group. */
const visitorGroup = 'default';

export interface PriceGroup {
  readonly name: string;
  readonly description: string;
  readonly ratio: number;
  readonly own: boolean;
}

function usePricingQuery() {
  const user = useUser();
  const queryClient = useQueryClient();
  const options = {
    queryKey: queryKeys.pricing.of(user?.id),
    queryFn: () => client.catalog.pricing(),
    staleTime,
  };
  return { pricing: useQuery(options).data, read: () => queryClient.fetchQuery(options) };
}

type Pricing = Awaited<ReturnType<typeof client.catalog.pricing>>;

/** The groups that the reader may use, with the own one first. */
function groupsOf(pricing: Pricing | undefined, ownGroup: string): readonly PriceGroup[] {
  return Object.entries(pricing?.group_ratio ?? {})
    .map(([name, ratio]) => ({
      name,
      ratio,
      description: pricing?.usable_group[name] ?? '',
      own: name === ownGroup,
    }))
    .sort((a, b) => Number(b.own) - Number(a.own) || a.name.localeCompare(b.name));
}

/** The chosen group, else the own one; that may be no more, and nothing has its prices then. */
function shownGroup(chosen: string, pricing: Pricing | undefined, ownGroup: string): string {
  if (chosen !== '') return chosen;
  const known = groupsOf(pricing, ownGroup);
  return known.some(({ own }) => own) ? ownGroup : (known[0]?.name ?? ownGroup);
}

export function usePrices() {
  const user = useUser();
  const { quotaPerUnit } = useMoney();
  const { pricing, read } = usePricingQuery();
  const ownGroup = user?.group ?? visitorGroup;
  const groups = groupsOf(pricing, ownGroup);
  const list = useList({
    queryKey: [...queryKeys.pricing.list(user?.id, quotaPerUnit), currentLanguage()],
    url,
    keeps,
    keyOf,
    toRows: asTheyAre,
    fetchPage: async ({ state, page, pageSize }) => {
      const reply = await read();
      const name = shownGroup(state.group, reply, ownGroup);
      const group = { name, ratio: reply.group_ratio[name] ?? 1 };
      const word = state.q.toLowerCase();
      const found = reply.data
        .map((row) =>
          priceForGroup(row, group, quotaPerUnit, vendorOfModel(row.model_name, currentLanguage())),
        )
        .filter(
          (model) =>
            (word === '' ||
              model.name.toLowerCase().includes(word) ||
              model.vendor.toLowerCase().includes(word)) &&
            (state.billing === '' || String(model.row.quota_type) === state.billing) &&
            (state.vendor === '' || model.vendor === state.vendor) &&
            (state.available !== switchOn || model.available),
        );
      // What the group cannot call stands last.
      const ordered = sortPrices(found, state.sort);
      const items = [
        ...ordered.filter(({ available }) => available),
        ...ordered.filter(({ available }) => !available),
      ];
      return { items: items.slice((page - 1) * pageSize, page * pageSize), total: items.length };
    },
  });
  const vendors = [
    ...new Set(
      (pricing?.data ?? []).map((row) => vendorOfModel(row.model_name, currentLanguage())),
    ),
  ]
    .filter((vendor) => vendor !== '')
    .sort();
  return {
    list,
    groups,
    vendors,
    group: shownGroup(list.state.group, pricing, ownGroup),
    sorting: priceSorting(list.state.sort, (sort) => list.change({ sort })),
  };
}
