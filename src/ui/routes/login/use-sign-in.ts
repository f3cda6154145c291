import { CallError } from '../../../core/contract/envelope.ts';
import { client } from '../../client/api.ts';
import { failureText, toastSuccess } from '../../client/failures.ts';
import { storeUser } from '../../client/session.ts';
import { useTranslation } from '../../i18n/index.ts';

/** What a failed login says: the server's text, or that there was no answer. */
export function useLoginFailure(): (error: unknown) => string {
  const { t } = useTranslation();
  return (error) =>
    error instanceof CallError && error.status > 0 ? failureText(error) : t('login.failed');
}

/**
 * Ends a login: learns who it is and stores that, whereupon the screen leads on. Throws CallError
 * if the reply of the login had no token.
 */
export function useSignIn(): (token: string | undefined) => Promise<void> {
  const { t } = useTranslation();
  return async (token) => {
    // The browser has the session as a cookie; the token in the reply is for clients without
    // cookies.
    if (token === undefined || token === '') throw new CallError(t('login.noToken'), 200);
    const { email: _email, phone: _phone, quota: _quota, ...user } = await client.auth.info();
    toastSuccess(t('login.done'));
    storeUser(user);
  };
}
