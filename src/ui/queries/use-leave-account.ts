import { useNavigate } from 'react-router';
import { toastSuccess } from '../client/failures.ts';
import { queryClient } from '../client/query-client.ts';
import { forgetUser } from '../client/session.ts';
import { queryKeys } from './query-keys.ts';

/**
 * Forgets the account in this browser, whose session has ended, and goes to the login page.
 * `message`: what happened.
 */
export function useLeaveAccount(): (message: string) => Promise<void> {
  const navigate = useNavigate();
  return async (message) => {
    forgetUser();
    queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== queryKeys.status[0] });
    toastSuccess(message);
    await navigate('/login', { replace: true });
  };
}
