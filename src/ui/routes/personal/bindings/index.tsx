/**
 * What one can log in by: an e-mail address, a phone and third parties
 * (docs/rules/console.md#linked-accounts).
 */

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { UserEntity } from '../../../../core/contract/entities.ts';
import { client } from '../../../client/api.ts';
import { toastSuccess } from '../../../client/failures.ts';
import { latePart } from '../../../client/late-part.ts';
import { confirmDanger } from '../../../components/confirm-danger.tsx';
import { ProviderIcon } from '../../../components/sign-in/provider-icon.tsx';
import { type SignInProvider, signInProviders } from '../../../components/sign-in/providers.ts';
import { useProviderPage } from '../../../components/sign-in/use-provider-page.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { useRefreshSelf } from '../../../queries/use-invalidate.ts';
import { useStatus } from '../../../queries/use-status.ts';
import { BindingRow } from './binding-row.tsx';
import classes from './bindings.module.css';
import { PhoneRow } from './phone-row.tsx';

const EmailDialog = latePart(async () => ({
  default: (await import('./email-dialog.tsx')).EmailDialog,
}));
const WechatCodeDialog = latePart(async () => ({
  default: (await import('../../../components/sign-in/wechat-code-dialog.tsx')).WechatCodeDialog,
}));
const TelegramDialog = latePart(async () => ({
  default: (await import('../../../components/sign-in/telegram-dialog.tsx')).TelegramDialog,
}));

type Bound = Pick<UserEntity, 'email' | 'phone' | SignInProvider['field']>;

export function Bindings({ self }: { readonly self: Bound }) {
  const { t } = useTranslation();
  const status = useStatus();
  const refresh = useRefreshSelf();
  const page = useProviderPage();
  const [dialog, setDialog] = useState<'email' | 'wechat' | 'telegram'>();
  const close = () => setDialog(undefined);
  const done = async (message: string) => {
    await refresh();
    close();
    toastSuccess(message);
  };
  const unbind = useMutation({
    mutationFn: (id: string) => client.oauth.unbind({ type: id }),
    onSuccess: () => done(t('identity.unbound')),
  });

  const ask = ({ id, name }: SignInProvider) =>
    confirmDanger({
      title: t('identity.unbind.title', { name: t(name) }),
      text: t('identity.unbind.text', { name: t(name) }),
      confirm: t('identity.unbind'),
      onConfirm: () => unbind.mutate(id),
    });
  const providerRow = (provider: SignInProvider) => {
    const { id, name, field, opens } = provider;
    const isEnabled = status !== undefined && provider.isEnabled(status);
    const subject = self[field];
    const start = () => (opens === 'page' ? page.mutate({ id }) : setDialog(opens));
    const label = t(name);
    if (subject !== '')
      return (
        <BindingRow key={id} icon={<ProviderIcon id={id} />} name={label} value={subject} isBound>
          <Button
            variant="default"
            size="xs"
            aria-label={t('identity.unbind.name', { name: label })}
            loading={unbind.isPending && unbind.variables === id}
            onClick={() => ask(provider)}
          >
            {t('identity.unbind')}
          </Button>
        </BindingRow>
      );
    return (
      <BindingRow
        key={id}
        icon={<ProviderIcon id={id} />}
        name={label}
        value={t(isEnabled ? 'identity.none' : 'identity.off')}
      >
        <Button
          variant="default"
          size="xs"
          aria-label={t('identity.bind.name', { name: label })}
          disabled={!isEnabled}
          loading={page.isPending && page.variables.id === id}
          onClick={start}
        >
          {t('identity.bind')}
        </Button>
      </BindingRow>
    );
  };

  const emailAction = self.email === '' ? 'identity.bind' : 'identity.email.change';
  return (
    <section aria-labelledby="personal-bindings" className={classes.section}>
      <h2 id="personal-bindings" className={classes.title}>
        {t('identity.title')}
      </h2>
      <ul className={classes.rows}>
        <BindingRow
          icon={<Mail size={18} aria-hidden="true" />}
          name={t('identity.email')}
          value={self.email || t('identity.none')}
          isBound={self.email !== ''}
        >
          <Button
            variant="default"
            size="xs"
            aria-label={t(self.email === '' ? 'identity.bind.name' : 'identity.change.name', {
              name: t('identity.email'),
            })}
            onClick={() => setDialog('email')}
          >
            {t(emailAction)}
          </Button>
        </BindingRow>
        <PhoneRow phone={self.phone} />
        {signInProviders.map(providerRow)}
      </ul>
      <Suspense fallback={null}>
        {dialog === 'email' && (
          <EmailDialog onClose={close} onBound={() => done(t('identity.bound'))} />
        )}
        {dialog === 'wechat' && (
          <WechatCodeDialog
            title={t('identity.wechat.bind')}
            submit={t('identity.bind')}
            onCode={async (code) => {
              await client.oauth.wechatBind({ code });
              await done(t('identity.bound'));
            }}
            onClose={close}
          />
        )}
        {dialog === 'telegram' && (
          <TelegramDialog title={t('identity.telegram.bind')} onClose={close} />
        )}
      </Suspense>
    </section>
  );
}
