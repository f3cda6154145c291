import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { findPrice } from '../../../../core/pricing/find-price.ts';
import { client } from '../../../client/api.ts';
import { queryKeys } from '../../../queries/query-keys.ts';
import { lookUpTables, type Tables } from './price-tables.ts';

/**
 * Models of enabled channels that have no price in these tables. Videos that are sold at the
 * catalogue's prices by the second stand in no table: they have a price all the same.
 */
export function useUnpricedModels(tables: Tables | undefined, stored: Tables | undefined) {
  const query = useQuery({
    queryKey: queryKeys.model.enabled,
    queryFn: () => client.channel.enabledModels(),
  });
  const { data } = query;
  const server = useQuery({
    queryKey: queryKeys.pricing.unpriced(data ?? []),
    queryFn: () => client.catalog.unpriced({ models: [...(data ?? [])] }),
    enabled: data !== undefined && data.length > 0,
  });
  const names = useMemo(() => {
    if (tables === undefined || data === undefined) return [];
    const prices = lookUpTables(tables);
    const before = stored && lookUpTables(stored);
    const isListed = (name: string) =>
      before !== undefined &&
      findPrice(name, before) === undefined &&
      server.data?.includes(name) === false;
    return data.filter((name) => findPrice(name, prices) === undefined && !isListed(name));
  }, [data, tables, stored, server.data]);
  return { query, names };
}
export type UnpricedModelsQuery = ReturnType<typeof useUnpricedModels>;
