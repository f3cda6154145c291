/** Tokens of all users that end within a week. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { writeFilters } from '../../../core/entities/filters.ts';
import { tokenFilters } from '../../../core/entities/token-filters.ts';
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
      const match = writeFilters(
        tokenFilters,
        {
          status: String(tokenStatuses.enabled),
          ...{ expiresFrom: String(now), expiresTo: String(now + days * 86_400) },
        },
        { start: 0, end: 0 },
        'admins',
      );
      const { items, total } = await client.userTokens.list({ p: 1, page_size: named, ...match });
      return { total, tokens: items, match };
    },
    enabled,
  });
  const refresh = () => queries.invalidateQueries({ queryKey });
  return data ? { ...data, refresh } : isError ? { ...none, match: {}, refresh } : undefined;
}
