/** What administrators see beside a price that loses money (docs/rules/losses.md#marks). */
import { useQuery } from '@tanstack/react-query';
import { client } from '../../client/api.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import type { TextKey } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';

export interface PriceMark {
  readonly label: TextKey;
  /** Why, a line for each channel. */
  readonly why: string;
}

const labels = {
  below_cost: 'pricing.mark.belowCost',
  price: 'pricing.mark.source',
} as const satisfies Partial<Record<string, TextKey>>;

/** By model; empty for everybody else. A sale below cost stands before a difference. */
export function usePriceMarks(): ReadonlyMap<string, PriceMark> {
  const user = useUser();
  const isAdmin = useIsAdmin();
  const { data = [] } = useQuery({
    queryKey: queryKeys.usage.losses(user?.id),
    queryFn: () => client.losses.list({}),
    enabled: isAdmin,
    meta: { quiet: true },
  });
  const marks = new Map<string, PriceMark>();
  for (const kind of ['below_cost', 'price'] as const)
    for (const loss of data.filter((one) => one.kind === kind && one.model !== '')) {
      const found = marks.get(loss.model);
      const why = found === undefined ? loss.text : `${found.why}\n${loss.text}`;
      marks.set(loss.model, { label: found?.label ?? labels[kind], why });
    }
  return marks;
}
