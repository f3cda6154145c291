import { router } from '../browser/router-handle.ts';
import { toastSuccess } from '../client/failures.ts';
import { forgetUser } from '../client/session.ts';

/**
 * Forgets the account in this browser, whose session has ended, and goes to the login page.
 * `message`: what happened.
 */
export async function leaveAccount(message: string): Promise<void> {
  forgetUser();
  toastSuccess(message);
  await router().navigate('/login', { replace: true });
}
