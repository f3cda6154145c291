import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { findPrice } from '../../../../core/pricing/find-price.ts';
import { client } from '../../../client/api.ts';
import { queryKeys } from '../../../queries/query-keys.ts';
import { type DetailsTable, lookUpTables, type Tables } from './price-tables.ts';

/** Models of enabled channels that have no price in these tables. */
export function useUnpricedModels(tables: Tables | undefined, details: DetailsTable) {
  const query = useQuery({
    queryKey: queryKeys.model.enabled,
    queryFn: () => client.channel.enabledModels(),
  });
  const { data } = query;
  const names = useMemo(() => {
    if (tables === undefined || data === undefined) return [];
    const prices = lookUpTables(tables, details);
    return data.filter((name) => findPrice(name, prices) === undefined);
  }, [data, tables, details]);
  return { query, names };
}
export type UnpricedModelsQuery = ReturnType<typeof useUnpricedModels>;
