import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { findPrice } from '../../../../core/pricing/find-price.ts';
import { client } from '../../../client/api.ts';
import { queryKeys } from '../../../queries/query-keys.ts';
import { lookUpTables, type Tables } from './price-tables.ts';

/** Models of enabled channels that have no price in these tables. */
export function useUnpricedModels(tables: Tables | undefined) {
  const query = useQuery({
    queryKey: queryKeys.model.enabled,
    queryFn: () => client.channel.enabledModels(),
  });
  const { data } = query;
  const names = useMemo(() => {
    if (tables === undefined || data === undefined) return [];
    const prices = lookUpTables(tables);
    return data.filter((name) => findPrice(name, prices) === undefined);
  }, [data, tables]);
  return { query, names };
}
export type UnpricedModelsQuery = ReturnType<typeof useUnpricedModels>;
