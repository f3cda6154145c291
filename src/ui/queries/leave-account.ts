import { router } from '../browser/router-handle.ts';
import { toastSuccess } from '../client/failures.ts';
import { queryClient } from '../client/query-client.ts';
import { forgetUser } from '../client/session.ts';
import { queryKeys } from './query-keys.ts';

/**
 * Forgets the account in this browser, whose session has ended, and goes to the login page.
 * `message`: what happened.
 */
export async function leaveAccount(message: string): Promise<void> {
  forgetUser();
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== queryKeys.status[0] });
  toastSuccess(message);
  await router().navigate('/login', { replace: true });
}
