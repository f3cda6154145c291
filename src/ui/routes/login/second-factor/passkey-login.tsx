/** Login by a passkey of this device, without a name and a password. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useNavigate } from 'react-router';
import { client } from '../../../client/api.ts';
import { toastFailure, toastSuccess } from '../../../client/failures.ts';
import { storeUser } from '../../../client/session.ts';
import {
  askForPasskey,
  canUsePasskeys,
  wasLeft,
} from '../../../components/second-factor/browser-passkey.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { useStatus } from '../../../queries/use-status.ts';

/** `target`: the page after the login. */
export function PasskeyLogin({ target }: { readonly target: string }) {
  const { t } = useTranslation();
  const status = useStatus();
  const navigate = useNavigate();
  const login = useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      const passkey = await askForPasskey(await client.secondStep.passkeyOptions());
      return client.secondStep.passkey({ passkey });
    },
    onSuccess: async (signedIn) => {
      storeUser(signedIn);
      toastSuccess(t('login.done'));
      await navigate(target, { replace: true });
    },
    onError: (error) => {
      // Who leaves the browser's question knows it.
      if (!wasLeft(error)) toastFailure(error);
    },
  });
  if (status?.passkey_login !== true || !canUsePasskeys(status.server_address)) return null;
  return (
    <Button
      mt={12}
      variant="default"
      fullWidth
      size="md"
      leftSection={<Fingerprint size={18} />}
      loading={login.isPending}
      onClick={() => login.mutate()}
    >
      {t('login.passkey')}
    </Button>
  );
}
