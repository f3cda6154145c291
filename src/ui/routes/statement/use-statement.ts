import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import { useUrlState } from '../../hooks/use-url-state.ts';
import { queryKeys } from '../../queries/query-keys.ts';

const defaults = { user: '', month: '' } as const;

/**
 * The statement that the URL names: of a month (the current one), and for administrators of a user.
 */
export function useStatement() {
  const self = useUser();
  const [state, change] = useUrlState(defaults);
  const userId = /^[1-9]\d*$/.test(state.user) ? Number(state.user) : undefined;
  const month = /^\d{4}-\d{2}$/.test(state.month) ? state.month : undefined;
  const scope = {
    ...(userId !== undefined && { user_id: userId }),
    ...(month !== undefined && { month }),
  };
  const query = useQuery({
    queryKey: queryKeys.statement(self?.id, userId, month ?? ''),
    queryFn: () => client.statement.get(scope),
    placeholderData: keepPreviousData,
  });
  return {
    ...query,
    scope,
    isOwn: userId === undefined || userId === self?.id,
    selectMonth: (next: string) => change({ month: next }),
  };
}
