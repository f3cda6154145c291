/** Tokens of all users that end within a week. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { tokenStatuses } from '../../../core/vocabulary/statuses.ts';
import { client } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import { queryKeys } from '../../queries/query-keys.ts';

const days = 7;
/** Tokens that are named. */
const named = 5;

export interface ExpiringTokens {
  readonly total: number;
  readonly tokens: readonly { readonly name: string; readonly username: string }[];
  readonly match: object;
  readonly refresh: () => Promise<unknown>;
}

const none: Pick<ExpiringTokens, 'total' | 'tokens'> = { total: 0, tokens: [] };

/** Undefined before the first answer. */
export function useExpiringTokens(enabled: boolean): ExpiringTokens | undefined {
  const user = useUser();
  const queries = useQueryClient();
  const queryKey = queryKeys.token.expiring(user?.id);
  const { data, isError } = useQuery({
    queryKey,
    queryFn: async () => {
      const now = Math.floor(Date.now() / 1000);
      // Not by the declared filters, which a first load of the dashboard has no other use for.
      const match = {
        status: tokenStatuses.enabled,
        expires_from: now,
        expires_to: now + days * 86_400,
      };
      const { items, total } = await client.userTokens.list({ p: 1, page_size: named, ...match });
      return { total, tokens: items, match };
    },
    enabled,
  });
  const refresh = () => queries.invalidateQueries({ queryKey });
  return data ? { ...data, refresh } : isError ? { ...none, match: {}, refresh } : undefined;
}
