/**
 * The models of the square: read once, then filtered here, so that every choice shows how many
 * models it has.
 */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { matchesModel } from '../../../core/entities/model-filter.ts';
import { client } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import { useUrlState } from '../../hooks/use-url-state.ts';
import { currentLanguage, useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import type { ReaderGroup } from './reader-price.ts';
import {
  type FacetName,
  facetsOf,
  filterOf,
  joinValues,
  type SquareState,
  squareUrl,
  withVendor,
} from './square-filter.ts';

const staleTime = 60_000;
/** Visitors see the prices of this group. */
const visitorGroup = 'default';

export function useSquare() {
  const { t } = useTranslation();
  const user = useUser();
  const language = currentLanguage();
  const query = useQuery({
    queryKey: queryKeys.modelSquare.list(user?.id),
    queryFn: () => client.modelSquare.list({}),
    staleTime,
  });
  const [state, change] = useUrlState(squareUrl);
  const { data } = query;
  const models = useMemo(
    () => data?.data.map((model) => withVendor(model, language)),
    [data, language],
  );
  const found = useMemo(() => {
    const filter = filterOf(state);
    const now = Date.now();
    return models?.filter((model) => matchesModel(model, filter, now));
  }, [models, state]);
  const facets = useMemo(
    () => facetsOf(models ?? [], state, language, t),
    [models, state, language, t],
  );
  const own = user?.group ?? visitorGroup;
  const groups = useMemo<readonly ReaderGroup[]>(
    () =>
      Object.entries(data?.group_ratio ?? {})
        .map(([name, ratio]) => ({ name, ratio, own: name === own }))
        .sort((a, b) => Number(b.own) - Number(a.own) || a.name.localeCompare(b.name)),
    [data, own],
  );
  const filtered = (Object.keys(squareUrl) as (keyof SquareState)[]).some(
    (name) => state[name] !== '',
  );
  return {
    models,
    found,
    facets,
    groups,
    state,
    filtered,
    error: query.error,
    retry: () => void query.refetch(),
    search: (q: string) => change({ q }, { replace: state.q !== '' && q !== '' }),
    choose: (name: FacetName, values: readonly string[]) => change({ [name]: joinValues(values) }),
    clear: () => change(squareUrl),
  };
}
export type Square = ReturnType<typeof useSquare>;
