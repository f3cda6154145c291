/** Where a provider sends the browser back to (docs/rules/console.md#oauth-callback). */
import { Loader } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { SignedInUser } from '../../../core/contract/entities.ts';
import { removeStored, storageKeys } from '../../browser/local-storage.ts';
import { client } from '../../client/api.ts';
import { goToSecondStep, toastFailure, toastProblem, toastSuccess } from '../../client/failures.ts';
import { currentUser, storeUser } from '../../client/session.ts';
import { type TextKey, useTranslation } from '../../i18n/index.ts';
import { useRefreshSelf } from '../../queries/use-invalidate.ts';
import classes from './oauth.module.css';

/**
 * What the server names in the address after a binding that Telegram opened as a page, as clients
 * of New API have it do.
 */
const telegramProblems: Readonly<Record<string, TextKey>> = {
  identity_taken: 'identity.telegram.taken',
  telegram_invalid: 'identity.telegram.invalid',
  oauth_state_invalid: 'identity.telegram.invalid',
  step_up_required: 'identity.telegram.stale',
};

/** Undefined: the account was bound. */
async function finish(
  type: string,
  parameters: URLSearchParams,
  isBinding: boolean,
): Promise<SignedInUser | undefined> {
  const fields = Object.fromEntries(parameters);
  if (type !== 'telegram') return client.oauth.callback({ ...fields, type });
  return isBinding ? client.oauth.telegramBind(fields) : client.oauth.telegram(fields);
}

export function OauthScreen() {
  const { t } = useTranslation();
  const { provider = '' } = useParams();
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const refreshSelf = useRefreshSelf();
  const started = useRef(false);
  useEffect(() => {
    document.title = t('identity.callback');
  }, [t]);
  useEffect(() => {
    // Codes and states are good for one call.
    if (started.current) return;
    started.current = true;
    const isBinding = currentUser() !== null;
    const leave = async (problem?: unknown) => {
      // A login that is half done leads to the page of its second step, not to the settings.
      if (goToSecondStep(problem)) return;
      if (problem !== undefined) toastFailure(problem);
      toastProblem(t(isBinding ? 'identity.failed.bind' : 'identity.failed.logIn'));
      await navigate('/setting', { replace: true });
    };
    const refused = provider === 'telegram' ? parameters.get('error') : null;
    if (refused !== null) {
      toastProblem(t(telegramProblems[refused] ?? 'identity.telegram.failed'));
      void leave();
      return;
    }
    const run = async () => {
      const user = await finish(provider, parameters, isBinding);
      if (user === undefined) {
        await refreshSelf();
        toastSuccess(t('identity.bound'));
        return navigate('/setting', { replace: true });
      }
      removeStored(storageKeys.invite);
      storeUser(user);
      toastSuccess(t('login.done'));
      return navigate('/token', { replace: true });
    };
    run().catch(leave);
  }, [navigate, parameters, provider, refreshSelf, t]);
  return (
    <main className={classes.waiting}>
      <Loader size={28} />
      <p role="status">{t('identity.callback')}</p>
    </main>
  );
}
