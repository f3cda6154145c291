import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { authApi } from '../../../../core/contract/auth.ts';
import type { InputOf } from '../../../../core/contract/endpoint.ts';
import { removeStored, storageKeys } from '../../../browser/local-storage.ts';
import { client } from '../../../client/api.ts';
import { toastSuccess } from '../../../client/failures.ts';
import { storeUser } from '../../../client/session.ts';
import type { HumanCheck } from '../../../components/human-check/use-human-check.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import { storedInvite } from '../stored-invite.ts';

type Registration = InputOf<typeof authApi.register>;
export type RegisterMutation = ReturnType<typeof useRegister>;

/**
 * Registers with the stored invite code, which is then forgotten, and logs in. Where login by
 * password is off, the reader goes to the login page, which gets `state`.
 */
export function useRegister(target: string, state: unknown, human: HumanCheck) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (values: Omit<Registration, 'aff_code'>) =>
      human.run((turnstile) =>
        client.auth.register({ ...values, ...turnstile, aff_code: storedInvite() }),
      ),
    meta: { quiet: true },
    onSuccess: async (_, { username = '', password = '' }) => {
      removeStored(storageKeys.invite);
      // A user who just chose the password need not enter it again.
      const user = await human
        .run((turnstile) => client.auth.login({ username, password, ...turnstile }))
        .catch(() => undefined);
      if (user !== undefined) storeUser(user);
      toastSuccess(t(user === undefined ? 'register.done.logIn' : 'register.done'));
      await navigate(user === undefined ? '/login' : target, {
        replace: true,
        state: user === undefined ? state : undefined,
      });
    },
  });
}
