/**
 * The key of an enabled token of the signed-in user; without one the reader is led to the tokens.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { tokenStatuses } from '../../../core/vocabulary/statuses.ts';
import { client } from '../../client/api.ts';
import { toastProblem } from '../../client/failures.ts';
import { useUser } from '../../client/session.ts';
import { translate } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';

/** Tokens that are looked at. */
const size = 100;
/** Milliseconds between the message and the way to the tokens. */
const leaveAfter = 1500;

/** With its `sk-`; undefined while it is looked for, and where there is none. */
export function useEnabledKey(): {
  readonly key: string | undefined;
  readonly error: unknown;
  retry(): void;
} {
  const user = useUser();
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: queryKeys.token.enabledKey(user?.id),
    queryFn: async () => {
      const { items } = await client.token.list({ p: 0, size });
      return items.find(({ status }) => status === tokenStatuses.enabled)?.key ?? null;
    },
    gcTime: 0,
  });
  const isMissing = query.data === null;
  useEffect(() => {
    if (!isMissing) return;
    toastProblem(translate('redirect.noToken'));
    const timer = setTimeout(() => void navigate('/token', { replace: true }), leaveAfter);
    return () => clearTimeout(timer);
  }, [isMissing, navigate]);
  return {
    key: query.data ? `sk-${query.data}` : undefined,
    error: query.error,
    retry: () => void query.refetch(),
  };
}
