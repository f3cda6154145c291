/** The providers that are switched on, below the form of login or registration. */

import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { SignedInUser } from '../../../../core/contract/entities.ts';
import { readStored, removeStored, storageKeys } from '../../../browser/local-storage.ts';
import { client } from '../../../client/api.ts';
import { toastSuccess } from '../../../client/failures.ts';
import { latePart } from '../../../client/late-part.ts';
import { storeUser } from '../../../client/session.ts';
import { ProviderIcon } from '../../../components/sign-in/provider-icon.tsx';
import type { SignInProvider } from '../../../components/sign-in/providers.ts';
import { useProviderPage } from '../../../components/sign-in/use-provider-page.ts';
import { useTranslation } from '../../../i18n/index.ts';
import classes from './provider-login.module.css';

const WechatCodeDialog = latePart(async () => ({
  default: (await import('../../../components/sign-in/wechat-code-dialog.tsx')).WechatCodeDialog,
}));
const TelegramDialog = latePart(async () => ({
  default: (await import('../../../components/sign-in/telegram-dialog.tsx')).TelegramDialog,
}));

export function ProviderLogin({ providers }: { readonly providers: readonly SignInProvider[] }) {
  const { t } = useTranslation();
  const page = useProviderPage();
  const [dialog, setDialog] = useState<'wechat' | 'telegram'>();
  const aff = readStored(storageKeys.invite) ?? '';
  const enter = (user: SignedInUser) => {
    removeStored(storageKeys.invite);
    toastSuccess(t('login.done'));
    // The screen leaves for the page of origin.
    storeUser(user);
  };
  const start = ({ id, opens }: SignInProvider) =>
    opens === 'page' ? page.mutate({ id, aff }) : setDialog(opens);
  const close = () => setDialog(undefined);
  return (
    <section className={classes.providers} aria-labelledby="other-logins">
      <h2 id="other-logins" className={classes.title}>
        <span>{t('identity.orBy')}</span>
      </h2>
      <div className={classes.buttons}>
        {providers.map((provider) => (
          <Button
            key={provider.id}
            variant="default"
            size="md"
            leftSection={<ProviderIcon id={provider.id} />}
            loading={page.isPending && page.variables.id === provider.id}
            onClick={() => start(provider)}
          >
            {t(provider.name)}
          </Button>
        ))}
      </div>
      <Suspense fallback={null}>
        {dialog === 'wechat' && (
          <WechatCodeDialog
            title={t('identity.wechat.logIn')}
            submit={t('login.submit')}
            onCode={async (code) =>
              enter(
                await client.oauth.wechat({ code, aff, state: await client.oauth.state({ aff }) }),
              )
            }
            onClose={close}
          />
        )}
        {dialog === 'telegram' && (
          <TelegramDialog title={t('identity.telegram.logIn')} onClose={close} />
        )}
      </Suspense>
    </section>
  );
}
